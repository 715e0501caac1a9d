// SPDX-License-Identifier: Apache-2.0
"use strict";
/* The live page of a lab: its fabric, coloured by load, and a table of its links, updated each second. */

const EVERY_MS = 1000, PATIENCE_MS = 8000, ROWS_MAX = 300;

const bps = x => missing(x) ? "–" : WRITE["Mbit/s"](x / 1e6);
const loadText = x => missing(x) ? "–" : `${(100 * x).toFixed(1)} %`;
const countText = x => missing(x) ? "–" : write("count", x);
const queueText = x => missing(x) ? "–" : write("bytes", x);

/* ---- the drawing ---- */

/* Makes a Topology of /status.json. Link i has the ports 2i and 2i + 1, for its first and second end. */
function topologyOfLab(status) {
  const place = new Map(status.nodes.map((n, i) => [n.name, i])), seen = new Map();
  const t = { names: status.nodes.map(n => n.name), hosts: status.nodes.filter(n => n.tier === 0).length, node: [], neighbour: [], parallel: [], linkTier: null, of: null, merged: null };
  for (const l of status.links) {
    const [a, b] = l.ends.map(name => place.get(name)), pair = `${Math.min(a, b)},${Math.max(a, b)}`, parallel = seen.get(pair) || 0;
    seen.set(pair, parallel + 1);
    t.node.push(a, b);
    t.neighbour.push(b, a);
    t.parallel.push(parallel, parallel);
  }
  return new Topology(t);
}

class LiveFabric extends Drawing {
  constructor(status) {
    super();
    this.t = topologyOfLab(status);
    this.nodes = status.nodes;
    this.status = status;
  }

  link(l) { return this.status.links[l.up >> 1]; }
  way(port) { return port < 0 ? {} : (this.status.links[port >> 1].ways || [])[port & 1] || {}; }
  portValue(port) { return this.way(port).load || 0; }
  scaleTop() { return 1; }
  quantity() { return "load"; }
  valueText(v) { return write("share", v); }
  mark(l) { return this.link(l).up === false ? { dash: [4, 4], text: "✕" } : null; }
  scaleNotes() { return this.visible.some(l => this.mark(l)) ? ["✕ down"] : []; }

  linkLines(l) {
    const link = this.link(l), ways = [[l.up, l.a, l.b], [l.down, l.b, l.a]].map(([port, from, to]) => `${this.t.names[from]} to ${this.t.names[to]}: ${this.wayText(this.way(port), link.rate_bps)}`);
    return [link.name + (link.up === false ? " is down" : ""), ...ways];
  }

  wayText(way, rate) {
    const load = missing(way.load) ? "not known" : `${loadText(way.load)} of ${bps(rate)}`;
    return missing(way.queue_bytes) ? `load ${load}` : `load ${load}, queue ${queueText(way.queue_bytes)}, ${plural(way.drops, "drop")}, ${plural(way.pauses, "pause")}`;
  }

  nodeLines(n) {
    const node = this.nodes[n], name = node.address ? `${node.name}, ${node.address}` : node.name;
    const links = this.t.links.filter(l => l.a === n || l.b === n);
    if (n < this.t.hosts && links.length) return [name, ...this.linkLines(links[0]).slice(1)];
    const loads = links.map(l => this.value(l)), down = links.filter(l => this.mark(l)).length;
    return [name, `${plural(links.length, "link")}${down ? `, ${down} down` : ""}, busiest ${loadText(Math.max(0, ...loads))}`];
  }

  /* Redraws with new numbers, also the tooltip; screen readers do not get it again each second. */
  refresh(status) {
    this.status = status;
    this.tip.setAttribute("aria-live", "off");
    this.draw();
    if (this.picked) this.point(this.picked, true);
    else if (!this.tip.hidden && this.pointer) this.tellAt(this.pointer.x, this.pointer.y);
    this.tip.setAttribute("aria-live", "polite");
  }
}

