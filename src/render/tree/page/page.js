// What a reader does: zoom and move, fold and unfold, find, step through the search.

// Small print is read at this size, and the page opens with it.
const READ = 1.12;
const ROOM = 16;
const area = () => stage.getBoundingClientRect();
const clamp = (x, low, high) => Math.max(low, Math.min(high, x));
// Some of the tree stays in the window, however it is moved.
const move = () => {
  const { width, height } = area();
  const edge = 60;
  left = clamp(left, edge - extent.width * zoom, width - edge);
  top = clamp(top, edge - extent.height * zoom, height - edge);
  draw();
};
const zoomBy = (factor, x, y) => {
  const { width, height } = area();
  const [px, py] = [x ?? width / 2, y ?? height / 2];
  const next = clamp(zoom * factor, 0.01, 8);
  left = px - (px - left) * next / zoom;
  top = py - (py - top) * next / zoom;
  zoom = next;
  move();
};
// All that is unfolded.
const fit = () => {
  const { width, height } = area();
  zoom = clamp(Math.min((width - 2 * ROOM) / extent.width, (height - 2 * ROOM) / extent.height), 0.01, 1.5);
  left = (width - extent.width * zoom) / 2;
  top = Math.max((height - extent.height * zoom) / 2, ROOM);
  if (way === "right") left = Math.min(left, ROOM);
  move();
};
// The root, at a size one can read.
const home = () => {
  const { width } = area();
  const root = nodes[0];
  zoom = READ;
  left = (width - extent.width * zoom) / 2;
  if (way === "right") left = ROOM;
  else if (extent.width * zoom > width - 2 * ROOM) left = width / 2 - (root.x + root.w / 2) * zoom;
  top = ROOM;
  move();
};
// Moves a node into the window if it isn't in it.
const bring = (node) => {
  const { width, height } = area();
  const [x, y] = [node.x * zoom + left, node.y * zoom + top];
  const [w, h] = [node.w * zoom, node.h * zoom];
  if (x < 0 || x + w > width) left += width / 2 - x - w / 2;
  if (y < 0 || y + h > height) top += height / 2 - y - h / 2;
  move();
};
const say = (text) => { byId("said").textContent = text; };

// Folding. What was clicked stays where it was in the window.
const keeping = (node, change) => {
  const before = node.on ? [node.x * zoom + left, node.y * zoom + top] : null;
  change();
  layOut();
  if (before) {
    left = before[0] - node.x * zoom;
    top = before[1] - node.y * zoom;
  }
  move();
};
const fold = (node) => {
  if (graph || !grown(node)) return;
  keeping(node, () => {
    node.open = !node.open;
    // Where there is no choice, on to the next one.
    for (let at = node; node.open && at.kids.length === 1 && at.kids[0].kids.length > 0;) {
      at = at.kids[0];
      at.open = true;
    }
  });
  say(node.open ? "unfolded" : `folded: ${grouped(node.below)} nodes below`);
};
const foldAll = (open) => keeping(selected && selected.on && open ? selected : nodes[0], () => {
  nodes.forEach((node) => { node.open = node.kids.length > 0 && (open || node.id === 0); });
});
const reveal = (node) => {
  if (!born(node)) explore();
  for (let at = up(node); at !== null; at = up(at)) at.open = true;
  layOut();
  if (zoom < 0.5) zoom = READ;
  bring(node);
};
// The path that was found, or the line of best play, alone.
const showPath = () => {
  explore();
  const path = nodes.filter((node) => node.path);
  if (!graph) {
    nodes.forEach((node) => { node.open = false; });
    path.forEach((node) => { node.open = node.kids.some((kid) => kid.path); });
    layOut();
  }
  fit();
  if (zoom < READ * 0.6 || zoom > READ) home();
  select(path[path.length - 1], false);
  select(nodes[0], false);
  say(`${data.path}: ${path.length - 1} ${path.length === 2 ? "move" : "moves"}`);
};

