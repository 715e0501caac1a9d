// SPDX-License-Identifier: Apache-2.0
// A section of a page as a picture: node portray.mjs PAGE.html SECTION PLAYWRIGHT OUT.png (scripts/pictures)
import { open } from "./open.mjs";

const [page_file, section, playwright, out] = process.argv.slice(2);
const { browser, page } = await open(page_file, playwright);
await page.addStyleTag({ content: "#contents { display: none; } main { padding: 0 12px; }" });
await page.setViewportSize({ width: 1200, height: 2400 });
await page.waitForTimeout(500);
await page.locator(`#${section}`).screenshot({ path: out });
await browser.close();
