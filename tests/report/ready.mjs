// Is a page ready in two seconds, counted on its own thread? node ready.mjs PAGE.html PLAYWRIGHT
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [page_file, playwright] = process.argv.slice(2);
const { chromium } = createRequire(import.meta.url)(playwright);
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", timeout: 240000,
  args: ["--disable-gpu", ...(process.getuid() === 0 ? ["--no-sandbox"] : [])] });
const page = await browser.newPage();
page.setDefaultTimeout(240000);
const devtools = await page.context().newCDPSession(page);
await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
await page.goto(pathToFileURL(page_file).href);
const busy = (await devtools.send("Performance.getMetrics")).metrics.find(m => m.name === "TaskDuration").value;
const ready = await page.evaluate(() => report.ready > 0);
await browser.close();
console.log(`ready after ${busy.toFixed(2)} s of the page's thread`);
process.exit(ready && busy < 2 ? 0 : 1);
