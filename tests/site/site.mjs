// SPDX-License-Identifier: Apache-2.0
// The site in headless Chromium: node site.mjs http://127.0.0.1:PORT/ FOLDER PLAYWRIGHT
// Walks through all its pages at two widths and searches. Prints a line per check; exit status 0 if all hold.
import { readdirSync } from "node:fs";
import { check, finish, open } from "../report/open.mjs";

const [site, folder, playwright] = process.argv.slice(2);
const WIDTHS = [1400, 420];
const { browser, page, complaints, requests } = await open(site, playwright);
page.setDefaultTimeout(60000);
const pages = readdirSync(`${folder}/site`, { recursive: true }).filter(f => f.endsWith("index.html")).map(f => f.slice(0, -"index.html".length));
check("the site has its pages", pages.length > 80, pages.length);

/* Walks through the pages: their anchors and links for later, and the pages that are wider than the window. */
/* Each page reads the index of the search, which takes seconds: while walking it is an empty one. */
const index = "**/search/search_index.json", empty = { config: { lang: ["en"], separator: " ", pipeline: [] }, docs: [] };
await page.route(index, route => route.fulfill({ json: empty }));
const anchors = new Map(), links = new Map(), wide = [];
for (const place of pages) {
  await page.goto(site + place);
  const found = await page.evaluate(() => ({
    ids: [...document.querySelectorAll("[id]")].map(e => e.id),
    links: [...document.querySelectorAll("a[href]")].map(e => e.href),
    broken: [...document.images].filter(i => i.complete && !i.naturalWidth).map(i => i.src) }));
  anchors.set(site + place, new Set(found.ids));
  for (const link of found.links) if (!links.has(link)) links.set(link, place);
  for (const image of found.broken) complaints.push(`${place}: no image ${image}`);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    const content = await page.evaluate(() => document.documentElement.scrollWidth);
    if (content > width) wide.push([place, width, content]);
  }
}
check("no page scrolls sideways", wide.length === 0, wide);

/* Links: within the site to a file, and to an anchor that is there; the others are counted only, as nothing leaves the machine. */
const dead = [], fetched = new Map();
let outside = 0;
for (const [link, from] of links) {
  const [file, anchor] = link.split("#");
  if (!link.startsWith(site)) {
    outside++;
    continue;
  }
  if (anchors.has(file)) {
    if (anchor && !anchors.get(file).has(decodeURIComponent(anchor))) dead.push([from, link]);
  } else {
    if (!fetched.has(file)) fetched.set(file, (await page.request.head(file)).ok());
    if (!fetched.get(file)) dead.push([from, link]);
  }
}
check("links were followed", links.size > 500 && fetched.size > 50, [links.size, fetched.size]);
check("no link is dead", dead.length === 0, dead.slice(0, 40));
console.log(`${pages.length} pages, ${links.size} links, ${outside} of them to other places`);

await page.unroute(index);

/* Searches at both widths, and opens what it finds first. */
for (const width of WIDTHS) {
  await page.setViewportSize({ width, height: 900 });
  await page.goto(site);
  if (width < 900) await page.locator("label[for=__search].md-header__button").click();
  else await page.locator(".md-search__input").click();
  await page.locator(".md-search__input").pressSequentially("pst_timeout");
  const first = page.locator(".md-search-result__item a").first();
  await first.waitFor();
  await page.screenshot({ path: `${folder}/search-${width}.png` });
  const hrefs = await page.locator(".md-search-result__item > a").evaluateAll(all => all.map(a => a.href));
  check(`search finds pst_timeout at ${width} pixels, in the keys too`, hrefs.some(h => h.includes("/keys/")), hrefs);
  await first.click();
  await page.waitForURL(u => u.pathname !== "/");
  check(`what it finds has the word (${width})`, (await page.locator("article").innerText()).includes("pst_timeout"), page.url());
}

/* Pictures for those who look. */
for (const [name, place] of [["start", ""], ["tutorial", "tutorial/"], ["guide", "guide/"], ["keys", "keys/"], ["command", "commands/heddle-run/"], ["paper", "papers/expeditus/"], ["howto", "howto/incast/"]])
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 1400 });
    await page.goto(site + place);
    await page.screenshot({ path: `${folder}/${name}-${width}.png` });
  }

const elsewhere = requests.filter(r => !r.startsWith(site) && !/^(data|blob):/.test(r));
check("no request leaves the machine", elsewhere.length === 0, elsewhere);
check("no complaint in the console", complaints.length === 0, complaints.slice(0, 20));
await finish(browser);