// Steps. Playing begins with the root alone; what is far from what is done is folded meanwhile.
const LATELY = 12;
const slider = byId("step");
const showStep = (step) => {
  slider.value = step;
  slider.setAttribute("aria-valuetext", `step ${step} of ${steps.length}`);
  byId("count").textContent = `${step} / ${steps.length}`;
  byId("back").disabled = byId("first").disabled = now === 0;
  byId("next").disabled = byId("last").disabled = now === steps.length;
  byId("whole").disabled = now === null;
};
const goTo = (step) => {
  now = clamp(step, 0, steps.length);
  const { width, height } = area();
  nodes.forEach((node) => { node.open = node.kids.length > 0; });
  layOut();
  if (!graph && (extent.width * READ > 2 * width || extent.height * READ > 2 * height)) {
    nodes.forEach((node) => { node.open = false; });
    nodes[0].open = true;
    for (const { node } of steps.slice(Math.max(0, now - LATELY), now)) {
      for (let at = nodes[node]; at !== null; at = up(at)) at.open = true;
    }
    layOut();
  }
  const step_ = steps[now - 1];
  current = step_ ? nodes[step_.node] : null;
  showStep(now);
  say(step_ ? step_.text : "before the first step");
  if (current) bring(current); else home();
  if (selected) describe(selected);
};
// The tree as it is at the end, folded to the window.
const explore = () => {
  if (now === null) return;
  now = null;
  current = null;
  open();
};
const open = () => {
  const { width, height } = area();
  foldToWindow((width - 2 * ROOM) / READ, (height - 2 * ROOM) / READ);
  showStep(0);
  const hint = steps.length > 0 ? " Next ▶ builds it up step by step." : "";
  const folded = shown.length < nodes.length ? `${grouped(shown.length)} of ${grouped(nodes.length)} nodes are unfolded: click +N for more.` : `The whole ${graph ? "graph" : "tree"}.`;
  say(folded + hint);
  home();
  if (selected) describe(selected);
};

// Selection and details.
const select = (node, focus = true) => {
  const before = selected;
  selected = node;
  if (before && drawn.get(before.id)) {
    const group = drawn.get(before.id);
    group.setAttribute("tabindex", -1);
    group.removeAttribute("aria-selected");
  }
  draw();
  const group = drawn.get(node.id);
  if (group) {
    group.setAttribute("tabindex", 0);
    group.setAttribute("aria-selected", "true");
    if (focus) group.focus({ preventScroll: true });
  }
  describe(node);
};
const describe = (node) => {
  const panel = byId("details");
  const { state } = node;
  panel.replaceChildren();
  html("h2", panel, `Node ${node.id + 1}`);
  if (state.lines.length > 0) html("pre", panel, state.lines.join("\n"));
  const list = html("dl", panel);
  const item = (name, value) => { html("dt", list, name); html("dd", list, value); };
  item("state", state.term);
  if (state.player) item("to move", state.player);
  if (state.prospect) item("exact play", state.prospect);
  item("depth", String(node.depth));
  const moves = [];
  for (let at = node; at && at.edge; at = up(at)) moves.unshift(at.edge.words);
  if (moves.length > 0) item("moves", moves.join(", "));
  if (graph) {
    const [to, from] = ["from", "to"].map((end) => edges.filter((edge) => edge[end] === node.id));
    if (from.length > 0) {
      item("reached by", from.map((edge) => `${edge.words} from ${edge.from + 1}`).join("; "));
    }
    if (to.length > 0) item("leads to", to.map((edge) => `${edge.words}: ${edge.to + 1}`).join("; "));
  }
  if (node.order !== undefined && known(node)) item("expanded", `as number ${node.order}`);
  for (const note of node.notes) if (now === null || note.step <= now) item(note.name, note.value);
  if (node.below > 0) item("below it", `${grouped(node.below)} nodes`);
  if (node.hidden) item("not drawn", `${node.hidden}; --depth and --max-nodes draw more`);
  const button = (id, text, run) => {
    const element = html("button", panel, text);
    element.type = "button";
    element.id = id;
    element.addEventListener("click", run);
  };
  if (node.again !== undefined) {
    const there = nodes[node.again];
    button("elsewhere", `drawn at node ${node.again + 1}`, () => { reveal(there); select(there); });
  }
};

