// SPDX-License-Identifier: Apache-2.0
// The page of a real run in headless Chromium: node browser.mjs PAGE.html STORE.db PLAYWRIGHT SCREENSHOT-FOLDER
// Prints a line per check; exit status 0 if all hold. It compares numbers with the numbers that sqlite3 reads from the store.
import { check, finish, open, sqlOf } from "./open.mjs";

const [page_file, store, playwright, shots] = process.argv.slice(2);
const sql = sqlOf(store);
const { browser, page, complaints, requests, url, busy } = await open(page_file, playwright);
check("ready in two seconds", (await page.evaluate(() => report.ready > 0)) && busy < 2, busy);

/* Returns the number of pixels of a chart in the colour of a line: neither transparent nor grey as the axes. */
const coloured = id => page.evaluate(chart => {
  const canvas = document.querySelector(`[data-chart="${chart}"] canvas`), g = canvas.getContext("2d");
  const { data } = g.getImageData(0, 0, canvas.width, canvas.height);
  let n = 0;
  for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 100 && Math.max(data[i], data[i + 1], data[i + 2]) - Math.min(data[i], data[i + 1], data[i + 2]) > 60) n++;
  return n;
}, id);
const fabricPixels = () => page.evaluate(() => {
  const canvas = report.fabric.canvas, { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  let sum = 0, drawn = 0;
  for (let i = 0; i < data.length; i += 4) { sum = (sum * 31 + data[i] + 3 * data[i + 1] + 7 * data[i + 2] + data[i + 3]) % 1000000007; if (data[i + 3]) drawn++; }
  return { sum, drawn };
});

// ---- it opens, alone ----
check("the page asks for nothing but itself", requests.length === 1 && requests[0] === url, requests);
const title = sql("SELECT title FROM experiments")[0].title;
check("the title is text, markup and all", (await page.title()) === title && (await page.textContent("h1")) === title, await page.title());
check("markup of the title made no element", (await page.locator("h1 b").count()) === 0);
for (const id of ["summary", "sweeps", "expectations", "distributions", "time", "fabric", "pauses", "provenance"])
  check(`section ${id}`, (await page.locator(`section#${id} h2`).count()) === 1);

// ---- numbers equal the store's ----
const cells = await page.$$eval("#summary-table tbody tr:not(.group)", rows => rows.map(r => [r.querySelector("th").textContent, [...r.querySelectorAll("td")].map(c => [c.dataset.metric, Number(c.dataset.value)])]));
const means = path => sql(`SELECT avg(json_extract(result, '$.${path}')) AS mean FROM runs WHERE number NOT NULL GROUP BY json_extract(settings, '$."workload.0.load"'), json_extract(settings, '$."switch.balance"') ORDER BY json_extract(settings, '$."workload.0.load"'), json_extract(settings, '$."switch.balance"')`).map(r => r.mean);
check("a row per scheme and load", cells.length === 4, cells.length);
for (const column of cells[0][1].map(c => c[0])) {
  const stored = means(column), shown = cells.map(r => r[1].find(c => c[0] === column)[1]);
  check(`summary ${column}`, stored.every((v, i) => Math.abs(v - shown[i]) <= 1e-8 * Math.abs(v)), { stored, shown });
}
/* Returns the rows' changes of the first column; null in the row that the others are compared with. */
const changes = () => page.$$eval("#summary-table tbody tr:not(.group)", rows => rows.map(r => {
  const delta = r.querySelector("td .delta");
  return delta && { value: Number(delta.dataset.change), low: Number(delta.dataset.low), high: Number(delta.dataset.high), text: delta.textContent };
}));
const first = cells.map(r => r[1][0][1]), compare = page.locator("#summary select").first();
const isChange = (c, of, against) => c !== null && Math.abs(c.value - (of / against - 1)) < 1e-5 && c.low < c.value && c.value < c.high && c.low >= -1 && / to /.test(c.text);
let shown = await changes();
check("changes against the first row of each group, with their interval", shown[0] === null && shown[2] === null && isChange(shown[1], first[1], first[0]) && isChange(shown[3], first[3], first[2]), shown);
await compare.selectOption("row:3");
shown = await changes();
check("changes against any row", shown[3] === null && [0, 1, 2].every(i => isChange(shown[i], first[i], first[3])) && /against row 4 /.test(await page.textContent("#summary p.note")), shown);
await compare.selectOption("value:0");
const tinted = await page.$$eval("#summary-table td .delta", all => all.map(d => [/good|bad/.test(d.className), Number(d.dataset.low), Number(d.dataset.high)]));
check("a change has a colour where its interval leaves out 0, alone", tinted.some(c => c[0]) && tinted.every(c => !c[0] || c[1] > 0 || c[2] < 0), tinted);
check("no number has an exponent", !/[0-9]e[0-9]/.test(await page.textContent("#summary-table")));
const lines = await page.evaluate(() => charts.find(c => c.spec.id === "sweep:fct_us.all.mean").spec.series.map(s => [s.name, s.y]));
const stored = means("fct_us.all.mean");
check("sweep fct_us.all.mean", lines.length === 2 && Math.abs(lines[0][1][0] / stored[0] - 1) < 1e-8 && Math.abs(lines[1][1][1] / stored[3] - 1) < 1e-8, { lines, stored });
const longest = sql(`SELECT max(fct_ps)/1e6 AS us FROM flows f JOIN runs r ON r.id = f.run WHERE json_extract(settings, '$."workload.0.load"') = 0.6 AND json_extract(settings, '$."switch.balance"') = 'ecmp'`)[0].us;
const cdf = await page.evaluate(() => charts.find(c => c.spec.id === "cdf:fct_us:all").spec.series[0]);
check("the CDF ends at the slowest flow", Math.abs(cdf.x[cdf.x.length - 1] / longest - 1) < 1e-5 && cdf.y[cdf.y.length - 1] === 1, { end: cdf.x[cdf.x.length - 1], longest });
const claims = sql("SELECT verdict FROM claims");
check("a scale per claim, met or not in words", (await page.locator(".claim svg").count()) === claims.length && (await page.locator(".verdict.met").count()) === claims.filter(c => ["holds", "roughly"].includes(c.verdict)).length);
const unsaid = sql("SELECT verdict, reason FROM claims WHERE reason IS NOT NULL");
check("a claim without a verdict says why", unsaid.length > 0 && (await page.evaluate(rows => rows.every(c => [...document.querySelectorAll(".verdict.open")].some(e => e.textContent.includes(`${c.verdict} (${c.reason})`))), unsaid)));
check("a claim says what it compares", /expeditus against ecmp/.test(await page.locator(".claim").first().textContent()));
const paused = sql("SELECT a.name AS node, b.name AS neighbour, class, p.paused_ps / 1e6 AS us, stops FROM pauses p JOIN runs r ON r.id = p.run AND r.number = 1 JOIN ports o ON o.run = p.run AND o.port = p.port JOIN nodes a ON a.run = p.run AND a.node = o.node JOIN nodes b ON b.run = p.run AND b.node = o.neighbour ORDER BY p.paused_ps DESC LIMIT 20");
const waits = await page.$$eval("#pause-table tbody tr", rows => rows.map(r => [...r.querySelectorAll("td")].map(c => c.textContent)));
const wait = await page.evaluate(us => us.map(v => write("us", v)), paused.map(p => p.us));
check("who paused whom, the longest first", paused.length > 0 && waits.length === paused.length && paused.every((p, i) => waits[i][0] === p.node && waits[i][1] === p.neighbour && waits[i][2] === String(p.class) && waits[i][3] === wait[i] && waits[i][4] === String(p.stops)), { waits, paused });
const load = await page.evaluate(() => [...report.fabric.values.utilisation]);
const ports = sql("SELECT utilisation FROM ports WHERE run = (SELECT id FROM runs WHERE number = 1) ORDER BY port");
check("loads of the fabric", load.length === ports.length && ports.every((p, i) => Math.abs(p.utilisation - load[i]) < 2e-5), load.slice(0, 4));

// ---- charts are drawn ----
const ids = await page.$$eval("[data-chart]", figures => figures.map(f => f.dataset.chart));
check("there are charts of every kind", ["sweep:", "by-size", "cdf:fct_us", "cdf:queue_bytes", "time:goodput", "time:jain", "time:link", "time:queue", "time:open"].every(k => ids.some(id => id.startsWith(k))), ids);
for (const id of ids) check(`drawn: ${id}`, (await coloured(id)) > 25, await coloured(id));
check("drawn: the fabric", (await fabricPixels()).drawn > 2000);
check("a failed link is marked", (await page.evaluate(() => report.fabric.visible.filter(l => report.fabric.isDead(l)).length)) === 1);
check("no horizontal overflow", await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));

