// Drawing: only what is in the window is in the document. From afar nodes are plain boxes.

const NS = "http://www.w3.org/2000/svg";
const byId = (id) => document.getElementById(id);
const stage = byId("picture");
const view = byId("view");
const make = (name, attributes, parent, text) => {
  const element = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  if (parent) parent.append(element);
  return element;
};
const html = (name, parent, text) => {
  const element = document.createElement(name);
  if (text !== undefined) element.textContent = text;
  if (parent) parent.append(element);
  return element;
};

const far = make("g", {}, view);
const lines = make("g", {}, view);
const words = make("g", {}, view);
const boxes = make("g", { role: graph ? "list" : "tree", "aria-label": data.title }, view);
// The groups of the nodes in the document, by their numbers.
const drawn = new Map();
let selected = null;
let current = null;
let matches = new Set();
const shapes = ["plain", "dashed", "path"].map((kind) => make("path", {
  class: `wires ${kind}`, fill: "none", stroke: kind === "path" ? "#222222" : "#999999",
  "stroke-width": kind === "path" ? 3 : 1, "stroke-dasharray": kind === "dashed" ? "4 3" : "none",
}, lines));
const wires = make("g", {}, lines);

const small = (look) => ({ "font-size": unit.smallType, "font-family": unit.mono, fill: look.text });
const outline = (w, h, shape, inset) => {
  const [x, y] = [inset, inset];
  [w, h] = [w - 2 * inset, h - 2 * inset];
  const round = (r) => {
    const a = `a${r} ${r} 0 0 1`;
    return `M${x + r} ${y}h${w - 2 * r}${a} ${r} ${r}v${h - 2 * r}${a} ${-r} ${r}`
      + `h${2 * r - w}${a} ${-r} ${-r}v${2 * r - h}${a} ${r} ${-r}z`;
  };
  if (shape === 0) return round(Math.min(3, w / 2, h / 2));
  if (shape === 1) return `M${x} ${y}h${w}v${h}h${-w}z`;
  if (shape === 2) return round(Math.min(11, w / 2, h / 2));
  if (shape < 0) {
    const point = Math.min(8, w / 4);
    return `M${x} ${y}h${w}l${point} ${h / 2}l${-point} ${h / 2}h${-w}l${-point} ${-h / 2}z`;
  }
  const cut = Math.min(6, h / 2);
  return `M${x + cut} ${y}h${w - 2 * cut}l${cut} ${cut}v${h - 2 * cut}l${-cut} ${cut}`
    + `h${2 * cut - w}l${-cut} ${-cut}v${2 * cut - h}z`;
};
const known = (node) => node.done !== undefined && (now === null || node.done <= now);
const grown = (node) => node.kids.some(born);
const grouped = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ",");
// What the mark of a folded node says: how many nodes it hides.
const mark = (node) => (node.open ? "−" : `+${grouped(node.below)}`);

// What stands in a node, as far as it is known at this step.
const write = (node, group) => {
  const look = { ...data.looks[node.look] };
  if (node.order !== undefined && !known(node)) look.fill = look.before;
  group.replaceChildren();
  make("title", {}, group, node.said);
  make("rect", { class: "ring", x: -3.5, y: -3.5, width: node.w + 7, height: node.h + 7, rx: 5 }, group);
  make("path", {
    class: "shape", d: outline(node.w, node.h, look.shape, 0), fill: look.fill, stroke: look.stroke,
    "stroke-width": look.width, "stroke-dasharray": look.dashed ? "4 3" : "none",
  }, group);
  if (look.double) {
    make("path", { d: outline(node.w, node.h, look.shape, 3), fill: "none", stroke: look.stroke }, group);
  }
  const body = make("g", { class: "body", "aria-hidden": "true" }, group);
  const { lines: label, wide, board } = node.state;
  let y = unit.pad;
  if (node.head) {
    y += unit.small;
    const [left, right] = node.head;
    const order = node.order !== undefined && known(node) ? `${node.order}. ` : "";
    const text = (order + left).trim();
    if (text && right) {
      make("text", { ...small(look), x: unit.pad, y: y - 3 }, body, text);
      make("text", { ...small(look), x: node.w - unit.pad, y: y - 3, "text-anchor": "end",
        "font-weight": "bold" }, body, right);
    } else {
      make("text", { ...small(look), x: node.w / 2, y: y - 3, "text-anchor": "middle",
        "font-weight": right ? "bold" : "normal" }, body, text || right);
    }
  }
  if (board) {
    const [part, width, height] = board;
    const place = `translate(${node.w / 2 - width / 2},${y + 1})`;
    make("g", { transform: place, opacity: look.dashed ? 0.45 : 1 }, body).innerHTML = part;
    y += height + 4;
  }
  for (const line of board ? [] : label) {
    y += unit.line;
    make("text", { "font-size": unit.type, "font-family": unit.mono, fill: look.text,
      x: node.w / 2 - wide / 2, y: y - 3.5 }, body, line.replaceAll(" ", "\u00a0"));
  }
  const notes = node.notes.filter((note) => note.shown && (now === null || note.step <= now));
  for (const text of [...notes.map((note) => `${note.name} ${note.value}`), ...node.foot]) {
    y += unit.small;
    make("text", { ...small(look), x: node.w / 2, y: y - 3, "text-anchor": "middle" }, body, text);
  }
  if (!graph && grown(node)) handle(node, group);
};
// The mark below or beside a node that folds and unfolds it.
const handle = (node, group) => {
  const text = mark(node);
  const width = Math.max(15, text.length * unit.smallChar + 9);
  const [x, y] = way === "down" ? [node.w / 2, node.h + 9] : [node.w + 4 + width / 2, node.h / 2];
  const sign = make("g", {
    class: node.open ? "fold" : "fold more", "aria-hidden": "true", transform: `translate(${x},${y})`,
  }, group);
  make("rect", { x: -width / 2, y: -7.5, width, height: 15, rx: 7.5 }, sign);
  make("text", { y: 4, "text-anchor": "middle", "font-size": unit.smallType, "font-family": unit.mono },
    sign, text);
};

