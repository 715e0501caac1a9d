// SPDX-License-Identifier: Apache-2.0
"use strict";
/* The page: one experiment at a time, its sections, light and dark theme. */

const report = { started: performance.now(), data: JSON.parse(document.getElementById("data").textContent) };
report.experiments = experimentsOf(report.data);


/* Shows a hint beside a table that is wider than its place. */
function hintScrolling() {
  for (const s of document.querySelectorAll(".scroll")) {
    const wide = s.scrollWidth > s.clientWidth + 1 && !document.documentElement.classList.contains("printing");
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
  hintScrolling();
}

function drawHeader(x) {
  const pick = report.experiments.length > 1 ? element("div", { class: "controls" }, picker("Experiment", report.experiments.map((e, i) => [i, `${e.title} (${e.name})`]), report.experiments.indexOf(x), i => open(Number(i)))) : null;
  document.getElementById("top").replaceChildren(element("div", {}, element("h1", {}, x.title), element("p", { class: "dim" }, `${x.name} · ${x.parts.map(p => p.store).join(", ")}`), pick), themes.button());
}

function drawContents(sections) {
  const links = sections.map(s => element("li", {}, element("a", { href: `#${s.root.id}` }, s.root.querySelector("h2").textContent)));
  document.getElementById("contents").replaceChildren(element("ul", {}, links));
}

function open(i) {
  const x = report.experiments[i], page = document.getElementById("page");
  if (report.fabric && report.fabric.stop) report.fabric.stop();
  dropCharts(page);
  report.summary = new Summary(x);
  report.fabric = new Fabric(x);
  const sections = [report.summary, new Sweeps(x), new Claims(x), new Distributions(x), new OverTime(x), report.fabric, new Pauses(x), new Provenance(x)].filter(s => s.root);
  drawHeader(x);
  drawContents(sections);
  page.replaceChildren(...sections.map(s => s.root));
  drawCharts(page);
  if (report.fabric.root) report.fabric.draw();
  report.open = x;
  hintScrolling();
}

themes.begin(redrawAll);
open(0);
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