// ---- several runs and a link of one's own, over time; failures ----
const timeSelect = n => page.locator("#time .controls select").nth(n);
check("failures are marked on every chart over time", await page.evaluate(() => charts.filter(c => c.spec.id.startsWith("time:")).every(c => c.spec.marks.length === 1 && /down/.test(c.spec.marks[0].name))));
const alone = await page.evaluate(() => charts.find(c => c.spec.id === "time:link:mean").spec.series.length);
await timeSelect(1).selectOption({ index: 2 });
check("another run lies on top", (await page.evaluate(() => charts.find(c => c.spec.id === "time:link:mean").spec.series.length)) === 2 * alone && (await page.evaluate(() => charts.find(c => c.spec.id === "time:open").spec.series.length)) === 2);
const chosenPort = sql("SELECT port FROM samples WHERE kind = 'link' AND run = (SELECT id FROM runs WHERE number = 1) GROUP BY port ORDER BY avg(value) DESC LIMIT 1")[0].port;
await timeSelect(2).selectOption(String(chosenPort));
const chosen = await page.evaluate(() => { const s = charts.find(c => c.spec.id === "time:chosen:link").spec.series; return { n: s.length, name: s[0].name, y: [...s[0].y] }; });
const portSamples = sql(`SELECT avg(value) AS mean FROM samples WHERE kind = 'link' AND port = ${chosenPort} AND run = (SELECT id FROM runs WHERE number = 1)`)[0].mean;
check("load of a chosen link over time, of both runs", chosen.n === 2 && portSamples > 0.05 && Math.abs(chosen.y.reduce((a, b) => a + b, 0) / chosen.y.length - portSamples) < 0.02, { chosen, portSamples });
check("its queue beside it", await page.evaluate(() => charts.some(c => c.spec.id === "time:chosen:queue")));
check("drawn: the chosen link", (await coloured("time:chosen:link")) > 25);
await page.locator("#time").screenshot({ path: `${shots}/time-both.png` });
await timeSelect(2).selectOption("");
await timeSelect(1).selectOption("");

