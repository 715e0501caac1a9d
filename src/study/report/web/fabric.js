// SPDX-License-Identifier: Apache-2.0
"use strict";
/* The fabric of a run: load of its links, failures, a slider through the samples, paths of slow flows. */

const CARRIED = [["utilisation", "Load", "share", "link"], ["queue_max", "Largest queue", "bytes", "queue"], ["queue_mean", "Mean queue", "bytes", "queue"],
  ["paused_us", "Time paused", "us", "pause"], ["dropped", "Drops", "count", null]];

class Fabric extends Drawing {
  constructor(x) {
    super();
    this.x = x;
    this.runs = x.runs.filter(r => r.detail && x.data.topologies[r.detail.load.topology] && r.detail.load.utilisation);
    if (!this.runs.length) return;
    this.side = element("div", { class: "side" });
    this.controlsRow = element("div", { class: "controls" });
    this.root = section("fabric", "The fabric", element("p", { class: "note" }, "Links are coloured by their busier direction. Point at a link or a node for its numbers, or focus the drawing and step through the links from the busiest with the arrow keys."),
      this.controlsRow, element("div", { class: "fabric" }, this.drawing, this.side));
    this.what = "utilisation";
    this.take(this.runs[0]);
  }

  take(run) {
    this.run = run;
    const detail = run.detail;
    this.t = topologyOf(this.x.data, detail.load.topology);
    this.values = Object.fromEntries(CARRIED.map(([key]) => [key, unpackScaled(detail.load[key])]));
    if (!this.values[this.what]) this.what = "utilisation";
    this.failed = new Map((detail.failed || []).map(f => [f[0], f]));
    this.frame = 0; /* 0: the whole run */
    this.pod = null;
    this.path = null;
    this.picked = null;
    this.frames();
    this.controls();
  }

  /* Returns the samples of the chosen quantity. */
  frames() {
    const kind = (CARRIED.find(c => c[0] === this.what) || [])[3], f = kind && (this.run.detail.series.frames || {})[kind];
    this.sampled = f ? { at: f.at_us, values: unpackScaled(f.values, 8) } : null;
    if (!this.sampled) this.frame = 0;
  }

  controls() {
    const picks = [runPicker(this.x, this.runs, this.run, run => { this.stop(); this.take(run); this.draw(); }),
      picker("Colour by", CARRIED.filter(c => this.values[c[0]]).map(c => [c[0], c[1]]), this.what, v => { this.what = v; this.frames(); this.controls(); this.draw(); }), this.podPicker()];
    if (this.sampled) picks.push(this.slider());
    this.controlsRow.replaceChildren(...picks.filter(Boolean));
  }

  showPod(pod) {
    this.pod = pod;
    this.controls();
    this.draw();
  }

  slider() {
    this.range = element("input", { type: "range", min: 0, max: this.sampled.at.length, value: this.frame, "aria-label": "time", oninput: () => { this.frame = Number(this.range.value); this.draw(); } });
    this.clock = element("output", {});
    this.play = element("button", { type: "button", onclick: () => this.timer ? this.stop() : this.start() }, this.timer ? "Pause" : "Play");
    return element("div", { class: "time" }, this.play, this.range, this.clock);
  }

  start() {
    this.play.textContent = "Pause";
    this.timer = setInterval(() => {
      this.frame = this.frame >= this.sampled.at.length ? 1 : this.frame + 1;
      this.range.value = this.frame;
      this.draw();
    }, 180);
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    if (this.play) this.play.textContent = "Play";
  }

  /* ---- values ---- */

  portValue(port) {
    if (port < 0) return 0;
    return this.frame ? this.sampled.values[(this.frame - 1) * this.t.node.length + port] : (this.values[this.what] || [])[port] || 0;
  }
  quantity() { return CARRIED.find(c => c[0] === this.what)[1].toLowerCase(); }
  valueText(v) { return write(this.unit(), v); }
  unit() { return CARRIED.find(c => c[0] === this.what)[2]; }
  /* The hottest colour: of loads a full link, of other quantities the largest value. */
  scaleTop() {
    if (this.what === "utilisation") return 1;
    const values = this.frame || !this.values[this.what] ? this.sampled.values : this.values[this.what];
    let top = 0;
    for (const v of values) if (v > top) top = v;
    return top || 1;
  }
  failure(l) { return this.failed.get(l.up) || this.failed.get(l.down); }
  isDead(l) {
    const f = this.failure(l);
    if (!f || !this.frame) return !!f;
    const now = this.sampled.at[this.frame - 1];
    return f[2] <= now && (f[3] === null || now < f[3]);
  }

