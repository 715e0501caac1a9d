// SPDX-License-Identifier: Apache-2.0
// A page at 1400 pixels and on a phone of 420: node widths.mjs PAGE.html PLAYWRIGHT PREFIX-OF-SCREENSHOTS
import { check, finish, open } from "./open.mjs";

const [page_file, playwright, shots] = process.argv.slice(2);
const { browser, page, complaints } = await open(page_file, playwright);
const resize = async width => { await page.setViewportSize({ width, height: 900 }); await page.waitForTimeout(500); };
const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

// ---- 1400: all room is used ----
await resize(1400);
const cut = await page.evaluate(() => [...document.querySelectorAll(".scroll")].filter(s => s.scrollWidth > s.clientWidth + 1).map(s => [s.closest("section").id, s.scrollWidth, s.clientWidth]));
const main = await page.evaluate(() => document.querySelector("main").getBoundingClientRect().width);
check("1400: the page is as wide as its window", main === 1400, main);
check("1400: no table is cut", cut.length === 0, cut);
check("1400: no page overflow", (await overflow()) <= 0, await overflow());
check("1400: nothing is folded", await page.evaluate(() => [...document.querySelectorAll("section > .body")].every(b => b.offsetHeight > 0) && [...document.querySelectorAll(".fold")].every(b => b.offsetParent === null)));
const clipped = await page.evaluate(() => [...document.querySelectorAll("th, td, figcaption span, .claim div, .legend li, #contents a")].filter(e => e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 0 && getComputedStyle(e).display !== "inline").map(e => e.textContent.slice(0, 40)));
check("1400: no text is clipped", clipped.length === 0, clipped);

// ---- what a chart, a link and a verdict look like ----
check("loads are coloured from 0 to 100 %", await page.evaluate(() => report.fabric.top === 1 && /100 %/.test(document.querySelector("#fabric .scale").textContent)));
const failed = await page.evaluate(() => {
  const f = report.fabric, l = f.visible.find(k => f.isDead(k));
  if (!l) return null;
  const at = f.markPlace(l), others = f.visible.filter(k => k !== l && k.a >= f.t.hosts && k.b >= f.t.hosts && f.t.tier[k.a] === f.t.tier[l.a]);
  const ratio = devicePixelRatio, g = f.canvas.getContext("2d"), a = f.place.at[l.a], b = f.place.at[l.b], text = css("--text");
  g.fillStyle = text;
  const wanted = [1, 3, 5].map(i => parseInt(g.fillStyle.slice(i, i + 2), 16));
  let seen = 0;
  for (let s = 0.2; s < 0.8; s += 0.01) {
    const { data } = g.getImageData(Math.round((a.x + s * (b.x - a.x)) * ratio), Math.round((a.y + s * (b.y - a.y)) * ratio), 1, 1);
    if (wanted.every((v, k) => Math.abs(v - data[k]) < 40)) seen++;
  }
  return { name: f.t.linkName(l), away: Math.min(...others.map(k => distanceTo(at, f.place.at[k.a], f.place.at[k.b]))), seen, notes: document.querySelector("#fabric .scale").textContent };
});
check("a failed link has its mark away from the links that it crosses, a colour of its own, and its name", failed && failed.away > 20 && failed.seen > 12 && failed.notes.includes(`failed: ${failed.name}`), failed);
const signs = await page.evaluate(() => [...document.querySelectorAll(".claim")].map(c => {
  const sign = c.querySelector(".sign"), verdict = c.querySelector(".verdict");
  const kind = k => ["met", "unmet", "open"].find(w => k.classList.contains(w));
  return { sign: kind(sign), verdict: kind(verdict), shape: sign.tagName, hollow: sign.getAttribute("fill") === "var(--card)", word: verdict.textContent };
}));
check("the sign of a claim is that of its verdict", signs.length > 0 && signs.every(s => s.sign === s.verdict && s.word[0] === { met: "●", unmet: "◆", open: "○" }[s.sign] && s.shape === (s.sign === "unmet" ? "path" : "circle") && s.hollow === (s.sign === "open")), signs);
const sizes = await page.evaluate(() => Object.fromEntries(charts.filter(c => c.spec.id.startsWith("by-size")).map(c => [c.spec.id.slice(8), c.spec.series.map(s => ({ n: s.x.length, within: s.y.every((y, i) => s.low[i] <= y && y <= s.high[i]) }))])));
const flows = await page.evaluate(() => report.open.points.map(p => p.cdfs.slowdown.all.n));
const carried = { p50: 20, p95: 120, p99: 600 };
for (const [percentile, least] of Object.entries(carried)) {
  const wanted = Math.min(20, Math.floor(Math.min(...flows) / least)), drawn = sizes[percentile] || [];
  check(`slowdown by size, ${percentile}: as many buckets as the flows carry, with a band`, wanted < 2 ? drawn.length === 0 : drawn.length > 0 && drawn.every(s => s.n >= wanted && s.n <= 20 && s.within), { wanted, drawn, flows });
}
await page.locator("#summary").screenshot({ path: `${shots}-1400-summary.png` });
await page.locator("#fabric").screenshot({ path: `${shots}-1400-fabric.png` });

