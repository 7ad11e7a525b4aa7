// The tree as the page knows it, which of it is unfolded, and where that lies.

const data = JSON.parse(document.getElementById("tree").textContent);
const { states, nodes, edges, steps, unit, graph } = data;

nodes.forEach((node, id) => Object.assign(node, {
  id, kids: [], edge: null, open: false, below: 0, x: node.x || 0, y: node.y || 0, on: false,
  state: states[node.s], notes: node.notes || [], foot: node.foot || [], step: node.step || 0,
}));
if (!graph) {
  edges.forEach((edge) => { nodes[edge.to].edge = edge; });
  nodes.forEach((node) => { if (node.parent !== undefined) nodes[node.parent].kids.push(node); });
}
// How many nodes are below each: children come behind their parents.
for (let at = nodes.length - 1; at > 0; at--) {
  const { parent, below } = nodes[at];
  if (parent !== undefined) nodes[parent].below += below + 1;
}
const up = (node) => (node.parent === undefined ? null : nodes[node.parent]);
const wordsOf = (node) => (node.edge ? node.edge.words : "");
const cap = edges.some((edge) => edge.words) ? unit.small + 5 : 0;

// The step that is shown; null is none of them: the tree as it is at the end.
let now = null;
const born = (node) => now === null || node.step <= now;
// "down" or "right".
let way = "down";
// What is unfolded, the root first, parents before their children; and the room it takes.
let shown = [];
let extent = { width: 0, height: 0 };

const unfolded = () => {
  if (graph) return nodes.filter(born);
  const found = [];
  const todo = born(nodes[0]) ? [nodes[0]] : [];
  while (todo.length > 0) {
    const node = todo.pop();
    found.push(node);
    if (!node.open) continue;
    for (let at = node.kids.length - 1; at >= 0; at--) {
      if (born(node.kids[at])) todo.push(node.kids[at]);
    }
  }
  return found;
};
const kidsOf = (node) => (node.open ? node.kids.filter(born) : []);

// Downwards. The contour of a subtree is kept from its lowest row to its highest, with what all of
// it is moved by, so that joining two costs no more than the lower of them is high.
const downwards = (list) => {
  const rows = [];
  for (const node of list) {
    const high = node.h + (node.id === 0 ? 0 : cap) + unit.below;
    rows[node.depth] = Math.max(rows[node.depth] || 0, high);
  }
  const tops = [0];
  rows.forEach((high, depth) => { tops[depth + 1] = tops[depth] + high; });
  const room = (node) => Math.max(node.w, wordsOf(node).length * unit.smallChar) + unit.beside;
  const at = (side, depth) => side.row[side.row.length - 1 - depth] + side.by;
  const join = (kids) => {
    let [left, right] = [null, null];
    for (const kid of kids) {
      const own = kid.sides;
      kid.sides = null;
      kid.off = 0;
      if (left === null) { [left, right] = own; continue; }
      const both = Math.min(right.row.length, own[0].row.length);
      let by = -Infinity;
      for (let d = 0; d < both; d++) by = Math.max(by, at(right, d) - at(own[0], d));
      kid.off = by;
      own[0].by += by;
      own[1].by += by;
      // The left side is that of the brothers before as far down as they go, the right side that
      // of the child: what is longer below goes on.
      const merge = (over, under) => {
        if (over.row.length >= under.row.length) return over;
        for (let d = 0; d < over.row.length; d++) {
          under.row[under.row.length - 1 - d] = at(over, d) - under.by;
        }
        return under;
      };
      left = merge(left, own[0]);
      right = merge(own[1], right);
    }
    return [left, right];
  };
  for (let index = list.length - 1; index >= 0; index--) {
    const node = list[index];
    const kids = kidsOf(node);
    const half = room(node) / 2;
    let [left, right] = join(kids);
    if (left === null) [left, right] = [{ row: [], by: 0 }, { row: [], by: 0 }];
    else {
      const middle = kids[kids.length - 1].off / 2;
      for (const kid of kids) kid.off -= middle;
      left.by -= middle;
      right.by -= middle;
    }
    left.row.push(-half - left.by);
    right.row.push(half - right.by);
    node.sides = [left, right];
  }
  let [least, most] = [Infinity, -Infinity];
  for (const node of list) {
    node.centre = node.id === 0 ? 0 : up(node).centre + node.off;
    least = Math.min(least, node.centre - room(node) / 2);
    most = Math.max(most, node.centre + room(node) / 2);
  }
  for (const node of list) {
    node.x = node.centre - least - node.w / 2;
    node.y = tops[node.depth] + (node.id === 0 ? 0 : cap);
    node.floor = tops[node.depth + 1] - unit.below;
  }
  list.forEach((node) => { node.sides = null; });
  return { width: most - least, height: tops[tops.length - 1] };
};