/* ---- tables: rows stay, their texts change ---- */

/* cells(item) returns [text, class] by column; the first column heads the row. `extra(row, item)` updates attributes of
 * the row. */
class Rows {
  constructor(caption, columns, cells, extra) {
    this.cells = cells;
    this.extra = extra;
    this.rows = [];
    this.body = element("tbody");
    this.table = element("table", {}, element("caption", { class: "hidden" }, caption), element("thead", {}, element("tr", {}, columns.map(c => element("th", { scope: "col", class: c === "address" ? "left" : null }, c)))), this.body);
  }

  fill(items) {
    while (this.rows.length < items.length) this.rows.push(this.body.appendChild(element("tr")));
    while (this.rows.length > items.length) this.rows.pop().remove();
    items.forEach((item, i) => this.row(this.rows[i], item));
  }

  row(row, item) {
    const cells = this.cells(item);
    if (!row.children.length) row.append(...cells.map((_, k) => k ? element("td") : element("th", { scope: "row" }, element("span", { class: "chip", "aria-hidden": "true" }), element("span"))));
    cells.forEach(([text, kind], k) => {
      const cell = row.children[k], of = k ? cell : cell.lastChild;
      if (of.textContent !== text) of.textContent = text;
      cell.className = kind || "";
    });
    if (this.extra) this.extra(row, item);
  }
}

/* ---- the page ---- */

class Live {
  constructor() {
    this.before = new Map(); /* drops by link, of the previous status */
    this.said = null;        /* the last status that switches answered, with its time */
    this.saidAt = 0;
    this.head = element("div", {}, element("h1", {}, "heddle lab"), element("p", { class: "dim" }));
    this.line = element("p", { id: "line", role: "status" });
    this.age = element("p", { id: "age", class: "dim" });
    this.down = element("p", { id: "down", role: "status" });
    document.getElementById("top").append(this.head, themes.button());
    document.getElementById("page").replaceChildren(element("div", { id: "state" }, this.line, this.age, this.down));
  }

