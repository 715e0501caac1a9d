// SPDX-License-Identifier: Apache-2.0
// A page of jobs.yaml, and its timeline of ranks: node jobs.mjs PAGE.html PLAYWRIGHT PREFIX-OF-SCREENSHOTS
import { check, finish, open } from "./open.mjs";

const [page_file, playwright, shots] = process.argv.slice(2);
const { browser, page, complaints } = await open(page_file, playwright);
const text = selector => page.textContent(selector);

/* Points at a share of the iteration, in the row of a rank; returns what the page says there. */
async function point(share, rank, ranks) {
  const canvas = page.locator("#job-timeline");
  await canvas.scrollIntoViewIfNeeded();
  const box = await canvas.boundingBox(), left = await page.evaluate(() => report.jobs.left);
  await canvas.hover({ position: { x: left + share * (box.width - left - 4), y: (rank + 0.3) * (box.height - 22) / ranks } });
  return text("#jobs figure .note");
}

await page.setViewportSize({ width: 1400, height: 900 });
await page.waitForTimeout(500);
check("the job, and how far from its ideal", /gpt: training on 80 ranks\. It took .* times its ideal/.test(await text("#jobs")));
const phases = await page.locator("#job-path tbody tr td:first-child").allTextContents();
check("the critical path has the phases of a step", phases.join() === "forward,stages,backward,gradients,weights", phases);
const first = await point(0.01, 0, 80), last = await point(0.01, 79, 80);
check("the first stage computes at first", /^rank 0 \(host0\.0\) at .*: computes: forward/.test(first), first);
check("the last one waits", /^rank 79 \(host9\.7\) at .*: waits/.test(last), last);
await page.locator("#jobs").screenshot({ path: `${shots}-step.png` });

await page.locator("#jobs label", { hasText: /^Ranks/ }).locator("select").selectOption("1");
const shown = await page.evaluate(() => report.jobs.count), near = await point(0.01, 15, 16);
check("a part of the ranks", shown === 16 && /^rank 79/.test(near), { shown, near });

await page.locator("#jobs label", { hasText: /^Job/ }).locator("select").selectOption("1");
const ring = await point(0.5, 1, 4);
check("the other job", /ring: all-reduce on 4 ranks\. Iteration [12] of 2 took/.test(await text("#jobs")) && /^rank 1 \(host10\.1\) at .*all-reduce/.test(ring), ring);
await page.locator("#jobs").screenshot({ path: `${shots}-ring.png` });

await page.setViewportSize({ width: 420, height: 800 });
await page.waitForTimeout(500);
await page.locator('#contents a[href="#jobs"]').click();
await page.waitForTimeout(300);
check("on a phone nothing scrolls sideways", await page.evaluate(() => document.documentElement.scrollWidth <= 420));
const wide = await page.evaluate(() => document.getElementById("job-timeline").clientWidth);
check("and the timeline is drawn", wide > 260 && wide <= 400, wide);
await page.locator("#jobs").screenshot({ path: `${shots}-phone.png` });
check("no complaint on the console", complaints.length === 0, complaints);
await finish(browser);