// To the right: each subtree has rows of its own, its root in the first of them.
const rightwards = (list) => {
  const [wide, named] = [[], []];
  for (const node of list) {
    wide[node.depth] = Math.max(wide[node.depth] || 0, node.w);
    named[node.depth] = Math.max(named[node.depth] || 0, wordsOf(node).length * unit.smallChar);
  }
  const lefts = [0];
  wide.forEach((width, depth) => {
    lefts[depth + 1] = lefts[depth] + width + unit.trunk + 16 + (named[depth + 1] || 0);
  });
  const row = (node) => Math.max(node.h, 2 * cap) + 10;
  for (let index = list.length - 1; index >= 0; index--) {
    const node = list[index];
    let span = 0;
    for (const kid of kidsOf(node)) span += kid.span;
    node.span = Math.max(row(node), span);
  }
  list[0].from = 0;
  for (const node of list) {
    let from = node.from;
    for (const kid of kidsOf(node)) { kid.from = from; from += kid.span; }
    node.x = lefts[node.depth];
    node.y = node.from + (row(node) - 10 - node.h) / 2;
    node.trunk = lefts[node.depth] + wide[node.depth] + unit.trunk;
  }
  const deepest = wide.length - 1;
  return { width: lefts[deepest] + wide[deepest] + 40, height: list[0].span };
};

const layOut = () => {
  for (const node of shown) node.on = false;
  shown = unfolded();
  for (const node of shown) node.on = true;
  if (graph) extent = { width: data.width, height: data.height };
  else if (shown.length > 0) extent = way === "down" ? downwards(shown) : rightwards(shown);
};

// Folds the tree until it fits a window: whole levels, then the path that was found, then what
// else has room. Returns how many nodes are in sight.
const foldTo = (width, height) => {
  const fits = () => {
    layOut();
    return extent.width <= width && extent.height <= height;
  };
  nodes.forEach((node) => { node.open = false; });
  const deepest = nodes.reduce((most, node) => Math.max(most, node.depth), 0);
  for (let depth = 0; depth < deepest; depth++) {
    const level = nodes.filter((node) => node.depth === depth && node.kids.length > 0);
    level.forEach((node) => { node.open = true; });
    if (fits()) continue;
    level.forEach((node) => { node.open = false; });
    break;
  }
  for (const node of nodes) {
    if (!node.path || node.open || node.kids.length === 0) continue;
    node.open = true;
    if (fits()) continue;
    node.open = false;
    break;
  }
  layOut();
  // Those that stand higher first; what comes into sight is tried too.
  const queue = [...shown].sort((a, b) => a.depth - b.depth || a.id - b.id);
  for (let at = 0; at < queue.length && at < 500; at++) {
    const node = queue[at];
    if (node.open || node.kids.length === 0) continue;
    node.open = true;
    if (fits()) queue.push(...node.kids);
    else node.open = false;
  }
  layOut();
  return shown.length;
};
// The same, downwards or to the right, whichever shows more.
const foldToWindow = (width, height) => {
  if (graph) return layOut();
  way = "down";
  const down = foldTo(width, height);
  way = "right";
  const right = foldTo(width, height);
  if (down >= right && (down > 1 || nodes.length === 1)) {
    way = "down";
    foldTo(width, height);
  } else if (right === 1) {
    // Too many children for any window: they begin in it.
    nodes[0].open = true;
    layOut();
  }
};
