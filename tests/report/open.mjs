// SPDX-License-Identifier: Apache-2.0
// Opens a page in headless Chromium and counts checks; for browser.mjs, several.mjs, ready.mjs and tests/live/page.mjs.
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

let failed = 0;
export function check(name, holds, said = "") {
  console.log(`${holds ? "ok  " : "FAIL"} ${name}${holds || said === "" ? "" : `: ${JSON.stringify(said)}`}`);
  if (!holds) failed++;
}

/* Prints the outcome and ends the program. */
export async function finish(browser) {
  await browser.close();
  console.log(failed ? `${failed} checks failed` : "all checks hold");
  process.exit(failed ? 1 : 0);
}

export const sqlOf = store => text => JSON.parse(execFileSync("sqlite3", ["-readonly", "-json", store, text], { encoding: "utf8" }) || "[]");

/* Opens a file or http://... Returns {browser, page, complaints, requests, url, busy}. busy is the CPU time of the page's own
 * thread in seconds, which does not depend on the load of the machine. */
export async function open(page_file, playwright) {
  const { chromium } = createRequire(import.meta.url)(playwright);
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", timeout: 240000,
    args: ["--disable-gpu", ...(process.getuid() === 0 ? ["--no-sandbox"] : [])] });
  /* without smooth scrolling, which would go on while the mouse is down, so that it comes up beside the button */
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce" });
  page.setDefaultTimeout(240000);
  const complaints = [], requests = [], url = /^https?:/.test(page_file) ? page_file : pathToFileURL(page_file).href;
  /* Chromium warns that tests read pixels back, which is no fault of the page. */
  page.on("console", m => { if (["error", "warning"].includes(m.type()) && !/willReadFrequently/.test(m.text())) complaints.push(m.text()); });
  page.on("pageerror", e => complaints.push(e.message));
  page.on("request", r => requests.push(r.url()));
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
  await page.goto(url);
  const busy = (await devtools.send("Performance.getMetrics")).metrics.find(m => m.name === "TaskDuration").value;
  return { browser, page, complaints, requests, url, busy };
}