  /* Builds the page anew if another lab has taken the name. */
  build(status) {
    const key = JSON.stringify([status.nodes, status.links.map(l => l.ends)]);
    if (this.key === key) return;
    this.key = key;
    this.fabric = new LiveFabric(status);
    this.links = new Rows("Links, the busiest first", ["link", "load", "queue", "drops", "pauses"], l => this.linkCells(l), (row, l) => this.linkRow(row, l));
    this.hosts = new Rows("Hosts", ["host", "address", "sends", "receives"], h => this.hostCells(h), (row, h) => this.hostRow(row, h));
    this.more = element("p", { class: "note" });
    this.box = element("div", { class: "fabric" }, this.fabric.drawing, element("div", { class: "side" }, element("h3", {}, "Links by load"), element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Links by load" }, this.links.table), this.more));
    const note = "Links are coloured by their busier direction. Point at a link or a node for its numbers, or focus the drawing and step through the links from the busiest with the arrow keys.";
    this.hostsSection = section("hosts", "Hosts", element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Hosts" }, this.hosts.table));
    for (const id of ["fabric", "hosts"]) document.getElementById(id)?.remove();
    document.getElementById("page").append(section("fabric", "The fabric", element("p", { class: "note" }, note), element("div", { class: "controls" }, this.fabric.podPicker()), this.box), this.hostsSection);
  }

  /* ---- contents of rows ---- */

  linkCells(l) {
    const rising = this.before.has(l.name) && l.drops > this.before.get(l.name);
    return [[l.name], [l.up === false ? "down" : loadText(l.load)], [queueText(l.queue_bytes)], [countText(l.drops), rising ? "rising" : ""], [countText(l.pauses)]];
  }

  linkRow(row, l) {
    row.className = l.up === false ? "down" : "";
    row.dataset.link = l.name;
    row.dataset.load = missing(l.load) ? "" : l.load;
    this.chip(row, l);
  }

  hostRow(row, { link }) {
    row.className = link && link.up === false ? "down" : "";
    this.chip(row, link);
  }

  chip(row, l) {
    const chip = row.firstChild.firstChild;
    chip.className = l && l.up === false ? "chip down" : "chip";
    chip.style.background = l && l.up !== false && !missing(l.load) ? heat(l.load) : "none";
  }

  hostCells({ name, address, link }) {
    const way = from => link && (link.ways || []).find(w => (w.from === name) === from) || {};
    return [[name], [address, "left"], ...[true, false].map(out => [link && link.up === false ? "down" : loadText(way(out).load)])];
  }

  /* ---- each second ---- */

  /* Takes a status that the switches answered. */
  take(status) {
    this.said = status;
    this.saidAt = performance.now();
    this.build(status);
    this.show(status);
    this.before = new Map(status.links.map(l => [l.name, l.drops]));
    this.headline(status);
  }

  show(status) {
    const byHost = new Map(status.links.flatMap(l => l.ends.map(end => [end, l]))), sorted = [...status.links].sort((p, q) => (q.load || 0) - (p.load || 0));
    this.fabric.refresh(status);
    this.links.fill(sorted.slice(0, ROWS_MAX));
    this.more.textContent = sorted.length > ROWS_MAX ? `The ${ROWS_MAX} busiest of ${sorted.length}.` : "";
    this.hosts.fill(status.hosts.map(h => ({ ...h, link: byHost.get(h.name) })));
  }

  headline(status) {
    const switches = status.nodes.length - status.hosts.length, facts = [status.fabric, `${switches} switch${switches === 1 ? "" : "es"}`, plural(status.hosts.length, "host"), status.balancer && `balancer ${status.balancer}`];
    document.title = `heddle lab ${status.name}`;
    this.set(this.head.firstChild, `Lab ${status.name}`);
    this.set(this.head.lastChild, facts.filter(Boolean).join(" · "));
  }

  set(e, text) { if (e.textContent !== text) e.textContent = text; }

  /* Shows in one line whether the page is up to date; `alarm` says why not, `why` gives the reported cause. */
  tell(alarm, why) {
    const down = alarm || !this.said ? [] : this.said.links.filter(l => l.up === false).map(l => l.name), shown = down.slice(0, 6).join(", ") + (down.length > 6 ? ` and ${down.length - 6} more` : "");
    this.line.classList.toggle("alarm", !!alarm);
    this.line.classList.toggle("dim", !alarm);
    this.set(this.line, alarm || "Live, refreshed each second.");
    this.set(this.age, [why && `${why[0].toUpperCase()}${why.slice(1)}.`, alarm && this.said && `What is shown is ${Math.round((performance.now() - this.saidAt) / 1000)} s old.`].filter(Boolean).join(" "));
    this.set(this.down, down.length ? `✕ ${plural(down.length, "link")} down: ${shown}` : "");
    if (this.box) this.box.classList.toggle("silent", !!alarm);
    if (this.hostsSection) this.hostsSection.classList.toggle("silent", !!alarm);
  }

  async ask() {
    try {
      const reply = await fetch("status.json", { signal: AbortSignal.timeout(PATIENCE_MS), cache: "no-store" });
      const status = await reply.json();
      if (status.answers) this.take(status);
      else if (!this.said && status.nodes.length) { this.build(status); this.show(status); this.headline(status); }
      this.tell(status.answers ? "" : "The switches do not answer.", status.error);
    } catch (e) {
      this.tell("Nothing is heard from heddle lab status --serve: it has ended, or cannot be reached.");
    }
    setTimeout(() => this.ask(), EVERY_MS);
  }

  redraw() { if (this.fabric) this.fabric.draw(); }
}

const live = new Live();
themes.begin(() => live.said ? live.show(live.said) : live.redraw());
live.ask();
let resizing = 0;
addEventListener("resize", () => { clearTimeout(resizing); resizing = setTimeout(() => live.redraw(), 120); });
