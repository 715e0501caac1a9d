// SPDX-License-Identifier: Apache-2.0
"use strict";
/* The fabric of a run by tiers: links coloured by what they carried, failed ones marked, a slider through the samples. */

/* ---- colours of load: cold blue to hot orange, told apart by any colour vision, and darker as they rise ---- */

const HEAT = { light: [[214, 224, 233], [86, 180, 233], [0, 114, 178], [230, 140, 0], [190, 60, 0]], dark: [[48, 60, 73], [31, 111, 168], [86, 180, 233], [230, 170, 40], [255, 110, 40]] };

function heat(share) {
  const stops = HEAT[theme()], at = Math.min(1, Math.max(0, share)) * (stops.length - 1), i = Math.min(stops.length - 2, Math.floor(at));
  return `rgb(${stops[i].map((v, k) => Math.round(v + (stops[i + 1][k] - v) * (at - i))).join(" ")})`;
}

const CARRIED = [["utilisation", "Load", "share", "link"], ["queue_max", "Largest queue", "bytes", "queue"], ["queue_mean", "Mean queue", "bytes", "queue"],
  ["paused_us", "Time paused", "us", "pause"], ["dropped", "Drops", "count", null]];

/* ---- the section ---- */

class Fabric {
  constructor(x) {
    this.x = x;
    this.runs = x.runs.filter(r => r.detail && x.data.topologies[r.detail.load.topology] && r.detail.load.utilisation);
    if (!this.runs.length) return;
    this.canvas = element("canvas", { tabindex: 0, role: "img", onmousemove: e => this.hover(e), onmouseleave: () => this.point(null), onclick: e => this.click(e), onkeydown: e => this.key(e) });
    this.tip = element("div", { class: "tip", hidden: true, role: "status" });
    this.drawing = element("div", { class: "drawing" }, this.canvas, this.tip);
    this.scaleBar = element("div", { class: "scale" });
    this.drawing.append(this.scaleBar);
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

  /* The samples that the chosen quantity has. */
  frames() {
    const kind = (CARRIED.find(c => c[0] === this.what) || [])[3], f = kind && (this.run.detail.series.frames || {})[kind];
    this.sampled = f ? { at: f.at_us, values: unpackScaled(f.values, 8) } : null;
    if (!this.sampled) this.frame = 0;
  }

  controls() {
    const picks = [runPicker(this.x, this.runs, this.run, run => { this.stop(); this.take(run); this.draw(); }),
      picker("Colour by", CARRIED.filter(c => this.values[c[0]]).map(c => [c[0], c[1]]), this.what, v => { this.what = v; this.frames(); this.controls(); this.draw(); })];
    if (this.t.nPods > 1 && this.t.top > 1)
      picks.push(picker("Show", [["", "all of it"], ...Array.from({ length: this.t.nPods }, (_, i) => [i, this.podName(i)])], this.pod ?? "", v => { this.pod = v === "" ? null : Number(v); this.draw(); }));
    if (this.sampled) picks.push(this.slider());
    this.controlsRow.replaceChildren(...picks);
  }

  podName(pod) {
    const leaf = this.t.names.find((_, n) => this.t.pod[n] === pod && this.t.tier[n] === 1);
    return leaf ? (this.t.top > 2 ? `pod of ${leaf}` : leaf) : `part ${pod + 1}`;
  }

  slider() {
    this.range = element("input", { type: "range", min: 0, max: this.sampled.at.length, value: this.frame, "aria-label": "time", oninput: () => { this.frame = Number(this.range.value); this.draw(); } });
    this.clock = element("output", {});
    this.play = element("button", { type: "button", onclick: () => this.timer ? this.stop() : this.start() }, "Play");
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
  value(l) { return Math.max(this.portValue(l.up), this.portValue(l.down)); }
  unit() { return CARRIED.find(c => c[0] === this.what)[2]; }
  scaleTop() {
    const values = this.frame || !this.values[this.what] ? this.sampled.values : this.values[this.what];
    let top = 0;
    for (const v of values) if (v > top) top = v;
    return this.what === "utilisation" ? Math.max(top, 0.01) : top || 1;
  }
  failure(l) { return this.failed.get(l.up) || this.failed.get(l.down); }
  isDead(l) {
    const f = this.failure(l);
    if (!f || !this.frame) return !!f;
    const now = this.sampled.at[this.frame - 1];
    return f[2] <= now && (f[3] === null || now < f[3]);
  }

  /* ---- drawing ---- */

  draw() {
    const width = Math.max(320, this.drawing.clientWidth - 18), ratio = window.devicePixelRatio || 1;
    this.place = placesOf(this.t, width, this.pod);
    this.canvas.style.height = `${this.place.height}px`;
    this.canvas.width = width * ratio;
    this.canvas.height = this.place.height * ratio;
    this.top = this.scaleTop();
    const g = this.canvas.getContext("2d");
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.visible = this.t.links.filter(l => this.place.at[l.a] && this.place.at[l.b]);
    this.drawLinks(g);
    this.drawPath(g);
    this.drawNodes(g);
    if (this.clock) this.clock.textContent = this.frame ? `at ${write("us", this.sampled.at[this.frame - 1])}` : "the whole run";
    this.drawScale();
    this.drawSide();
    this.canvas.setAttribute("aria-label", `Fabric of ${this.t.count(0, this.t.hosts)} hosts and ${this.t.count(this.t.hosts, this.t.n)} switches, ${this.t.links.length} links, coloured by ${this.what}`);
  }

  line(g, l) {
    const a = this.place.at[l.a], b = this.place.at[l.b];
    g.beginPath();
    g.moveTo(a.x, a.y);
    if (this.t.tier[l.a] === this.t.tier[l.b]) g.quadraticCurveTo((a.x + b.x) / 2, a.y - Math.min(60, 12 + Math.abs(b.x - a.x) / 6), b.x, b.y);
    else g.lineTo(b.x, b.y);
    g.stroke();
  }

  /* The busiest last, on top; where there are many the idle ones fade. */
  drawLinks(g) {
    const switches = this.visible.filter(l => l.a >= this.t.hosts), many = Math.min(1, 500 / switches.length);
    switches.sort((p, q) => this.value(p) - this.value(q));
    for (const l of switches) {
      const share = this.value(l) / this.top;
      g.strokeStyle = heat(share);
      g.globalAlpha = many < 1 ? Math.min(1, many + (1 - many) * share ** 1.5) : 1;
      g.lineWidth = Math.max(0.7, (1 + 2.2 * share) * Math.max(0.45, Math.sqrt(many)));
      this.line(g, l);
    }
    g.globalAlpha = 1;
    for (const l of this.visible) if (l.a < this.t.hosts && this.place.cells.w > 6) {
      const a = this.place.at[l.a], b = this.place.at[l.b];
      g.strokeStyle = css("--grid");
      g.lineWidth = 1;
      g.beginPath();
      g.moveTo(b.x, b.y);
      g.lineTo(a.x, this.place.cells.top - 2);
      g.stroke();
    }
    for (const l of this.visible) if (this.isDead(l)) this.drawFailed(g, l);
  }

  drawFailed(g, l) {
    const a = this.place.at[l.a], b = this.place.at[l.b], x = (a.x + b.x) / 2, y = (a.y + b.y) / 2, dead = this.failure(l)[1] === "dead";
    g.strokeStyle = g.fillStyle = css("--text");
    g.lineWidth = 1.6;
    g.setLineDash(dead ? [4, 4] : [10, 3]);
    this.line(g, l);
    g.setLineDash([]);
    g.font = "bold 15px system-ui, sans-serif";
    g.textAlign = "center";
    g.textBaseline = "middle";
    g.lineWidth = 3;
    g.strokeStyle = css("--card");
    const several = this.failure(l)[5] > 1 ? this.failure(l)[5] : "", mark = `${dead ? "✕" : "!"}${several}`;
    g.strokeText(mark, x, y);
    g.fillText(mark, x, y);
  }

  drawPath(g) {
    const lit = [...(this.path ? this.path.links : []), ...(this.picked ? [this.picked] : [])];
    for (const l of lit) {
      if (!this.place.at[l.a] || !this.place.at[l.b]) continue;
      for (const [stroke, w] of [[css("--card"), 7], [css("--text"), 3.4]]) {
        g.strokeStyle = stroke;
        g.lineWidth = w;
        g.setLineDash(this.path && !this.path.known && l !== this.picked ? [5, 4] : []);
        this.line(g, l);
      }
      g.setLineDash([]);
    }
  }

  drawNodes(g) {
    const { at, rows, cells, step } = this.place, t = this.t;
    for (const h of rows[0]) {
      if (!at[h]) continue;
      const l = t.ports[h].length ? { up: t.ports[h][0], down: this.backOf(t.ports[h][0]) } : null;
      g.fillStyle = l ? heat(this.value(l) / this.top) : css("--line");
      g.fillRect(at[h].x - cells.w / 2, at[h].y - cells.h / 2, cells.w, cells.h);
    }
    g.textAlign = "center";
    g.textBaseline = "middle";
    for (let tier = 1; tier <= t.top; tier++) {
      const row = rows[tier], space = tier === 1 ? step : Math.min(...row.slice(1).map((n, i) => at[n].x - at[row[i]].x), 999);
      const w = Math.max(2.5, Math.min(54, space - 3)), h = w < 8 ? 7 : 18;
      for (const n of row) {
        g.fillStyle = css("--soft");
        g.strokeStyle = css("--dim");
        g.lineWidth = 1;
        g.beginPath();
        g.rect(at[n].x - w / 2, at[n].y - h / 2, w, h);
        g.fill();
        if (w >= 5) g.stroke();
        this.label(g, t.names[n], at[n], w);
      }
      g.fillStyle = css("--dim");
      g.font = "11px system-ui, sans-serif";
      g.textAlign = "left";
      g.lineWidth = 3;
      g.strokeStyle = css("--card");
      g.strokeText(this.tierName(tier, row), 4, at[row[0]].y - 22);
      g.fillText(this.tierName(tier, row), 4, at[row[0]].y - 22);
      g.textAlign = "center";
    }
    g.fillStyle = css("--dim");
    g.textAlign = "left";
    if (rows[0].length) g.fillText(`${plural(rows[0].reduce((sum, n) => sum + this.t.count(n, n + 1), 0), "host")}${this.t.of ? ", a square for each group" : ""}`, 4, this.place.height - 9);
    g.textAlign = "center";
  }

  tierName(tier, row) {
    const word = this.t.names[row[0]].replace(/[\d.*]+$/, "");
    return this.t.of ? `${row.reduce((sum, n) => sum + this.t.of[n], 0)} × ${word} in ${plural(row.length, "group")}` : `${row.length} × ${word}`;
  }

  label(g, name, at, w) {
    g.font = "10.5px system-ui, sans-serif";
    g.fillStyle = css("--text");
    if (g.measureText(name).width + 4 <= w) { g.fillText(name, at.x, at.y); return; }
    const short = (/[\d.*]+$/.exec(name) || [""])[0];
    if (short && g.measureText(short).width + 3 <= w) g.fillText(short, at.x, at.y);
  }

  drawScale() {
    const bar = element("canvas", { width: 180, height: 10, "aria-hidden": "true" }), g = bar.getContext("2d");
    for (let i = 0; i < 180; i++) {
      g.fillStyle = heat(i / 179);
      g.fillRect(i, 0, 1, 10);
    }
    const marks = this.visible.some(l => this.isDead(l)) ? "✕ failed, ! slowed or lossy" : this.run.detail.failed === null ? "failures are not known" : "";
    const meant = this.t.of ? "a link stands for all between two groups: means of load and queue, sums of drops and pauses" : "";
    this.scaleBar.replaceChildren(element("span", {}, "0"), bar, element("span", {}, write(this.unit(), this.top)), element("span", {}, CARRIED.find(c => c[0] === this.what)[1].toLowerCase()), element("span", {}, marks), element("span", {}, meant));
  }

  /* ---- beside it: the busiest links, the slowest flows ---- */

  drawSide() {
    const hottest = this.ranked().slice(0, 8);
    const rows = hottest.map(l => element("tr", {}, element("td", {}, element("button", { type: "button", onclick: () => this.point(l, true) }, this.t.linkName(l))), element("td", {}, write(this.unit(), this.value(l)))));
    this.side.replaceChildren(element("h3", {}, "Busiest links"), element("div", { class: "scroll" }, element("table", {}, element("tbody", {}, rows))), ...this.slowest());
  }

  ranked() { return [...this.visible].sort((p, q) => this.value(q) - this.value(p)); }

  slowest() {
    const flows = this.run.detail.slowest;
    if (!flows.length) return [];
    const rows = flows.slice(0, 12).concat(flows.slice(12).filter(f => f.path)).map(f => element("tr", { class: this.path && this.path.flow === f ? "picked" : null },
      element("td", {}, element("button", { type: "button", "aria-pressed": !!(this.path && this.path.flow === f), "data-flow": f.flow, onclick: () => this.pick(f) }, `flow ${f.flow}`)),
      element("td", {}, write("bytes", f.bytes)), element("td", {}, f.slowdown === null ? "unfinished" : write("times", f.slowdown))));
    const head = element("tr", {}, ["", "size", "slowdown"].map(w => element("th", { scope: "col" }, w)));
    return [element("h3", {}, "Slowest flows"), element("div", { class: "scroll" }, element("table", {}, element("thead", {}, head), element("tbody", {}, rows))), this.flowText()];
  }

  flowText() {
    if (!this.path) return element("p", { class: "note" }, "Pick a flow to see its way.");
    const f = this.path.flow, t = this.t;
    const facts = `flow ${f.flow}: ${write("bytes", f.bytes)} from ${f.from || t.names[f.src]} to ${f.to || t.names[f.dst]}, started at ${write("us", f.start_us)}, ${f.fct_us === null ? "not finished" : `took ${write("us", f.fct_us)}, ${write("times", f.slowdown)} the least possible`}; ${plural(f.timeouts, "timeout")}, ${f.retransmitted} retransmitted, ${f.reordered} reordered.`;
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

  /* ---- pointing ---- */

  backOf(port) {
    if (!this.t.back) this.t.back = new Map(this.t.links.flatMap(l => [[l.up, l.down], [l.down, l.up]]));
    return this.t.back.get(port) ?? -1;
  }

  nodeAt(x, y) {
    const { at, rows, cells } = this.place;
    for (let tier = 0; tier < rows.length; tier++)
      for (const n of rows[tier]) {
        if (!at[n]) continue;
        const w = tier ? 14 : cells.w / 2 + 0.5, h = tier ? 10 : cells.h / 2 + 0.5;
        if (Math.abs(x - at[n].x) <= w && Math.abs(y - at[n].y) <= h) return n;
      }
    return -1;
  }

  linkAt(x, y) {
    let best = null, least = 7;
    for (const l of this.visible) {
      if (l.a < this.t.hosts) continue;
      const a = this.place.at[l.a], b = this.place.at[l.b], dx = b.x - a.x, dy = b.y - a.y;
      const s = Math.min(1, Math.max(0, ((x - a.x) * dx + (y - a.y) * dy) / (dx * dx + dy * dy || 1)));
      const d = Math.hypot(x - a.x - s * dx, y - a.y - s * dy);
      if (d < least) { least = d; best = l; }
    }
    return best;
  }

  hover(e) {
    const box = this.canvas.getBoundingClientRect(), x = e.clientX - box.left, y = e.clientY - box.top, n = this.nodeAt(x, y);
    if (n >= 0) this.tell(this.nodeLines(n), x, y);
    else {
      const l = this.linkAt(x, y);
      if (l) this.tell(this.linkLines(l), x, y);
      else this.tip.hidden = true;
    }
  }

  click(e) {
    const box = this.canvas.getBoundingClientRect(), n = this.nodeAt(e.clientX - box.left, e.clientY - box.top);
    if (this.t.nPods > 1 && this.t.top > 1 && n >= 0 && this.t.pod[n] >= 0) {
      this.pod = this.pod === null ? this.t.pod[n] : null;
      this.controls();
      this.draw();
    }
  }

  key(e) {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[e.key];
    if (e.key === "Escape") { this.point(null); return; }
    if (!step) return;
    e.preventDefault();
    const ranked = this.ranked(), now = this.picked ? ranked.indexOf(this.picked) : -1;
    this.point(ranked[Math.min(ranked.length - 1, Math.max(0, now + step))], true);
  }

  /* Marks a link and tells its numbers; null: nothing. */
  point(l, keep) {
    this.tip.hidden = !l;
    if (!l && !this.picked) return;
    this.picked = keep ? l : null;
    this.draw();
    if (!l) return;
    const a = this.place.at[l.a], b = this.place.at[l.b];
    this.tell(this.linkLines(l), (a.x + b.x) / 2, (a.y + b.y) / 2);
  }

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
    if (n < t.hosts) { const l = t.links.find(k => k.a === n || k.b === n); return l ? this.linkLines(l) : [t.names[n]]; }
    const size = t.of ? `${plural(t.of[n], "node")} drawn as one, ` : "", values = t.ports[n].map(p => this.portValue(p)), drops = this.values.dropped ? t.ports[n].reduce((s, p) => s + this.values.dropped[p], 0) : 0;
    return [t.names[n], `${size}${plural(t.ports[n].length, t.of ? "neighbour" : "port")}, busiest ${write(this.unit(), Math.max(0, ...values))}, mean ${write(this.unit(), values.reduce((s, v) => s + v, 0) / Math.max(1, values.length))}`, `${Math.round(drops).toLocaleString("en")} drops`];
  }

  tell(lines, x, y) {
    this.tip.replaceChildren(element("b", {}, lines[0]), ...lines.slice(1).map(line => element("div", {}, line)));
    this.tip.hidden = false;
    const width = this.drawing.clientWidth, w = this.tip.offsetWidth;
    this.tip.style.left = `${Math.max(4, Math.min(width - w - 6, x + 18))}px`;
    this.tip.style.top = `${y + 20}px`;
  }
}