// ---- cursors, slider, keys ----
const figure = page.locator('[data-chart="time:open"]');
await figure.focus();
for (let i = 0; i < 60; i++) await page.keyboard.press("ArrowRight");
check("arrow keys move a chart's cursor and tell the value", /at /.test(await figure.locator(".legend").textContent()), await figure.locator(".legend").textContent());
check("linked charts follow", await page.evaluate(() => charts.filter(c => c.spec.id.startsWith("time:link")).every(c => c.u.cursor.left >= 0)));
const before = await fabricPixels();
const slider = page.locator('#fabric input[type="range"]');
await slider.focus();
for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowRight");
const after = await fabricPixels();
check("the time slider redraws the fabric", before.sum !== after.sum && (await page.evaluate(() => report.fabric.frame)) === 3);
const frame = await page.evaluate(() => ({ at: report.fabric.sampled.at[2], values: [...report.fabric.sampled.values.slice(2 * report.fabric.t.node.length, 3 * report.fabric.t.node.length)], top: Math.max(...report.fabric.sampled.values) }));
const samples = sql(`SELECT port, avg(value) AS value FROM samples WHERE kind = 'link' AND run = (SELECT id FROM runs WHERE number = 1) AND at_ps <= ${Math.round(frame.at * 1e6)} AND at_ps > ${Math.round((await page.evaluate(() => report.fabric.sampled.at[1])) * 1e6)} GROUP BY port`);
check("a frame of the slider equals the samples", samples.length > 0 && samples.every(s => Math.abs(frame.values[s.port] - s.value) <= frame.top / 255), samples.slice(0, 3));
await page.evaluate(() => { report.fabric.frame = 0; report.fabric.draw(); });
await page.locator("#fabric canvas[tabindex]").focus();
await page.keyboard.press("ArrowRight");
const busiest = sql("SELECT max(utilisation) AS most FROM ports WHERE run = (SELECT id FROM runs WHERE number = 1)")[0].most;
const tip = await page.locator("#fabric .tip").textContent();
check("the first link by keys is the busiest", tip.includes(await page.evaluate(v => write("share", v), busiest)), { tip, busiest });
await page.locator('#fabric [data-flow="3"]').click();
check("a recorded path is drawn", /recorded path is drawn/.test(await page.textContent("#flow-text")) && (await page.evaluate(() => report.fabric.path.links.length)) === 6, await page.textContent("#flow-text"));
check("what is counted of a flow", /; \d+ timeouts?, \d+ retransmitted, \d+ reordered\./.test(await page.textContent("#flow-text")), await page.textContent("#flow-text"));
const counted = await page.evaluate(() => { const f = report.fabric.path.flow; f.timeouts = f.reordered = null; return report.fabric.flowText().textContent; });
check("counts that are unknown are left out", /possible; \d+ retransmitted\./.test(counted), counted);
/* Two presses of half a second, while the time plays: the first lets the flow go, the second picks it again. */
const flowButton = page.locator('#fabric [data-flow="3"]');
await page.evaluate(() => report.fabric.start());
const seen = [];
for (let i = 0; i < 2; i++) {
  await flowButton.hover();
  await page.mouse.down();
  await page.waitForTimeout(500);
  await page.mouse.up();
  seen.push(await page.evaluate(() => report.fabric.path && report.fabric.path.flow.flow));
}
await page.evaluate(() => { report.fabric.stop(); report.fabric.frame = 0; report.fabric.draw(); });
check("a slow click is none too late while the time plays", seen[0] === null && seen[1] === 3, seen);
check("a picked flow is marked", (await flowButton.getAttribute("aria-pressed")) === "true" && (await page.locator("#fabric tr.picked").count()) === 1);
await page.locator("#provenance td button").first().click();
check("provenance: the command and the settings", /heddle run .*--set switch\.balance=ecmp/.test(await page.textContent("#run-config")) && /kind: clos/.test(await page.textContent("#run-config")));
await page.evaluate(() => scrollTo(0, 0));
await page.keyboard.press("Tab");
const reached = new Set();
for (let i = 0; i < 60; i++) {
  reached.add(await page.evaluate(() => document.activeElement.closest("section, header, nav")?.id || document.activeElement.className));
  await page.keyboard.press("Tab");
}
check("the keyboard reaches the controls", reached.size >= 2, [...reached]);
await page.locator("select").first().focus();
check("focus is visible", await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle !== "none" || document.activeElement.matches(":focus-visible")));

