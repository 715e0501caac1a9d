// SPDX-License-Identifier: Apache-2.0
// Checks the live page of a lab in headless Chromium: node page.mjs URL HEDDLE LAB FILE.yaml SERVER-PID PLAYWRIGHT SCREENSHOT-FOLDER
// The lab is a leaf-spine 2x2x2 at 100 Mbps. Prints a line per check; exit status 0 if all hold.
import { execFileSync, spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { check, finish, open } from "../report/open.mjs";

const [url, heddle, name, file, server, playwright, shots] = process.argv.slice(2);
const traffic = join(dirname(fileURLToPath(import.meta.url)), "traffic.py");
const lab = (...words) => execFileSync(heddle, ["lab", words[0], "--name", name, ...words.slice(1)], { encoding: "utf8", timeout: 60000 });
const on = (host, ...words) => spawn(heddle, ["lab", "exec", "--name", name, host, ...words], { stdio: "ignore" });

const { browser, page, complaints, requests } = await open(url, playwright);
page.setDefaultTimeout(20000);

/* Returns whether the question becomes true on the page within 20 s. */
const becomes = (question, argument) => page.waitForFunction(question, argument, { timeout: 20000, polling: 100 }).then(() => true, () => false);
const seen = () => page.evaluate(() => live.saidAt);
const rows = () => page.$$eval("#fabric tbody tr", all => all.map(r => ({ link: r.dataset.link, load: Number(r.dataset.load), text: [...r.children].map(c => c.textContent), down: r.className === "down" })));
/* Returns the links by the colour in the middle of their line. */
const colours = () => page.evaluate(() => {
  const f = live.fabric, g = f.canvas.getContext("2d"), ratio = devicePixelRatio || 1;
  return Object.fromEntries(f.visible.map(l => {
    const a = f.place.at[l.a], b = f.place.at[l.b];
    return [f.link(l).name, [...g.getImageData(Math.round((0.7 * a.x + 0.3 * b.x) * ratio), Math.round((0.7 * a.y + 0.3 * b.y) * ratio), 1, 1).data].join(" ")];
  }));
});

// ---- idle ----
check("the switches are heard", await becomes(() => live.said !== null));
check("the page asks for nothing but itself and its numbers", requests.every(r => r === url || r === `${url}status.json`), requests);
check("it is told which lab", (await page.textContent("h1")) === `Lab ${name}` && (await page.title()) === `heddle lab ${name}`);
const LINKS = ["host0.0-leaf0", "host0.1-leaf0", "host1.0-leaf1", "host1.1-leaf1", "leaf0-spine0", "leaf0-spine1", "leaf1-spine0", "leaf1-spine1"];
let table = await rows();
check("a row for each link", LINKS.every(l => table.filter(r => r.link === l).length === 1) && table.length === LINKS.length, table);
check("a line for each link", (await page.evaluate(() => live.fabric.visible.map(l => live.fabric.link(l).name).sort())).join() === LINKS.join());
check("hosts and their addresses", (await page.$$eval("#hosts tbody tr", all => all.map(r => `${r.children[0].textContent} ${r.children[1].textContent}`))).join() === "host0.0 10.0.0.1,host0.1 10.0.0.2,host1.0 10.0.1.1,host1.1 10.0.1.2");
check("labels for those who do not see it", /4 hosts and 4 switches, 8 links, coloured by load/.test(await page.getAttribute("canvas[role=img]", "aria-label")));
const first = await seen();
check("again each second", await becomes(at => live.saidAt > at + 2500 && live.saidAt < at + 8000, first));
check("idle links are idle", await becomes(() => live.said.links.every(l => l.load < 0.02)), await rows());
const idle = await colours();

// ---- traffic ----
const receiver = on("host1.0", traffic, "serve", "1"), sender = on("host0.0", traffic, "send", "100000000", "10.0.1.1");
check("the sender's link is loaded", await becomes(() => live.said.links.find(l => l.name === "host0.0-leaf0").load > 0.5), await rows());
check("all links of the path are", await becomes(() => live.said.links.filter(l => l.load > 0.5).length === 4), await rows());
table = await rows();
check("the table has the busiest first", table[0].load > 0.5 && table.every((r, i) => i === 0 || r.load <= table[i - 1].load), table);
check("host1.1 has nothing of it", table.find(r => r.link === "host1.1-leaf1").load < 0.1, table);
const busy = await colours(), changed = LINKS.filter(l => busy[l] !== idle[l]);
check("loaded links have another colour, idle ones have not", ["host0.0-leaf0", "host1.0-leaf1"].every(l => changed.includes(l)) && !changed.includes("host1.1-leaf1") && !changed.includes("host0.1-leaf0"), changed);
await page.locator("canvas[role=img]").focus();
await page.keyboard.press("ArrowRight");
const tip = await page.textContent(".tip");
check("the first link by keys is told, both ways, with queue, drops and pauses", LINKS.some(l => tip.startsWith(l)) && (tip.match(/load [\d.]+ % of 100 Mbps/g) || []).length === 2 && /queue .*drop.*pause/.test(tip), tip);
await page.screenshot({ path: `${shots}/lab-light.png`, fullPage: true });
await page.keyboard.press("Escape");
const at = await page.evaluate(() => { const box = live.fabric.canvas.getBoundingClientRect(), p = live.fabric.place.at[0]; return { x: box.left + p.x, y: box.top + p.y }; });
await page.mouse.move(at.x, at.y);
check("a host tells its address when it is pointed at", /^host0\.0, 10\.0\.0\.1/.test(await page.textContent(".tip")), await page.textContent(".tip"));
const then = await page.textContent(".tip");
check("what is pointed at is told again with new numbers", await becomes(text => !document.querySelector(".tip").hidden && document.querySelector(".tip").textContent !== text, then));
await page.mouse.move(2, 2);
for (const p of [sender, receiver]) p.kill();

// ---- a link fails ----
check("no link is down", (await page.textContent("#down")) === "" && (await rows()).every(r => !r.down));
lab("link", "down", "leaf0-spine1");
check("a link that is down is named", await becomes(() => document.getElementById("down").textContent.includes("leaf0-spine1")));
table = await rows();
check("its row says so, and no other", table.filter(r => r.down).map(r => `${r.link} ${r.text[1]}`).join() === "leaf0-spine1 down", table);
check("it is marked in the drawing", (await page.evaluate(() => live.fabric.visible.filter(l => live.fabric.mark(l)).map(l => live.fabric.link(l).name).join())) === "leaf0-spine1");
await page.emulateMedia({ colorScheme: "dark" });
await page.waitForFunction(() => document.documentElement.dataset.theme === "dark");
await page.screenshot({ path: `${shots}/lab-dark.png`, fullPage: true });
await page.emulateMedia({ colorScheme: "light" });
lab("link", "up", "leaf0-spine1");
check("and it comes back", await becomes(() => document.getElementById("down").textContent === "" && !document.querySelector("tr.down")));

// ---- the switches hang, are killed, and made again ----
const signal = what => execFileSync("ip", ["netns", "pids", `heddle-${name}.switches`], { encoding: "utf8" }).trim().split(/\s+/).forEach(pid => process.kill(Number(pid), what));
signal("SIGSTOP");
check("a line says that the switches hang", await becomes(() => /The switches do not answer/.test(document.querySelector("#line.alarm")?.textContent || "")), await page.textContent("#state"));
signal("SIGCONT");
check("it goes when they go on", await becomes(() => !document.querySelector("#line.alarm")), await page.textContent("#state"));
signal("SIGKILL");
check("a line says that the switches do not answer", await becomes(() => /The switches do not answer/.test(document.querySelector("#line.alarm")?.textContent || "")), await page.textContent("#state"));
check("and how old the drawing is", await becomes(() => /is \d+ s old/.test(document.getElementById("age").textContent)));
check("the drawing stays", (await rows()).length === LINKS.length && (await page.locator(".fabric.silent").count()) === 1);
await page.screenshot({ path: `${shots}/lab-silent.png`, fullPage: true });
lab("down");
check("so it does when the lab is gone", await becomes(() => /There is no lab/.test(document.getElementById("age").textContent)));
lab("up", file);
check("the line goes when they answer again", await becomes(() => !document.querySelector("#line.alarm") && document.getElementById("age").textContent === "" && !document.querySelector(".silent")), await page.textContent("#state"));

// ---- small, and the end ----
await page.setViewportSize({ width: 420, height: 800 });
await page.waitForTimeout(400);
check("a narrow window scrolls in one direction only", await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth + 1));
await page.screenshot({ path: `${shots}/lab-narrow.png`, fullPage: true });
check("no complaint on the console", complaints.length === 0, complaints);
process.kill(Number(server), "SIGTERM");
check("a line says that the server has ended", await becomes(() => /heddle lab status --serve/.test(document.querySelector("#line.alarm")?.textContent || "")), await page.textContent("#state"));
await finish(browser);
