// SPDX-License-Identifier: Apache-2.0
"use strict";
/* Each metric against a swept number: a line per scheme, with the 95 % interval over seeds as a band. */

class Sweeps {
  constructor(x) {
    this.x = x;
    this.numeric = x.axes.filter(a => a.numeric);
    if (!this.numeric.length || !x.points.length) return;
    this.axis = this.numeric.reduce((a, b) => b.values.length > a.values.length ? b : a);
    this.shown = x.quoted().slice(0, 6);
    this.fixed = {};
    this.controlsRow = element("div", { class: "controls" });
    this.grid = element("div", { class: "grid" });
    this.root = section("sweeps", "Sweeps", element("p", { class: "note" }, "Lines join means over seeds, bands are their 95 % intervals. Cursors are linked; a drag zooms, a double click goes back."),
      this.controlsRow, this.grid);
    this.controls();
    this.fill();
  }

  /* Axes that are neither the x axis nor the lines have one value at a time. */
  others() { return this.x.axes.filter(a => a.values.length > 1 && a !== this.axis && a !== this.x.lineAxis); }

  controls() {
    const picks = [];
    if (this.numeric.length > 1)
      picks.push(picker("Against", this.numeric.map(a => [a.key, a.key]), this.axis.key, v => { this.axis = this.numeric.find(a => a.key === v); this.controls(); this.redraw(); }));
    for (const a of this.others()) {
      if (!(a.key in this.fixed)) this.fixed[a.key] = a.values[a.values.length - 1];
      picks.push(picker(a.key, a.values.map((v, i) => [i, text(v)]), a.values.findIndex(v => same(v, this.fixed[a.key])), v => { this.fixed[a.key] = a.values[v]; this.redraw(); }));
    }
    const more = this.x.metrics.filter(m => !this.shown.includes(m) && this.x.has(m.path));
    picks.push(picker("Add a metric", [["", "…"], ...more.map(m => [m.path, m.path])], "", path => { this.shown.unshift(this.x.byPath.get(path)); this.controls(); this.redraw(); }));
    this.controlsRow.replaceChildren(...picks);
  }

  redraw() {
    dropCharts(this.grid);
    this.fill();
    drawCharts(this.grid);
  }

  fill() { this.grid.replaceChildren(...this.shown.map(m => this.chart(m).figure)); }

  chart(m) {
    const filter = Object.fromEntries(this.others().map(a => [a.key, this.fixed[a.key]]));
    const lines = this.x.lineAxis && this.x.lineAxis !== this.axis ? this.x.lineAxis.values : [null];
    const series = lines.map((value, place) => this.line(m, value === null ? filter : { ...filter, [this.x.lineAxis.key]: value }, value === null ? "" : text(value), place));
    const xs = this.axis.values.map(settingNumber).filter(v => v > 0);
    return new Chart({ id: `sweep:${m.path}`, title: m.label, x: { label: this.axis.key, unit: this.axis.unit, log: xs.length > 3 && Math.max(...xs) >= 50 * Math.min(...xs) },
      y: { label: m.unit === "us" ? "time" : m.label, unit: m.unit, max: undefined }, series: series.filter(s => s.x.length), sync: "sweeps", points: true });
  }

  line(m, filter, name, place) {
    const points = matching(this.x.points, filter).map(p => [settingNumber(p.settings[this.axis.key]), statistic(p, m.path)]).filter(([, s]) => s).sort((a, b) => a[0] - b[0]);
    const band = points.some(([, s]) => s.n > 1);
    return { name, place, x: points.map(p => p[0]), y: points.map(p => p[1].mean), ...(band ? { low: points.map(p => p[1].low), high: points.map(p => p[1].high) } : {}) };
  }
}
