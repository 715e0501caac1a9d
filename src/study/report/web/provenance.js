// SPDX-License-Identifier: Apache-2.0
"use strict";
/* Provenance of the numbers, and the command that repeats them. */

/* Returns the effective configuration of a run: the first run's lines with its own differences applied
 * (page_data.c). */
function configOf(run) {
  if (typeof run.config === "string") return run.config;
  const lines = run.part.config.split("\n");
  for (const [i, line] of run.config) lines[i] = line;
  return lines.join("\n");
}

const quote = word => /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replace(/'/g, "'\\''")}'`;

/* Returns the command: profile and --set of the run first, then its point of the sweep, which overrides axes that --set
 * made. */
function commandOf(run) {
  const { name, file, store } = run.part, profile = run.profile || name.split("@")[1], chosen = profile ? ["--profile", quote(profile)] : [];
  const given = (run.set || []).flatMap(s => ["--set", quote(s)]);
  const own = Object.entries(run.settings).filter(([k]) => k !== "store" && k !== "variant").flatMap(([k, v]) => ["--set", quote(`${k}=${text(v)}`)]);
  return ["heddle", "run", quote(file || "FILE.yaml"), ...chosen, ...given, ...own, "-o", quote(store.replace(/(\.db)?$/, "-again.db"))].join(" ");
}

class Provenance {
  constructor(x) {
    this.x = x;
    this.shown = element("div", { id: "run-config" });
    const versions = [...new Set(x.runs.map(r => r.version).filter(Boolean))];
    const stores = x.parts.map(p => `${p.store} (experiment ${p.name}${p.file ? `, ${p.file}` : ""}, created ${p.created} UTC)`);
    this.root = section("provenance", "Provenance", element("p", {}, `From ${list(stores)}. Runs by heddle ${list(versions)}; this page by heddle ${x.data.version}.`),
      element("p", { class: "note" }, "Runs of one digest are the same to the last bit. Pick a run for its effective settings and the command that repeats it."), this.table(), this.shown,
      element("p", { class: "note" }, "Charts: uPlot 1.6.32 by Leon Sorokin, MIT licence."));
  }

  table() {
    const columns = ["run", "settings", "status", "digest", "version", "wall time", "packet-hops/s", "simulated", "finished (UTC)"];
    const rows = this.x.runs.slice(0, 2000).map(r => element("tr", {}, element("td", {}, element("button", { type: "button", onclick: () => this.show(r) }, `run ${r.number}`)),
      element("td", { class: "left" }, settingsText(r.settings)), element("td", { class: `left status-${r.status}`, title: r.failure || null }, r.status), element("td", { class: "left" }, element("code", {}, r.digest || "–")),
      element("td", {}, r.version), element("td", {}, write("s", r.metric("engine.wall_s"))), element("td", {}, write("count", r.metric("engine.hops_per_s"))), element("td", {}, write("s", r.metric("engine.sim_s"))), element("td", {}, r.finished || "–")));
    return element("div", { class: "scroll tall" }, element("table", {}, element("thead", {}, element("tr", {}, columns.map((c, i) => element("th", { scope: "col", class: [1, 2, 3].includes(i) ? "left" : null }, c)))), element("tbody", {}, rows)));
  }

  show(r) {
    this.shown.replaceChildren(element("h3", {}, `Run ${r.number}`), r.failure ? element("p", { class: "warning" }, `It failed: ${r.failure}`) : "", element("p", {}, "Repeat it:"), element("pre", { tabindex: 0, id: "repeat" }, commandOf(r)),
      r.set ? "" : element("p", { class: "warning" }, "This store is of before --set was remembered: if the run was made with any, add them."),
      element("p", {}, "Identity ", element("code", {}, r.identity), ". Effective settings:"), element("pre", { tabindex: 0 }, configOf(r)));
  }
}
