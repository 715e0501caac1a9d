// SPDX-License-Identifier: Apache-2.0
"use strict";
/* A fabric as a graph, and the positions of its nodes in the drawing. */

/* ---- topology: nodes with tier, pod and position; links with their two ports ---- */

class Topology {
  /* t: {names, hosts: how many of them come first, node, neighbour, parallel: by port, linkTier: by port or null,
   *     of, merged: how many nodes and ports each stands for, or null} */
  constructor(t) {
    Object.assign(this, t);
    this.n = t.names.length;
    this.links = this.pair();
    this.ports = Array.from({ length: this.n }, () => []);
    this.node.forEach((n, p) => this.ports[n].push(p));
    this.tier = this.tiers();
    this.top = Math.max(0, ...this.tier);
    this.pod = this.pods();
  }

  /* Pairs ports to links {a, b, up, down}: a is the lower end; up and down are its ports. */
  pair() {
    const byEnds = new Map(), links = [];
    this.node.forEach((n, p) => byEnds.set(`${n},${this.neighbour[p]},${this.parallel[p]}`, p));
    this.node.forEach((n, p) => {
      const back = byEnds.get(`${this.neighbour[p]},${n},${this.parallel[p]}`);
      if (n < this.neighbour[p]) links.push({ a: n, b: this.neighbour[p], up: p, down: back ?? -1, tier: this.linkTier ? this.linkTier[p] : null, place: links.length });
    });
    return links;
  }

  /* Computes the tier of each node: its distance from the nearest host. */
  tiers() {
    const tier = new Array(this.n).fill(-1);
    let front = Array.from({ length: this.hosts }, (_, i) => i);
    for (const n of front) tier[n] = 0;
    for (let d = 1; front.length; d++) {
      const next = [];
      for (const n of front) for (const p of this.ports[n]) if (tier[this.neighbour[p]] < 0) { tier[this.neighbour[p]] = d; next.push(this.neighbour[p]); }
      front = next;
    }
    return tier.map(t => Math.max(0, t));
  }

  /* Computes pods: the parts that stay connected without the top tier; with one tier of switches each is a pod. */
  pods() {
    const pod = new Array(this.n).fill(-1);
    let count = 0;
    for (let start = 0; start < this.n; start++) {
      if (pod[start] >= 0 || (this.tier[start] === this.top && this.top > 1)) continue;
      const stack = [start];
      pod[start] = count;
      while (stack.length) {
        const n = stack.pop();
        for (const p of this.ports[n]) {
          const m = this.neighbour[p];
          if (pod[m] >= 0 || (this.tier[m] === this.top && this.top > 1) || (this.top === 1 && this.tier[n] === 1 && this.tier[m] === 1)) continue;
          pod[m] = count;
          stack.push(m);
        }
      }
      count++;
    }
    this.nPods = count;
    return pod;
  }

  /* Counts the nodes from one number to another, as the store has them. */
  count(from, to) { return this.of ? this.of.slice(from, to).reduce((sum, n) => sum + n, 0) : to - from; }

