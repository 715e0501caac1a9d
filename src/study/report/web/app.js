// SPDX-License-Identifier: Apache-2.0
"use strict";
/* The page: one experiment at a time, its sections, light and dark theme. */

const report = { started: performance.now(), data: JSON.parse(document.getElementById("data").textContent) };
report.experiments = experimentsOf(report.data);


/* Sections that are open on a phone, where the others are folded at first (style.css). */
const UNFOLDED = ["summary", "expectations"];

/* Puts what follows the title of a section into a body that folds, where the window is narrow. */
function makeFoldable(root) {
  const title = root.querySelector("h2"), body = element("div", { class: "body", id: `${root.id}-body` }, ...[...root.childNodes].filter(c => c !== title));
  const button = element("button", { type: "button", class: "fold", "aria-controls": body.id, onclick: () => fold(root, !root.classList.contains("folded")) });
  root.replaceChildren(element("div", { class: "head" }, title, button), body);
  title.addEventListener("click", () => { if (button.offsetParent) fold(root, !root.classList.contains("folded")); });
  fold(root, !UNFOLDED.includes(root.id));
}

/* Charts are drawn as wide as their place, which a folded section has not. */
function fold(root, folded) {
  const button = root.querySelector(".fold");
  root.classList.toggle("folded", folded);
  button.textContent = folded ? "Show" : "Hide";
  button.setAttribute("aria-expanded", !folded);
  button.setAttribute("aria-label", `${folded ? "Show" : "Hide"}: ${root.querySelector("h2").textContent}`);
  if (folded || !root.isConnected || !button.offsetParent) return;
  drawCharts(root);
  if (root === report.fabric.root) report.fabric.draw();
  if (root === report.jobs.root) report.jobs.draw();
  hintScrolling();
}

/* Shows a hint beside a table that is wider than its place, even with narrow columns. */
function hintScrolling() {
  for (const s of document.querySelectorAll(".scroll")) {
    s.classList.remove("tight");
    if (s.scrollWidth > s.clientWidth + 1) s.classList.add("tight");
    const wide = s.scrollWidth > s.clientWidth + 1 && !document.documentElement.classList.contains("printing");
    s.classList.toggle("cut", wide);
    if (wide === (s.previousElementSibling?.className === "sideways")) continue;
    if (wide) s.before(element("p", { class: "sideways" }, "Scroll sideways for more columns \u2192"));
    else s.previousElementSibling.remove();
    s.tabIndex = wide ? 0 : -1;
  }
}

function redrawAll() {
  drawCharts(document.body);
  if (report.fabric && report.fabric.root) report.fabric.point(null);
  if (report.fabric && report.fabric.root) report.fabric.draw();
  if (report.summary) report.summary.draw();
  if (report.jobs && report.jobs.root) report.jobs.draw();
  hintScrolling();
}

function drawHeader(x) {
  const pick = report.experiments.length > 1 ? element("div", { class: "controls" }, picker("Experiment", report.experiments.map((e, i) => [i, `${e.title} (${e.name})`]), report.experiments.indexOf(x), i => open(Number(i)))) : null;
  document.getElementById("top").replaceChildren(element("div", {}, element("h1", {}, x.title), element("p", { class: "dim" }, `${x.name} · ${x.parts.map(p => p.store).join(", ")}`), pick), themes.button());
}

function drawContents(sections) {
  const links = sections.map(s => element("li", {}, element("a", { href: `#${s.root.id}`, onclick: () => fold(s.root, false) }, s.root.querySelector("h2").textContent)));
  document.getElementById("contents").replaceChildren(element("ul", {}, links));
}

function open(i) {
  const x = report.experiments[i], page = document.getElementById("page");
  if (report.fabric && report.fabric.stop) report.fabric.stop();
  dropCharts(page);
  report.summary = new Summary(x);
  report.fabric = new Fabric(x);
  report.jobs = new Jobs(x);
  const sections = [report.summary, new Sweeps(x), new Claims(x), new Distributions(x), new OverTime(x), report.fabric, report.jobs, new Pauses(x), new Provenance(x)].filter(s => s.root);
  drawHeader(x);
  drawContents(sections);
  for (const s of sections) makeFoldable(s.root);
  page.replaceChildren(...sections.map(s => s.root));
  drawCharts(page);
  if (report.fabric.root) report.fabric.draw();
  if (report.jobs.root) report.jobs.draw();
  report.open = x;
  hintScrolling();
}

themes.begin(redrawAll);
open(0);
/* The sections are made here, after the browser looked for the one that the address names. */
document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView({ behavior: "instant" });
report.ready = performance.now();

function forPaper(printing) {
  document.documentElement.classList.toggle("printing", printing);
  themes.apply(printing ? "light" : themes.chosen);
  redrawAll();
}
addEventListener("beforeprint", () => forPaper(true));
addEventListener("afterprint", () => forPaper(false));
let resizing = 0;
addEventListener("resize", () => { clearTimeout(resizing); resizing = setTimeout(() => document.documentElement.classList.contains("printing") || redrawAll(), 120); });
