// SPDX-License-Identifier: Apache-2.0
"use strict";
/* One run over time. */

const runName = (x, run) => `run ${run.number}${run.part && x.parts.length > 1 ? ` of ${run.part.store}` : ""}: ${settingsText(run.settings, x.parts.length > 1 ? ["store"] : []) || "one setting"}`;

/* Makes a picker of the runs that have details; `changed` is called with the run. */
function runPicker(x, runs, run, changed) {
  return picker("Run", runs.map((r, i) => [i, runName(x, r)]), runs.indexOf(run), i => changed(runs[i]));
}

const OVER_TIME = [["link", "Link utilisation", "share"], ["queue", "Queue depth", "bytes"], ["pause", "Share of time paused", "share"]];

class OverTime {
  constructor(x) {
    this.x = x;
    this.runs = x.runs.filter(r => r.detail && Object.keys(r.detail.series).length);
    if (!this.runs.length) return;
    this.run = this.runs[0];
    this.beside = null;
    this.link = null;
    this.grid = element("div", { class: "grid wide" });
    this.controlsRow = element("div", { class: "controls" });
    this.hint = element("p", { class: "note" });
    this.root = section("time", "Over time", this.controlsRow, this.grid, this.hint);
    this.controls();
    this.fill();
  }

  /* Makes the controls: the run, a second run to compare, and a link. */
  controls() {
    const others = this.runs.filter(r => r !== this.run), links = this.links();
    const picks = [runPicker(this.x, this.runs, this.run, run => { this.run = run; this.beside = null; this.link = null; this.controls(); this.redraw(); })];
    if (others.length)
      picks.push(picker("On top of it", [["", "no other run"], ...others.map((r, i) => [i, runName(this.x, r)])], others.indexOf(this.beside) < 0 ? "" : others.indexOf(this.beside),
        i => { this.beside = i === "" ? null : others[i]; this.redraw(); }));
    if (links.length)
      picks.push(picker("Link", [["", "none chosen"], ...links.map(l => [l.port, l.name])], this.link ?? "", p => { this.link = p === "" ? null : Number(p); this.redraw(); }));
    this.controlsRow.replaceChildren(...picks);
  }

  topology(run) { return this.x.data.topologies[run.detail.load.topology] ? topologyOf(this.x.data, run.detail.load.topology) : null; }
  portName(t, port) { return `${t.names[t.node[port]]} to ${t.names[t.neighbour[port]]}${t.parallel[port] ? ` #${t.parallel[port]}` : ""}`; }

  /* Lists the ports with samples of their own, ports between switches first. */
  links() {
    const t = this.topology(this.run);
    if (!t || !this.run.detail.series.frames) return [];
    const ports = Array.from(t.node, (_, port) => port).sort((a, b) => Math.min(t.tier[t.node[b]], t.tier[t.neighbour[b]]) - Math.min(t.tier[t.node[a]], t.tier[t.neighbour[a]]) || a - b);
    return ports.slice(0, 2000).map(port => ({ port, name: this.portName(t, port) }));
  }

  shown() { return this.beside ? [this.run, this.beside] : [this.run]; }
  runLabel(run, name) { return this.beside ? [`run ${run.number}`, name].filter(Boolean).join(", ") : name; }

  /* Failures with their times: shaded in every chart. */
  marks() {
    const t = this.topology(this.run), words = { dead: "down", slow: "slowed", lossy: "lossy" };
    const seen = new Set(), out = [];
    for (const [port, word, from, to] of this.run.detail.failed || []) {
      const ends = t ? [t.names[t.node[port]], t.names[t.neighbour[port]]].sort().join("-") : `port ${port}`, key = `${ends} ${word} ${from}`;
      if (seen.has(key)) continue;
      seen.add(key);
      out.push({ name: `${ends} ${words[word] || word}`, from, to });
    }
    return out;
  }

  chosen(kind, title, unit) {
    const series = this.shown().flatMap((run, place) => {
      const f = (run.detail.series.frames || {})[kind], t = this.topology(run);
      if (!f || !t || this.link >= t.node.length) return [];
      const values = unpackScaled(f.values, 8);
      return [{ name: this.runLabel(run, this.portName(t, this.link)), place, x: f.at_us, y: f.at_us.map((_, i) => values[i * t.node.length + this.link]) }];
    });
    return series.length ? [this.chart(`chosen:${kind}`, title, unit, series)] : [];
  }

  redraw() {
    dropCharts(this.grid);
    this.fill();
    drawCharts(this.grid);
  }

  fill() {
    const s = this.run.detail.series, found = [];
    this.marked = this.marks();
    if (this.link !== null) found.push(...this.chosen("link", "Load of the chosen link", "share"), ...this.chosen("queue", "Queue of the chosen link", "bytes"));
    if (s.goodput) found.push(this.goodput(s.goodput), this.jain(s.goodput));
    for (const [key, title, unit] of OVER_TIME)
      if (s[key]) found.push(this.places(key, s[key], `${title}, mean`, unit, "mean"), this.places(key, s[key], `${title}, busiest port`, unit, "max"));
    if (s.open)
      found.push(this.chart("open", "Flows open", "count", this.shown().filter(r => r.detail.series.open).map((r, place) => ({ name: this.runLabel(r, ""), place, x: r.detail.series.open.at_us, y: r.detail.series.open.v }))));
    this.grid.replaceChildren(...found.map(c => c.figure));
    const lacking = [["goodput", "goodput"], ["link", "links"], ["queue", "queues"]].filter(([k]) => !s[k]).map(([, key]) => `${key}: 100us`);
    const always = this.marked.filter(m => m.from <= 0 && m.to === null);
    const unknown = this.run.detail.failed === null ? "When links fail is not known, and so not marked: the files that this run was made of are gone or have changed. " : "";
    const failures = always.length ? `All along: ${list(always.map(m => m.name))}. ` : "";
    this.hint.textContent = unknown + failures + (lacking.length ? `What is not sampled cannot be drawn; this run can be sampled with --set 'measure={${lacking.join(", ")}}'.` : "");
  }

  chart(id, title, unit, series, extra = {}) {
    return new Chart({ id: `time:${id}`, title, x: { label: "time", unit: "us", noLog: true }, y: { label: extra.label || title.replace(/,.*/, "").toLowerCase(), unit, ...extra }, series, sync: "time", points: false, marks: this.marked, solid: series.length <= 8 });
  }

  goodput(g) {
    const several = g.groups.some(x => x.racks > 1), racks = g.groups.some(x => x.racks), parts = g.groups.some(x => x.n > 1);
    const means = several ? ", mean of a few racks each" : racks ? ", mean of each rack" : parts ? ", means" : "";
    return this.chart("goodput", `Goodput of hosts${means}`, "Gbit/s",
      g.groups.map((group, place) => ({ name: group.name, place, x: g.at_us, y: group.mean })));
  }

  jain(g) {
    return this.chart("jain", `Jain index of goodput over the ${plural(g.receivers, "receiving host")}`, "number", [{ name: "", place: 0, x: g.at_us, y: g.jain }], { max: 1.02, label: "Jain index", noLog: true });
  }

  places(key, s, title, unit, statistic) {
    const series = this.shown().flatMap((run, k) => {
      const own = run.detail.series[key];
      return own ? own.groups.map((group, i) => ({ name: this.runLabel(run, group.name), place: k * s.groups.length + i, x: own.at_us, y: group[statistic] })) : [];
    });
    return this.chart(`${key}:${statistic}`, title, unit, series);
  }
}