  linkName(l) { return `${this.names[l.a]}-${this.names[l.b]}${this.parallel[l.up] ? `#${this.parallel[l.up]}` : ""}`; }

  /* Returns the links on any shortest path between two nodes; hosts forward nothing. */
  shortest(src, dst) {
    const steps = from => {
      const d = new Array(this.n).fill(Infinity);
      d[from] = 0;
      for (let front = [from]; front.length;) {
        const next = [];
        for (const n of front) if (n === from || n >= this.hosts) for (const p of this.ports[n]) if (d[this.neighbour[p]] === Infinity) { d[this.neighbour[p]] = d[n] + 1; next.push(this.neighbour[p]); }
        front = next;
      }
      return d;
    };
    const from = steps(src), to = steps(dst), inside = n => n >= this.hosts || n === src || n === dst;
    return this.links.filter(l => inside(l.a) && inside(l.b) && Math.min(from[l.a] + to[l.b], from[l.b] + to[l.a]) + 1 === from[dst]);
  }
}

/* ---- positions on the canvas ---- */

/* Returns {x, y} by node for a pod (null: all) and the top tier, and the blocks of hosts. */
function placesOf(t, width, pod) {
  const seen = n => pod === null || t.pod[n] === pod || t.pod[n] < 0, at = new Array(t.n).fill(null);
  const rows = Array.from({ length: t.top + 1 }, () => []);
  for (let n = 0; n < t.n; n++) if (seen(n)) rows[t.tier[n]].push(n);
  const left = 26, right = width - 26, leaves = rows[1] || [];
  const gaps = leaves.reduce((g, n, i) => g + (i && t.pod[n] !== t.pod[leaves[i - 1]] ? 1 : 0), 0);
  const podGap = gaps && gaps + 1 < leaves.length ? Math.min(26, (right - left) * 0.25 / gaps) : 0;
  const step = (right - left - podGap * gaps) / Math.max(1, leaves.length);
  const tierGap = t.top >= 3 ? 135 : 170, topY = 44;
  const yOf = tier => topY + (t.top - tier) * tierGap;
  let x = left;
  leaves.forEach((n, i) => {
    if (i && t.pod[n] !== t.pod[leaves[i - 1]]) x += podGap;
    at[n] = { x: x + step / 2, y: yOf(1) };
    x += step;
  });
  for (let tier = 2; tier <= t.top; tier++) spread(t, rows[tier], at, tier === t.top, left, right, yOf(tier), leaves);
  const cells = hostCells(t, rows[0], at, step, yOf(1) + 34);
  return { at, rows, step, cells, height: (cells.bottom || yOf(1)) + 22, podGap };
}

/* Spreads the top tier over the whole width, other tiers over their pod. */
function spread(t, row, at, isTop, left, right, y, leaves) {
  const groups = new Map();
  for (const n of row) groups.set(isTop ? -1 : t.pod[n], [...(groups.get(isTop ? -1 : t.pod[n]) || []), n]);
  for (const [pod, nodes] of groups) {
    const xs = isTop ? [left, right] : leaves.filter(n => t.pod[n] === pod).map(n => at[n].x);
    const low = Math.min(...xs), high = Math.max(...xs), pad = isTop ? 0 : (high - low) / Math.max(1, xs.length - 1) / 2;
    nodes.forEach((n, i) => { at[n] = { x: low - pad + (high - low + 2 * pad) * (i + 0.5) / nodes.length, y }; });
  }
}

/* Places hosts as cells below their leaf, or with enough room in one row of boxes with names. */
function hostCells(t, hosts, at, step, top) {
  const byLeaf = new Map();
  for (const h of hosts) {
    const leaf = t.ports[h].length ? t.neighbour[t.ports[h][0]] : -1;
    byLeaf.set(leaf, [...(byLeaf.get(leaf) || []), h]);
  }
  const most = Math.max(1, ...[...byLeaf.values()].map(list => list.length)), room = (step - 8) / most, named = room >= 44 && byLeaf.size > 0;
  const columns = named ? most : Math.max(1, Math.min(most, Math.floor(step / 9) || 1, Math.ceil(Math.sqrt(most) * 1.5)));
  if (named) top += 66;
  const w = named ? Math.min(room, 96) : Math.max(1.6, Math.min(16, (step - 3) / columns)), h = named ? 18 : Math.max(3.5, Math.min(14, w * 1.1, 150 / Math.ceil(most / columns)));
  let bottom = top;
  for (const [leaf, list] of byLeaf) {
    if (!at[leaf]) continue;
    const used = Math.min(columns, list.length);
    list.forEach((host, i) => {
      at[host] = { x: at[leaf].x + ((i % columns) - (used - 1) / 2) * w, y: top + Math.floor(i / columns) * h + h / 2 };
      bottom = Math.max(bottom, at[host].y + h / 2);
    });
  }
  return { named, w: named ? Math.min(54, w - 4) : Math.max(1, w - 1), room: w - 4, h: named ? h : Math.max(1, h - 1), top, bottom: byLeaf.size ? bottom : 0 };
}
