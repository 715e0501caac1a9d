// SPDX-License-Identifier: Apache-2.0
// The command that the page gives for repeating its first run: node repeat.mjs PAGE.html PLAYWRIGHT
import { open } from "./open.mjs";

const [page_file, playwright] = process.argv.slice(2);
const { browser, page } = await open(page_file, playwright);
await page.locator("#provenance button").first().click();
console.log(await page.textContent("#repeat"));
await browser.close();