// Finding states and moves.
let found = [];
let finding = -1;
const find = (text) => {
  const wanted = text.trim().toLowerCase();
  const has = (node) => [node.state.term, wordsOf(node), node.state.lines.join("\n"), `node ${node.id + 1}`]
    .some((part) => part.toLowerCase().includes(wanted));
  found = wanted === "" ? [] : nodes.filter(has);
  if (graph && wanted !== "") {
    const moved = edges.filter((edge) => edge.words.toLowerCase().includes(wanted));
    found = [...new Set([...found, ...moved.map((edge) => nodes[edge.to])])];
  }
  matches = new Set(found);
  finding = -1;
  byId("found").textContent = wanted === "" ? "" : `${grouped(found.length)} found`;
  draw();
};
const nextFound = (by) => {
  if (found.length === 0) return;
  finding = (finding + by + found.length) % found.length;
  const node = found[finding];
  reveal(node);
  select(node, false);
  byId("found").textContent = `${grouped(finding + 1)} of ${grouped(found.length)}`;
};

// The pointer: a node by a click, the mark of a node folds, a folded node unfolds.
stage.addEventListener("click", (event) => {
  if (dragged) return;
  const group = event.target.closest(".node");
  if (group) {
    const node = nodes[Number(group.dataset.node)];
    if (event.target.closest(".fold") || !node.open) fold(node);
    select(node);
    return;
  }
  const { left: x, top: y } = area();
  const [px, py] = [(event.clientX - x - left) / zoom, (event.clientY - y - top) / zoom];
  const node = shown.find((at) => px >= at.x && px <= at.x + at.w && py >= at.y && py <= at.y + at.h);
  if (!node) return;
  // Seen from afar: closer.
  [left, top] = [left + px * (zoom - READ), top + py * (zoom - READ)];
  zoom = READ;
  move();
  select(node);
});
stage.addEventListener("wheel", (event) => {
  event.preventDefault();
  const { left: x, top: y } = area();
  zoomBy(Math.exp(-event.deltaY / 400), event.clientX - x, event.clientY - y);
}, { passive: false });
const pointers = new Map();
let dragged = false;
stage.addEventListener("pointerdown", (event) => {
  if (event.button !== 0) return;
  dragged = false;
  pointers.set(event.pointerId, [event.clientX, event.clientY, event.clientX, event.clientY]);
});
stage.addEventListener("pointermove", (event) => {
  const pointer = pointers.get(event.pointerId);
  if (!pointer) return;
  const [x, y, firstX, firstY] = pointer;
  if (!dragged && Math.hypot(event.clientX - firstX, event.clientY - firstY) < 4) return;
  if (!dragged) stage.setPointerCapture(event.pointerId);
  dragged = true;
  stage.classList.add("dragged");
  const other = [...pointers].find(([id]) => id !== event.pointerId);
  pointers.set(event.pointerId, [event.clientX, event.clientY, firstX, firstY]);
  if (other) {
    const [, [ox, oy]] = other;
    const { left: ax, top: ay } = area();
    const grow = Math.hypot(event.clientX - ox, event.clientY - oy) / (Math.hypot(x - ox, y - oy) || 1);
    zoomBy(grow, ox - ax, oy - ay);
    return;
  }
  left += event.clientX - x;
  top += event.clientY - y;
  move();
});
const drop = (event) => { pointers.delete(event.pointerId); stage.classList.remove("dragged"); };
stage.addEventListener("pointerup", drop);
stage.addEventListener("pointercancel", drop);

