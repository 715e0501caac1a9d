// SPDX-License-Identifier: Apache-2.0
// Checks that a page is ready within two seconds of CPU time of its own thread: node ready.mjs PAGE.html PLAYWRIGHT
import { check, finish, open } from "./open.mjs";

const { browser, page, busy } = await open(...process.argv.slice(2));
console.log(`ready after ${busy.toFixed(2)} s of the page's thread`);
check("ready in two seconds", (await page.evaluate(() => report.ready > 0)) && busy < 2, busy);
await finish(browser);