  mark(l) {
    if (!this.isDead(l)) return null;
    const f = this.failure(l), several = f[5] > 1 ? f[5] : "";
    return f[1] === "dead" ? { dash: [4, 4], text: `✕${several}` } : { dash: [10, 3], text: `!${several}` };
  }

  /* ---- drawing ---- */

  draw() {
    super.draw();
    if (this.clock) this.clock.textContent = this.frame ? `at ${write("us", this.sampled.at[this.frame - 1])}` : "the whole run";
  }

  drawPath(g) {
    if (this.path) this.drawLit(g, this.path.links.filter(l => l !== this.picked), this.path.known ? [] : [5, 4]);
    super.drawPath(g);
  }

  scaleNotes() {
    return [...this.failureNotes(), this.run.detail.failed === null ? "failures are not known" : "", this.t.of ? "a link stands for all between two groups: means of load and queue, sums of drops and pauses" : ""];
  }

  /* Names the links out of order, for a mark may lie where links cross. */
  failureNotes() {
    const out = this.visible.filter(l => this.isDead(l)), dead = out.filter(l => this.failure(l)[1] === "dead"), other = out.filter(l => this.failure(l)[1] !== "dead");
    const say = (sign, word, links) => links.length ? `${sign} ${word}: ${links.slice(0, 3).map(l => this.t.linkName(l)).join(", ")}${links.length > 3 ? ` and ${links.length - 3} more` : ""}` : "";
    return [say("✕", "failed", dead), say("!", "slowed or lossy", other)];
  }

  /* ---- tables beside it: the busiest links, the slowest flows ---- */

  /* Buttons stay while what they say changes: a click whose button goes before the mouse is up is lost. */
  drawSide() {
    const hottest = this.ranked().slice(0, 8);
    if (this.sideRun !== this.run || this.hot.length !== hottest.length) this.makeSide(hottest.length);
    hottest.forEach((l, i) => {
      const { button, value } = this.hot[i];
      this.hot[i].link = l;
      button.textContent = this.t.linkName(l);
      value.textContent = write(this.unit(), this.value(l));
    });
    for (const { flow, row, button } of this.slow) {
      const picked = !!this.path && this.path.flow === flow;
      row.classList.toggle("picked", picked);
      button.setAttribute("aria-pressed", picked);
    }
    if (!this.said) return;
    const said = this.flowText();
    this.said.replaceWith(said);
    this.said = said;
  }

  makeSide(nLinks) {
    this.sideRun = this.run;
    this.hot = Array.from({ length: nLinks }, () => this.linkRow());
    this.slow = this.slowest().map(f => this.flowRow(f));
    this.said = this.slow.length ? this.flowText() : null;
    const table = (rows, ...head) => element("div", { class: "scroll" }, element("table", {}, ...head, element("tbody", {}, rows.map(r => r.row))));
    const flowHead = element("thead", {}, element("tr", {}, ["", "size", "slowdown"].map(w => element("th", { scope: "col" }, w))));
    const flows = this.said ? [element("h3", {}, "Slowest flows"), table(this.slow, flowHead), this.said] : [];
    this.side.replaceChildren(element("h3", {}, "Busiest links"), table(this.hot), ...flows);
  }

  linkRow() {
    const made = { link: null, button: element("button", { type: "button", onclick: () => this.point(made.link, true) }), value: element("td", {}) };
    made.row = element("tr", {}, element("td", {}, made.button), made.value);
    return made;
  }

  flowRow(f) {
    const button = element("button", { type: "button", "data-flow": f.flow, onclick: () => this.pick(f) }, `flow ${f.flow}`);
    const row = element("tr", {}, element("td", {}, button), element("td", {}, write("bytes", f.bytes)), element("td", {}, f.slowdown === null ? "unfinished" : write("times", f.slowdown)));
    return { flow: f, row, button };
  }