// Keys.
const go = (node) => { if (node && node.on) { bring(node); select(node); } };
const beside = (node, by) => {
  const along = way === "right" && !graph ? "y" : "x";
  const row = shown.filter((other) => other.depth === node.depth).sort((a, b) => a[along] - b[along]);
  return row[row.indexOf(node) + by];
};
const below = (node) => {
  if (graph) {
    return edges.filter((edge) => edge.from === node.id).map((edge) => nodes[edge.to])
      .find((next) => next.on && next.depth > node.depth);
  }
  if (!node.open) fold(node);
  return node.kids.find((kid) => kid.on);
};
const above = (node) => (graph
  ? edges.filter((edge) => edge.to === node.id).map((edge) => nodes[edge.from])
    .find((next) => next.on && next.depth < node.depth)
  : up(node));
const arrows = { ArrowUp: -1, ArrowDown: 1, ArrowLeft: -2, ArrowRight: 2 };
const arrow = (node, direction) => {
  const turned = way === "right" && !graph;
  const along = Math.abs(direction) === (turned ? 2 : 1);
  if (along) go(direction > 0 ? below(node) : above(node));
  else go(beside(node, Math.sign(direction)));
};
const turn = () => {
  if (graph) return;
  way = way === "down" ? "right" : "down";
  layOut();
  home();
};
const anywhere = {
  n: () => goTo((now ?? 0) + 1), p: () => goTo((now ?? 1) - 1),
  "+": () => zoomBy(1.25), "=": () => zoomBy(1.25), "-": () => zoomBy(0.8), 0: fit,
  u: () => foldAll(true), f: () => foldAll(false), b: () => byId("path").hidden || showPath(), t: turn,
  w: () => explore(), "/": () => byId("find").focus(),
  Home: () => { home(); select(nodes[0]); },
};
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input[type=search]")) return;
  const node = event.target.closest && event.target.closest(".node") ? selected : null;
  const ranged = event.target.matches("input[type=range]");
  if (arrows[event.key] && (node || event.target === document.body) && !ranged) {
    event.preventDefault();
    arrow(node || selected || nodes[0], arrows[event.key]);
  } else if (node && (event.key === " " || event.key === "Enter")) {
    event.preventDefault();
    fold(node);
  } else if (anywhere[event.key] && !(ranged && event.key === "Home")) {
    event.preventDefault();
    anywhere[event.key]();
  }
});
byId("find").addEventListener("input", (event) => find(event.target.value));
byId("find").addEventListener("keydown", (event) => {
  if (event.key === "Enter") {
    event.preventDefault();
    nextFound(event.shiftKey ? -1 : 1);
  } else if (event.key === "Escape") {
    event.target.value = "";
    find("");
    if (selected) select(selected);
  }
});

const on = (id, run) => byId(id).addEventListener("click", run);
on("first", () => goTo(0));
on("back", anywhere.p);
on("next", anywhere.n);
on("last", () => goTo(steps.length));
on("whole", explore);
on("closer", () => zoomBy(1.25));
on("farther", () => zoomBy(0.8));
on("fit", fit);
on("unfold", () => foldAll(true));
on("fold", () => foldAll(false));
on("path", showPath);
on("turn", turn);
slider.max = steps.length;
slider.addEventListener("input", () => goTo(Number(slider.value)));
for (const id of ["unfold", "fold", "turn"]) byId(id).hidden = graph;
byId("path").hidden = !data.path;
byId("path").textContent = data.path || "";
byId("playing").hidden = steps.length === 0;

// On paper all that is unfolded, as large as the page allows.
let before = null;
addEventListener("beforeprint", () => {
  before = [zoom, left, top];
  fit();
});
addEventListener("afterprint", () => {
  if (before) [zoom, left, top] = before;
  move();
});
// A window that is made larger or smaller shows the same, until something is unfolded; but before anything
// was done, as a frame that gets its size late, what fits it.
let used = false;
for (const act of ["pointerdown", "keydown", "wheel"]) {
  addEventListener(act, () => { used = true; }, { capture: true, passive: true });
}
addEventListener("resize", () => (used || now !== null ? move() : open()));
open();
