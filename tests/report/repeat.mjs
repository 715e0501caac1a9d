// SPDX-License-Identifier: Apache-2.0
// Prints the command by which the page says its first run can be repeated: node repeat.mjs PAGE.html PLAYWRIGHT
import { open } from "./open.mjs";

const [page_file, playwright] = process.argv.slice(2);
const { browser, page } = await open(page_file, playwright);
await page.locator("#provenance td button").first().click();
console.log(await page.textContent("#repeat"));
await browser.close();