  /* Returns the twelve slowest flows, and others whose paths are known. */
  slowest() {
    const flows = this.run.detail.slowest;
    return flows.slice(0, 12).concat(flows.slice(12).filter(f => f.path));
  }

  flowText() {
    if (!this.path) return element("p", { class: "note" }, "Pick a flow to see its way.");
    const f = this.path.flow, t = this.t;
    /* on real frames nobody counts some of these: null */
    const counts = [[f.timeouts, n => plural(n, "timeout")], [f.retransmitted, n => `${n} retransmitted`], [f.reordered, n => `${n} reordered`]].filter(([n]) => n !== null).map(([n, say]) => say(n));
    const facts = `flow ${f.flow}: ${write("bytes", f.bytes)} from ${f.from || t.names[f.src]} to ${f.to || t.names[f.dst]}, started at ${write("us", f.start_us)}, ${f.fct_us === null ? "not finished" : `took ${write("us", f.fct_us)}, ${write("times", f.slowdown)} the least possible`}${counts.length ? `; ${counts.join(", ")}` : ""}.`;
    const how = this.path.known ? "Its recorded path is drawn." : `Its path was not recorded; the links of all its shortest paths are dashed. To record it: --set 'measure.flow=[${f.flow}]'`;
    return element("p", { class: "note", id: "flow-text" }, facts, element("br"), how);
  }

  pick(f) {
    const t = this.t, byPort = new Map(t.links.flatMap(l => [[l.up, l], [l.down, l]]));
    const again = this.path && this.path.flow === f;
    this.path = again ? null : { flow: f, known: !!f.path, links: f.path ? f.path.map(p => byPort.get(p)).filter(Boolean) : t.shortest(f.src, f.dst) };
    this.pod = null;
    this.picked = null;
    this.controls();
    this.draw();
    const button = this.side.querySelector(`[data-flow="${f.flow}"]`);
    if (button) button.focus();
  }

  /* ---- tooltips ---- */

  linkLines(l) {
    const { t } = this, ways = [[l.up, `${this.t.names[l.a]} to ${this.t.names[l.b]}`], [l.down, `${this.t.names[l.b]} to ${this.t.names[l.a]}`]], f = this.failure(l);
    const lines = [this.t.linkName(l), ...ways.filter(([p]) => p >= 0).map(([p, way]) => `${way}: ${this.portText(p)}`)];
    if (f) lines.push(`${f[5] ? `${f[5]} of ${t.merged[f[0]]} ` : ""}${{ dead: "failed", slow: `slowed to ${write("bps", f[4])}`, lossy: `loses ${write("share", f[4])}` }[f[1]]} from ${write("us", f[2])}${f[3] === null ? " on" : ` to ${write("us", f[3])}`}`);
    return lines;
  }

  portText(p) {
    if (this.frame) return `${write(this.unit(), this.portValue(p))} at ${write("us", this.sampled.at[this.frame - 1])}`;
    return CARRIED.filter(([key]) => this.values[key]).map(([key, name, unit]) => `${name.toLowerCase()} ${write(unit, this.values[key][p])}`).join(", ");
  }

  nodeLines(n) {
    const t = this.t;
    if (n < t.hosts) { const links = t.links.filter(k => k.a === n || k.b === n); return links.length ? links.flatMap(l => this.linkLines(l)) : [t.names[n]]; }
    const size = t.of ? `${plural(t.of[n], "node")} drawn as one, ` : "", values = t.ports[n].map(p => this.portValue(p)), drops = this.values.dropped ? t.ports[n].reduce((s, p) => s + this.values.dropped[p], 0) : 0;
    return [t.names[n], `${size}${plural(t.ports[n].length, t.of ? "neighbour" : "port")}, busiest ${write(this.unit(), Math.max(0, ...values))}, mean ${write(this.unit(), values.reduce((s, v) => s + v, 0) / Math.max(1, values.length))}`, `${Math.round(drops).toLocaleString("en")} drops`];
  }
}
