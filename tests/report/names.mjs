// SPDX-License-Identifier: Apache-2.0
// A page of names.yaml: node names.mjs PAGE.html STORE.db PLAYWRIGHT PREFIX-OF-SCREENSHOTS
import { check, finish, open, sqlOf } from "./open.mjs";

const [page_file, store, playwright, shots] = process.argv.slice(2);
const { browser, page, complaints } = await open(page_file, playwright);
const cut = JSON.parse(sqlOf(store)("SELECT result AS text FROM runs")[0].text).phases.cut;

// ---- the failure ----
const marks = await page.evaluate(() => charts.find(c => c.spec.id === "time:goodput").spec.marks);
check("one failure is marked, at its time", marks.length === 1 && marks[0].name === "spine-new-tor-a down" && marks[0].from === cut.from_us && marks[0].to === cut.to_us, { marks, cut });
check("nothing is slowed", !/slowed/.test(await page.textContent("main")));

// ---- goodput ----
const groups = await page.evaluate(() => report.fabric.run.detail.series.goodput.groups.map(g => [g.name, g.n]));
check("goodput is told by racks", JSON.stringify(groups) === '[["tor-a",6],["tor-b",6],["tor-c",6]]', groups);
check("and the chart says so", /Goodput of hosts, mean of each rack$/.test(await page.textContent('[data-chart="time:goodput"] figcaption span')));

// ---- names in the drawing ----
const drawn = () => page.evaluate(() => {
  const f = report.fabric, g = f.canvas.getContext("2d"), words = [], write = g.fillText;
  g.fillText = function (text, ...at) { words.push(text); return write.call(g, text, ...at); };
  f.draw();
  delete g.fillText;
  return { words, names: f.t.names };
});
for (const width of [1400, 420]) {
  await page.setViewportSize({ width, height: 900 });
  await page.waitForTimeout(500);
  if (width === 420) await page.locator('#contents a[href="#fabric"]').click();
  const { words, names } = await drawn(), switches = names.slice(18);
  check(`${width}: every switch has its name`, switches.every(n => words.includes(n)), words);
  check(`${width}: tiers are named for all of them`, words.includes("2 × spine") && words.includes("3 × tor"), words);
  await page.locator("#fabric").screenshot({ path: `${shots}-${width}-fabric.png` });
}
const starts = await page.evaluate(() => [["leaf0", "leaf12"], ["leaf10", "leaf12"], ["spine-new", "spine-north"], ["east", "eagle"], ["swa", "swb"], ["core1"], ["tor0.1", "tor0.2"], ["sw", "sw2"]].map(sharedStart));
check("the start that names share is no part of a word", JSON.stringify(starts) === '["leaf","leaf","spine-","","sw","core","tor0.",""]', starts);
check("no complaint on the console", complaints.length === 0, complaints);
await finish(browser);