const place = (node) => {
  let group = drawn.get(node.id);
  if (!group) {
    group = make("g", { class: "node", "data-node": node.id, tabindex: node === selected ? 0 : -1,
      role: graph ? "listitem" : "treeitem", "aria-label": node.said }, boxes);
    group.stamp = null;
    drawn.set(node.id, group);
  }
  group.setAttribute("transform", `translate(${node.x},${node.y})`);
  const stamp = `${now} ${node.open} ${way}`;
  if (group.stamp !== stamp) {
    group.stamp = stamp;
    write(node, group);
    if (!graph && grown(node)) group.setAttribute("aria-expanded", String(node.open));
    else group.removeAttribute("aria-expanded");
    if (!graph) group.setAttribute("aria-level", node.depth + 1);
  }
  group.classList.toggle("selected", node === selected);
  group.classList.toggle("current", node === current);
  group.classList.toggle("match", matches.has(node));
};

// The line to a node from the one above it, as path data.
const wire = (node) => {
  const from = up(node);
  if (way === "down") {
    const x = from.x + from.w / 2;
    return `M${x} ${from.y + from.h}V${from.floor}L${node.x + node.w / 2} ${node.y - cap}`;
  }
  const end = node.y + node.h / 2;
  return `M${from.x + from.w} ${from.y + from.h / 2}H${from.trunk}V${end}H${node.x}`;
};
const wirePlace = (node) => (way === "down" ? [node.x + node.w / 2, node.y - 6]
  : [(up(node).trunk + node.x) / 2, node.y + node.h / 2 - 4]);
const label = (text, [x, y]) => make("text", { class: "words", x, y, "text-anchor": "middle",
  "font-size": unit.smallType, "font-family": unit.mono, fill: "#333333" }, words, text);

let [zoom, left, top] = [1, 0, 0];
// The part of the tree that is in the window, and a little around it.
const window_ = () => {
  const area = stage.getBoundingClientRect();
  const around = 60 / zoom;
  return {
    left: -left / zoom - around, right: (area.width - left) / zoom + around,
    top: -top / zoom - around, bottom: (area.height - top) / zoom + around,
  };
};
const FEW = 400;
const inSight = () => {
  const see = window_();
  return shown.filter((node) => node.x < see.right && node.x + node.w > see.left
    && node.y < see.bottom && node.y + node.h > see.top);
};
const draw = () => {
  view.setAttribute("transform", `translate(${left},${top}) scale(${zoom})`);
  let seen = inSight();
  const away = seen.length > FEW;
  far.replaceChildren();
  words.replaceChildren();
  wires.replaceChildren();
  if (away) {
    const fills = new Map();
    for (const node of seen) {
      const { fill } = data.looks[node.look];
      fills.set(fill, `${fills.get(fill) || ""}M${node.x} ${node.y}h${node.w}v${node.h}h${-node.w}z`);
    }
    for (const [fill, d] of fills) make("path", { d, fill, stroke: "#999999", "stroke-width": 2 }, far);
    for (const node of seen.filter((node) => matches.has(node) || node === current)) {
      make("rect", { class: node === current ? "spot current" : "spot", x: node.x - 6, y: node.y - 6,
        width: node.w + 12, height: node.h + 12 }, far);
    }
    seen = [];
  }
  if (selected && selected.on && !seen.includes(selected)) seen.push(selected);
  const keep = new Set(seen.map((node) => node.id));
  for (const [id, group] of drawn) if (!keep.has(id)) { group.remove(); drawn.delete(id); }
  seen.forEach(place);
  if (graph) drawGraph(away); else drawWires(seen, away);
};
const drawWires = (seen, away) => {
  const see = window_();
  const paths = ["", "", ""];
  for (const node of shown) {
    const from = up(node);
    if (from === null) continue;
    const right = Math.max(from.x + from.w, node.x + node.w);
    if (Math.min(from.x, node.x) > see.right || right < see.left || from.y > see.bottom
      || node.y + node.h < Math.min(see.top, from.y)) continue;
    const kind = node.edge && node.edge.path ? 2 : data.looks[node.look].dashed ? 1 : 0;
    paths[kind] += wire(node);
  }
  shapes.forEach((shape, kind) => shape.setAttribute("d", paths[kind]));
  if (away) return;
  for (const node of seen) if (wordsOf(node) && node.on) label(wordsOf(node), wirePlace(node));
};
const drawGraph = (away) => {
  const see = window_();
  for (const edge of edges) {
    if (!nodes[edge.from].on || !nodes[edge.to].on || now !== null && edge.step > now) continue;
    const points = edge.points;
    const [xs, ys] = [points.map((point) => point[0]), points.map((point) => point[1])];
    if (Math.min(...xs) > see.right || Math.max(...xs) < see.left
      || Math.min(...ys) > see.bottom || Math.max(...ys) < see.top) continue;
    make("polyline", {
      points: points.map((point) => point.join(",")).join(" "), fill: "none",
      stroke: edge.path ? "#222222" : "#999999", "stroke-width": edge.path ? 3 : 1,
      "stroke-dasharray": edge.dashed ? "4 3" : "none", "marker-end": "url(#arrow)",
    }, wires);
    if (away || !edge.words) continue;
    const width = edge.words.length * unit.smallChar + 4;
    make("rect", { x: edge.at[0] - width / 2, y: edge.at[1] - 10, width, height: 13, fill: "white" }, words);
    label(edge.words, edge.at);
  }
};