// ---- light, dark, print ----
await page.screenshot({ path: `${shots}/report-light.png`, fullPage: true });
const light = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
await page.emulateMedia({ colorScheme: "dark" });
await page.waitForFunction(() => document.documentElement.dataset.theme === "dark");
check("dark when the system is", (await page.evaluate(() => getComputedStyle(document.body).backgroundColor)) !== light);
check("drawn in the dark", (await coloured(ids[0])) > 25);
await page.screenshot({ path: `${shots}/report-dark.png`, fullPage: true });
await page.emulateMedia({ colorScheme: "light", media: "print" });
check("printing leaves the controls out", (await page.locator(".controls:visible").count()) === 0);
await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
check("on paper charts fit their place", await page.evaluate(() => innerWidth > 690 && charts.every(c => !c.u || (c.u.width <= c.plot.clientWidth && c.figure.getBoundingClientRect().right <= 700))));
check("on paper no table is cut off", await page.evaluate(() => [...document.querySelectorAll(".scroll")].every(t => t.scrollHeight <= t.clientHeight + 1 && t.getBoundingClientRect().right <= 700)));
await page.screenshot({ path: `${shots}/report-print.png`, fullPage: true });
await page.evaluate(() => dispatchEvent(new Event("afterprint")));
await page.emulateMedia({ media: "screen" });
check("after printing it is as before", await page.evaluate(() => !document.documentElement.classList.contains("printing") && charts[0].u.width > 300));
await page.setViewportSize({ width: 420, height: 800 });
await page.waitForTimeout(400);
check("a table that scrolls says so", await page.evaluate(() => [...document.querySelectorAll(".scroll")].every(s => (s.scrollWidth > s.clientWidth + 1) === (s.previousElementSibling?.className === "sideways")) && document.querySelectorAll(".sideways").length > 0));
await page.locator("#summary").screenshot({ path: `${shots}/narrow.png` });
check("a narrow window scrolls in one direction only", await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth + 1), await page.evaluate(() => document.documentElement.scrollWidth));

check("no complaint on the console", complaints.length === 0, complaints);
await finish(browser);
