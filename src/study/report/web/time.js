"use strict";
/* One run over time. */

const runName = (x, run) => `run ${run.number}${run.part && x.parts.length > 1 ? ` of ${run.part.store}` : ""}: ${settingsText(run.settings, x.parts.length > 1 ? ["store"] : []) || "one setting"}`;

/* A picker of the runs that have details; `changed` gets the run. */
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
    this.grid = element("div", { class: "grid wide" });
    this.hint = element("p", { class: "note" });
    this.root = section("time", "Over time", element("div", { class: "controls" }, runPicker(x, this.runs, this.run, run => { this.run = run; this.redraw(); })), this.grid, this.hint);
    this.fill();
  }

  redraw() {
    dropCharts(this.grid);
    this.fill();
    drawCharts(this.grid);
  }

  fill() {
    const s = this.run.detail.series, found = [];
    if (s.goodput) found.push(this.goodput(s.goodput), this.jain(s.goodput));
    for (const [key, title, unit] of OVER_TIME)
      if (s[key]) found.push(this.places(key, s[key], `${title}, mean`, unit, "mean"), this.places(key, s[key], `${title}, busiest port`, unit, "max"));
    if (s.open) found.push(this.chart("open", "Flows open", "count", [{ name: "", place: 0, x: s.open.at_us, y: s.open.v }]));
    this.grid.replaceChildren(...found.map(c => c.figure));
    const lacking = [["goodput", "goodput"], ["link", "links"], ["queue", "queues"]].filter(([k]) => !s[k]).map(([, key]) => `${key}: 100us`);
    this.hint.textContent = lacking.length ? `What is not sampled cannot be drawn; this run can be sampled with --set 'measure={${lacking.join(", ")}}'.` : "";
  }

  chart(id, title, unit, series, extra = {}) {
    return new Chart({ id: `time:${id}`, title, x: { label: "time", unit: "us", noLog: true }, y: { label: extra.label || title.replace(/,.*/, "").toLowerCase(), unit, ...extra }, series, sync: "time", points: false, solid: series.length <= 8 });
  }

  goodput(g) {
    return this.chart("goodput", g.groups.some(x => x.n > 1) ? "Goodput of hosts, mean of each group" : "Goodput of hosts", "gbps",
      g.groups.map((group, place) => ({ name: group.name, place, x: g.at_us, y: group.mean })));
  }

  jain(g) {
    return this.chart("jain", `Jain index of goodput over the ${plural(g.receivers, "receiving host")}`, "plain", [{ name: "", place: 0, x: g.at_us, y: g.jain }], { max: 1.02, label: "Jain index", noLog: true });
  }

  places(key, s, title, unit, statistic) {
    return this.chart(`${key}:${statistic}`, title, unit, s.groups.map((group, place) => ({ name: group.name, place, x: s.at_us, y: group[statistic] })));
  }
}