// ---- 420: a phone ----
await resize(420);
check("420: no page overflow", (await overflow()) <= 0, await overflow());
const outside = await page.evaluate(() => [...document.querySelectorAll(".controls select")].filter(s => s.getBoundingClientRect().right > s.closest(".controls").getBoundingClientRect().right + 1).map(s => s.value));
check("420: no choice reaches beyond its row", outside.length === 0, outside.join());
const sections = await page.evaluate(() => [...document.querySelectorAll("main > section")].map(s => ({ id: s.id, open: s.querySelector(".body").offsetHeight > 0, button: s.querySelector(".fold").offsetParent !== null, expanded: s.querySelector(".fold").getAttribute("aria-expanded") })));
check("420: sections are folded but the results and the claims", sections.length > 4 && sections.every(s => s.button && s.open === ["summary", "expectations"].includes(s.id) && s.expanded === String(s.open)), sections);
check("420: the page is short", (await page.evaluate(() => document.documentElement.scrollHeight)) < 4000);
const names = () => page.evaluate(() => {
  const box = document.querySelector("#summary-table"), frame = box.getBoundingClientRect();
  return [...box.querySelectorAll("tbody tr:not(.group) th")].map(th => {
    const r = th.getBoundingClientRect(), top = document.elementFromPoint(r.left + r.width / 2, Math.min(innerHeight - 5, r.top + r.height / 2));
    return { name: th.textContent, left: Math.round(r.left - frame.left), right: r.right < frame.right, whole: th.scrollWidth <= th.clientWidth, covered: !!top && !th.contains(top) && box.contains(top) };
  });
});
await page.evaluate(() => document.querySelector("#summary-table").scrollIntoView({ block: "center" }));
for (const left of [0, 150, 10000]) {
  await page.evaluate(x => { document.querySelector("#summary-table").scrollLeft = x; }, left);
  const seen = await names();
  check(`420: names of rows stay whole and in sight, scrolled by ${left}`, seen.length > 0 && seen.every(n => n.left >= 0 && n.left <= 2 && n.right && n.whole && !n.covered), seen);
}
check("420: the table does scroll", await page.evaluate(() => document.querySelector("#summary-table").scrollLeft > 100));
await page.screenshot({ path: `${shots}-420.png` });
await page.locator("#distributions .fold").click();
const unfolded = await page.evaluate(() => ({ open: document.querySelector("#distributions .body").offsetHeight > 300, fits: charts.filter(c => c.figure.closest("#distributions")).every(c => !c.u || c.u.width <= c.plot.clientWidth) }));
check("420: a section unfolds, and its charts fit", unfolded.open && unfolded.fits, unfolded);
await page.locator("#distributions h2").click();
check("420: and folds again by its title", await page.evaluate(() => document.querySelector("#distributions .body").offsetHeight === 0));
await page.locator('#contents a[href="#fabric"]').click();
check("420: a link of the contents unfolds its section", await page.evaluate(() => document.querySelector("#fabric .body").offsetHeight > 300 && report.fabric.canvas.clientWidth <= 420));
await page.locator("#fabric").screenshot({ path: `${shots}-420-fabric.png` });
check("420: still no page overflow", (await overflow()) <= 0, await overflow());

check("no complaint on the console", complaints.length === 0, complaints);
await finish(browser);
