// SPDX-License-Identifier: Apache-2.0
"use strict";
/* Draws a fabric by tiers: links coloured by a value, marked links dashed, selection by mouse and keys. */

/* ---- colours of load: cold blue to hot orange, darker as values rise, distinct for any colour vision ---- */

const HEAT = { light: [[214, 224, 233], [86, 180, 233], [0, 114, 178], [230, 140, 0], [190, 60, 0]], dark: [[48, 60, 73], [31, 111, 168], [86, 180, 233], [230, 170, 40], [255, 110, 40]] };

function heat(share) {
  const stops = HEAT[theme()], at = Math.min(1, Math.max(0, share)) * (stops.length - 1), i = Math.min(stops.length - 2, Math.floor(at));
  return `rgb(${stops[i].map((v, k) => Math.round(v + (stops[i + 1][k] - v) * (at - i))).join(" ")})`;
}

/* Returns the distance of a point from the line between two others. */
function distanceTo(p, a, b) {
  const dx = b.x - a.x, dy = b.y - a.y, s = Math.min(1, Math.max(0, ((p.x - a.x) * dx + (p.y - a.y) * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(p.x - a.x - s * dx, p.y - a.y - s * dy);
}

/* ---- names ---- */

const NAME_FONT = "10.5px system-ui, sans-serif";

/* Returns what the names of a row have in common from their start on, without a part of a word: "tor-" of tor-a and tor-b, "leaf" of
 * leaf0 and leaf12; of one name its letters without the number. */
function sharedStart(names) {
  if (!names.length) return "";
  let n = 0;
  while (n < names[0].length && names.every(name => name[n] === names[0][n])) n++;
  const start = names[0].slice(0, n), cuts = names.some(name => /^[a-z]{2}/i.test(name.slice(n)) || (n === name.length && names.length > 1));
  if (names.length === 1) return start.replace(/[\d.*]+$/, "");
  return (cuts && /[a-z]$/i.test(start) ? start.replace(/[a-z]+$/i, "") : start).replace(/\d+$/, "");
}

/* ---- the drawing ---- */

/* A subclass sets `t`, a Topology, and provides:
 *  portValue(port)   the value that colours a link (the larger of its two ports'); scaleTop() has the hottest colour
 *  quantity()        the name of the value; valueText(value) writes one
 *  mark(l)           {dash, text} for a link out of order, or null
 *  linkLines(l), nodeLines(n)   the tooltip: a name, then lines
 *  scaleNotes()      notes beside the scale of colours
 *  drawSide()        draws the tables beside it; showPod(pod) is called for a click on a node */
class Drawing {
  constructor() {
    this.canvas = element("canvas", { tabindex: 0, role: "img", onmousemove: e => this.hover(e), onmouseleave: () => this.point(null), onclick: e => this.click(e), onkeydown: e => this.key(e) });
    this.tip = element("div", { class: "tip", hidden: true, role: "status" });
    this.scaleBar = element("div", { class: "scale" });
    this.drawing = element("div", { class: "drawing" }, this.canvas, this.tip, this.scaleBar);
    this.pod = null; /* the pod shown; null: all */
    this.picked = null;
  }

  value(l) { return Math.max(this.portValue(l.up), this.portValue(l.down)); }
  mark() { return null; }
  scaleNotes() { return []; }
  drawSide() {}
  showPod(pod) { this.pod = pod; this.draw(); }

  /* Makes a picker of pods; null if there is one pod only. */
  podPicker() {
    if (this.t.nPods < 2 || this.t.top < 2) return null;
    return picker("Show", [["", "all of it"], ...Array.from({ length: this.t.nPods }, (_, i) => [i, this.podName(i)])], this.pod ?? "", v => { this.pod = v === "" ? null : Number(v); this.draw(); });
  }

  podName(pod) {
    const leaf = this.t.names.find((_, n) => this.t.pod[n] === pod && this.t.tier[n] === 1);
    return leaf ? (this.t.top > 2 ? `pod of ${leaf}` : leaf) : `part ${pod + 1}`;
  }

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
    this.drawScale();
    this.drawSide();
    this.canvas.setAttribute("aria-label", `Fabric of ${this.t.count(0, this.t.hosts)} hosts and ${this.t.count(this.t.hosts, this.t.n)} switches, ${this.t.links.length} links, coloured by ${this.quantity()}`);
  }

  line(g, l) {
    const a = this.place.at[l.a], b = this.place.at[l.b];
    g.beginPath();
    g.moveTo(a.x, a.y);
    if (this.t.tier[l.a] === this.t.tier[l.b]) g.quadraticCurveTo((a.x + b.x) / 2, a.y - Math.min(60, 12 + Math.abs(b.x - a.x) / 6), b.x, b.y);
    else g.lineTo(b.x, b.y);
    g.stroke();
  }

  /* Links of hosts drawn as small cells are grey: the cell has the colour. */
  isLine(l) { return l.a >= this.t.hosts || this.place.cells.named; }

  /* Draws the busiest links last, on top; among many links the idle ones fade. */
  drawLinks(g) {
    const lines = this.visible.filter(l => this.isLine(l)), many = Math.min(1, 500 / lines.length), least = lines.length < 80 ? 2 : 1;
    lines.sort((p, q) => this.value(p) - this.value(q));
    for (const l of lines) {
      const share = Math.min(1, this.value(l) / this.top);
      g.strokeStyle = heat(share);
      g.globalAlpha = many < 1 ? Math.min(1, many + (1 - many) * share ** 1.5) : 1;
      g.lineWidth = Math.max(0.7, (least + 2.2 * share) * Math.max(0.45, Math.sqrt(many)));
      this.line(g, l);
    }
    g.globalAlpha = 1;
    for (const l of this.visible) if (!this.isLine(l) && this.place.cells.w > 6) {
      const a = this.place.at[l.a], b = this.place.at[l.b];
      g.strokeStyle = css("--grid");
      g.lineWidth = 1;
      g.beginPath();
      g.moveTo(b.x, b.y);
      g.lineTo(a.x, this.place.cells.top - 2);
      g.stroke();
    }
    for (const l of this.visible) {
      const mark = this.mark(l);
      if (mark) this.drawMark(g, l, mark);
    }
  }

  /* Returns the place on a link for its mark: the one farthest from the links that it crosses, the middle if it crosses none. */
  markPlace(l) {
    const at = this.place.at, a = at[l.a], b = at[l.b], on = s => ({ x: a.x + s * (b.x - a.x), y: a.y + s * (b.y - a.y) });
    const crossing = this.visible.filter(k => k !== l && this.isLine(k) && this.t.tier[k.a] === this.t.tier[l.a] && this.t.tier[k.b] === this.t.tier[l.b]);
    const room = s => Math.min(90, ...crossing.map(k => distanceTo(on(s), at[k.a], at[k.b])));
    let best = 0.5;
    for (const s of [0.4, 0.6, 0.3, 0.7, 0.22, 0.78]) if (room(s) > room(best) + 1) best = s;
    return on(best);
  }

  /* Draws a link out of order over all others, apart from the links that it crosses: dashed, on a line in the ground's colour. */
  drawMark(g, l, mark) {
    const { x, y } = this.markPlace(l);
    g.strokeStyle = css("--card");
    g.lineWidth = 7;
    this.line(g, l);
    g.strokeStyle = g.fillStyle = css("--text"); /* no colour of a load */
    g.lineWidth = 2.2;
    g.setLineDash(mark.dash);
    this.line(g, l);
    g.setLineDash([]);
    g.font = "bold 15px system-ui, sans-serif";
    g.textAlign = "center";
    g.textBaseline = "middle";
    g.lineWidth = 3;
    g.strokeStyle = css("--card");
    g.strokeText(mark.text, x, y);
    g.fillText(mark.text, x, y);
  }

  drawPath(g) { if (this.picked) this.drawLit(g, [this.picked], []); }

  drawLit(g, links, dash) {
    for (const l of links) {
      if (!this.place.at[l.a] || !this.place.at[l.b]) continue;
      g.setLineDash(dash);
      for (const [stroke, w] of [[css("--card"), 7], [css("--text"), 3.4]]) {
        g.strokeStyle = stroke;
        g.lineWidth = w;
        this.line(g, l);
      }
      g.setLineDash([]);
    }
  }

  drawNodes(g) {
    const { at, rows, cells, step } = this.place, t = this.t;
    g.textAlign = "center";
    g.textBaseline = "middle";
    const hosts = cells.named ? this.boxWidth(g, rows[0], cells.room) : cells.w;
    this.boxes = [{ w: hosts, h: cells.h }];
    for (const h of rows[0]) {
      if (!at[h]) continue;
      if (cells.named) this.drawBox(g, h, hosts, cells.h, sharedStart(rows[0].map(n => t.names[n])));
      else this.drawCell(g, h, cells);
    }
    for (let tier = 1; tier <= t.top; tier++) {
      const row = rows[tier], space = tier === 1 ? step : Math.min(...row.slice(1).map((n, i) => at[n].x - at[row[i]].x), 999);
      const w = Math.max(2.5, this.boxWidth(g, row, space - 3)), h = w < 8 ? 7 : 18, start = sharedStart(row.map(n => t.names[n]));
      this.boxes[tier] = { w: Math.max(28, w), h: 20 };
      for (const n of row) this.drawBox(g, n, w, h, start);
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
    g.font = "11px system-ui, sans-serif";
    g.textAlign = "left";
    if (rows[0].length) g.fillText(`${plural(rows[0].reduce((sum, n) => sum + this.t.count(n, n + 1), 0), "host")}${this.t.of ? ", a square for each group" : ""}`, 4, this.place.height - 9);
    g.textAlign = "center";
  }

  /* Returns the width of a row's boxes: that of its longest name, as far as there is room. */
  boxWidth(g, row, room) {
    g.font = NAME_FONT;
    return Math.min(room, Math.max(54, ...row.map(n => Math.ceil(g.measureText(this.t.names[n]).width) + 8)));
  }

  drawBox(g, n, w, h, start) {
    const at = this.place.at[n];
    g.fillStyle = css("--soft");
    g.strokeStyle = css("--dim");
    g.lineWidth = 1;
    g.beginPath();
    g.rect(at.x - w / 2, at.y - h / 2, w, h);
    g.fill();
    if (w >= 5) g.stroke();
    this.label(g, this.t.names[n], at, w, start);
  }

  /* Draws a host in the colour of its link. */
  drawCell(g, h, cells) {
    const at = this.place.at[h], ports = this.t.ports[h];
    g.fillStyle = ports.length ? heat(this.value({ up: ports[0], down: this.backOf(ports[0]) }) / this.top) : css("--line");
    g.fillRect(at.x - cells.w / 2, at.y - cells.h / 2, cells.w, cells.h);
  }

  tierName(tier, row) {
    const word = sharedStart(row.map(n => this.t.names[n])).replace(/[\d.*_-]+$/, "") || (row.length === 1 ? this.t.names[row[0]] : "switches");
    return this.t.of ? `${row.reduce((sum, n) => sum + this.t.of[n], 0)} × ${word} in ${plural(row.length, "group")}` : `${row.length} × ${word}`;
  }

  /* Writes a name into its box; where that is too narrow, what tells it from the others of its row, or as much as there is room for. */
  label(g, name, at, w, start) {
    g.font = NAME_FONT;
    g.fillStyle = css("--text");
    const fits = text => text && g.measureText(text).width + 3 <= w, digits = (/[\d.*]+$/.exec(name) || [""])[0], own = name.slice(start.length);
    const text = [name, digits, own].find(fits) || this.cut(name, fits);
    if (text) g.fillText(text, at.x, at.y);
  }

  /* Returns the most of a name that fits with an ellipsis, at least two letters; "": none. */
  cut(name, fits) {
    for (let n = name.length - 1; n >= 2; n--) if (fits(`${name.slice(0, n)}…`)) return `${name.slice(0, n)}…`;
    return "";
  }

  drawScale() {
    const bar = element("canvas", { width: 180, height: 10, "aria-hidden": "true" }), g = bar.getContext("2d");
    for (let i = 0; i < 180; i++) {
      g.fillStyle = heat(i / 179);
      g.fillRect(i, 0, 1, 10);
    }
    this.scaleBar.replaceChildren(element("span", {}, "0"), bar, ...[this.valueText(this.top), this.quantity(), ...this.scaleNotes()].map(text => element("span", {}, text)));
  }

  ranked() { return [...this.visible].sort((p, q) => this.value(q) - this.value(p)); }

  /* ---- pointing ---- */

  backOf(port) {
    if (!this.t.back) this.t.back = new Map(this.t.links.flatMap(l => [[l.up, l.down], [l.down, l.up]]));
    return this.t.back.get(port) ?? -1;
  }

  nodeAt(x, y) {
    const { at, rows } = this.place;
    for (let tier = 0; tier < rows.length; tier++)
      for (const n of rows[tier]) {
        const { w, h } = this.boxes[tier];
        if (at[n] && Math.abs(x - at[n].x) <= (w + 1) / 2 && Math.abs(y - at[n].y) <= (h + 1) / 2) return n;
      }
    return -1;
  }

  linkAt(x, y) {
    let best = null, least = 7;
    for (const l of this.visible) {
      if (!this.isLine(l)) continue;
      const d = distanceTo({ x, y }, this.place.at[l.a], this.place.at[l.b]);
      if (d < least) { least = d; best = l; }
    }
    return best;
  }

  hover(e) {
    const box = this.canvas.getBoundingClientRect();
    this.pointer = { x: e.clientX - box.left, y: e.clientY - box.top };
    this.tellAt(this.pointer.x, this.pointer.y);
  }

  tellAt(x, y) {
    const n = this.nodeAt(x, y);
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
      this.showPod(this.pod === null ? this.t.pod[n] : null);
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

  /* Highlights a link and shows its numbers; null: none. */
  point(l, keep) {
    this.tip.hidden = !l;
    if (!l && !this.picked) return;
    this.picked = keep ? l : null;
    this.draw();
    if (!l) return;
    const a = this.place.at[l.a], b = this.place.at[l.b];
    this.tell(this.linkLines(l), (a.x + b.x) / 2, (a.y + b.y) / 2);
  }

  tell(lines, x, y) {
    this.tip.replaceChildren(element("b", {}, lines[0]), ...lines.slice(1).map(line => element("div", {}, line)));
    this.tip.hidden = false;
    const width = this.drawing.clientWidth, w = this.tip.offsetWidth;
    this.tip.style.left = `${Math.max(4, Math.min(width - w - 6, x + 18))}px`;
    this.tip.style.top = `${y + 20}px`;
  }
}
