"use strict";
// A tree to be looked at: zoom and move, fold subtrees, step through a search.
(() => {
  const data = JSON.parse(document.getElementById("tree").textContent);
  const { nodes, edges, steps, unit } = data;
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

  // The tree: children of each node and the edge that leads to it.
  nodes.forEach((node, id) => Object.assign(node, { id, children: [], edge: null, folded: false }));
  nodes.forEach((node) => { if (node.parent !== null) nodes[node.parent].children.push(node); });
  if (!data.graph) edges.forEach((edge) => { nodes[edge.to].edge = edge; });

  // Drawing.
  const lines = make("g", {}, view);
  const boxes = make("g", { role: data.graph ? "list" : "tree", "aria-label": data.title }, view);
  const drawEdge = (edge) => {
    const group = make("g", { class: "edge" }, lines);
    edge.line = make("polyline", {
      fill: "none", stroke: edge.path ? "#222222" : "#999999",
      "stroke-width": edge.path ? 3 : 1, "stroke-dasharray": edge.dashed ? "4 3" : "none",
      "marker-end": edge.arrow ? "url(#arrow)" : "none",
    }, group);
    if (data.graph && edge.words) {
      edge.back = make("rect", { fill: "white", height: 12,
        width: edge.words.length * unit.smallChar + 4 }, group);
    }
    edge.text = make("text", {
      "text-anchor": "middle", "font-size": 10, "font-family": unit.mono, fill: "#333333",
    }, group, edge.words);
    edge.group = group;
  };
  const drawNode = (node) => {
    const { look } = node;
    const group = make("g", {
      class: "node", "data-node": node.id, tabindex: node.id === 0 ? 0 : -1,
      role: data.graph ? "listitem" : "treeitem", "aria-label": node.said,
    }, boxes);
    node.group = group;
    make("rect", { class: "ring", x: -3.5, y: -3.5, width: node.w + 7, height: node.h + 7, rx: 5 }, group);
    node.shape = make("path", {
      d: node.outline, fill: look.fill, stroke: look.stroke, "stroke-width": look.width,
      "stroke-dasharray": look.dashed ? "4 3" : "none",
    }, group);
    if (node.inner) make("path", { d: node.inner, fill: "none", stroke: look.stroke }, group);
    node.body = make("g", {}, group);
    if (node.children.length > 0) {
      node.fold = make("g", { class: "fold", transform: `translate(${node.w / 2},${node.h + 8})` }, group);
      make("circle", { r: 6.5 }, node.fold);
      make("text", { y: 4 }, node.fold, "−");
      node.fold.addEventListener("click", (event) => { event.stopPropagation(); fold(node); });
    }
    group.addEventListener("click", () => select(node));
    group.addEventListener("dblclick", () => fold(node));
  };
  // What stands in a node, as far as it is known at this step.
  const write = (node) => {
    const { look } = node;
    const small = { "font-size": 10, "font-family": unit.mono, fill: node.look.text };
    node.body.replaceChildren();
    let y = unit.pad;
    const known = node.done !== null && node.done <= now;
    if (node.head) {
      y += unit.small;
      const [left, right] = node.head;
      const order = node.order !== null && known ? `${node.order}. ` : "";
      const text = (order + left).trim();
      const middle = { x: node.w / 2, y: y - 3, "text-anchor": "middle" };
      if (text && right) {
        make("text", { ...small, x: unit.pad, y: y - 3 }, node.body, text);
        make("text", { ...small, x: node.w - unit.pad, y: y - 3, "text-anchor": "end",
          "font-weight": "bold" }, node.body, right);
      } else make("text", { ...small, ...middle }, node.body, text || right);
    }
    if (node.board) {
      const [part, width, height] = node.board;
      const board = make("g", { transform: `translate(${node.w / 2 - width / 2},${y + 1})`,
        opacity: look.dashed ? 0.45 : 1 }, node.body);
      board.innerHTML = part;
      y += height + 4;
    }
    for (const line of node.board ? [] : node.lines) {
      y += unit.line;
      make("text", { "font-size": 12, "font-family": unit.mono, fill: node.look.text,
        x: node.w / 2 - node.wide / 2, y: y - 3.5 }, node.body, line.replaceAll(" ", "\u00a0"));
    }
    const foot = node.notes.filter((note) => note.shown && note.step <= now);
    for (const text of [...foot.map((note) => `${note.name} ${note.value}`), ...node.foot]) {
      y += unit.small;
      make("text", { ...small, x: node.w / 2, y: y - 3, "text-anchor": "middle" }, node.body, text);
    }
    node.shape.setAttribute("fill", node.order !== null && !known ? node.look.before : node.look.fill);
  };

  // Layout: as it came, or anew where something is folded.
  const shown = (node) => {
    for (let at = node.parent; at !== null; at = nodes[at].parent) if (nodes[at].folded) return false;
    return true;
  };
  const layOut = () => {
    if (!nodes.some((node) => node.folded)) {
      nodes.forEach((node) => { node.atX = node.x; node.atY = node.y; });
      return;
    }
    // Contours by depth, children before parents: brothers as near as these allow.
    const order = [];
    const stack = [nodes[0]];
    while (stack.length > 0) {
      const node = stack.pop();
      order.push(node);
      if (!node.folded) stack.push(...node.children);
    }
    for (const node of order.reverse()) {
      const half = node.room / 2;
      const children = node.folded ? [] : node.children;
      let left = [], right = [];
      children.forEach((child, number) => {
        let by = 0;
        for (let d = 0; d < Math.min(right.length, child.left.length); d++) {
          by = Math.max(by, right[d] - child.left[d]);
        }
        child.off = number === 0 ? 0 : by;
        child.left.forEach((x, d) => {
          if (d >= left.length) left[d] = x + child.off;
          right[d] = x === undefined ? right[d] : child.right[d] + child.off;
        });
        child.left = child.right = null;
      });
      const middle = children.length === 0 ? 0
        : (children[0].off + children[children.length - 1].off) / 2;
      children.forEach((child) => { child.off -= middle; });
      node.left = [-half, ...left.map((x) => x - middle)];
      node.right = [half, ...right.map((x) => x - middle)];
    }
    nodes[0].centre = 0;
    order.reverse();
    for (const node of order) {
      if (!node.folded) node.children.forEach((child) => { child.centre = node.centre + child.off; });
    }
    const least = Math.min(...order.map((node) => node.centre - node.room / 2));
    for (const node of order) { node.atX = node.centre - least - node.w / 2; node.atY = node.y; }
  };
  const place = () => {
    layOut();
    for (const node of nodes) {
      node.here = shown(node);
      const hidden = !node.here || node.step > now;
      node.group.classList.toggle("later", hidden);
      node.group.setAttribute("transform", `translate(${node.atX},${node.atY})`);
      if (node.children.length > 0) {
        const grown = node.children.some((child) => child.step <= now);
        node.fold.style.display = grown ? "" : "none";
        node.fold.lastChild.textContent = node.folded ? "+" : "−";
        node.group.setAttribute("aria-expanded", String(!node.folded));
      }
      if (!hidden) write(node);
    }
    for (const edge of edges) {
      const [from, to] = [nodes[edge.from], nodes[edge.to]];
      const late = !to.here || !from.here || to.step > now || edge.step > now;
      edge.group.classList.toggle("later", late);
      let { points, at } = edge;
      if (!data.graph) {
        const x = from.atX + from.w / 2;
        const end = to.atX + to.w / 2;
        points = points.map(([, y], number) => [number + 1 === points.length ? end : x, y]);
        at = [end, edge.at[1]];
      }
      edge.line.setAttribute("points", points.map((point) => point.join(",")).join(" "));
      edge.text.setAttribute("x", at[0]);
      edge.text.setAttribute("y", at[1]);
      if (edge.back) {
        edge.back.setAttribute("x", at[0] - edge.back.getAttribute("width") / 2);
        edge.back.setAttribute("y", at[1] - 9);
      }
    }
  };

  // Steps.
  let now = steps.length;
  const slider = byId("step");
  const goTo = (step) => {
    now = Math.max(0, Math.min(steps.length, step));
    slider.value = now;
    slider.setAttribute("aria-valuetext", `step ${now} of ${steps.length}`);
    byId("count").textContent = `${now} / ${steps.length}`;
    byId("back").disabled = byId("first").disabled = now === 0;
    byId("next").disabled = byId("last").disabled = now === steps.length;
    place();
    for (const node of nodes) node.group.classList.remove("current");
    const step_ = steps[now - 1];
    byId("said").textContent = step_ ? step_.text : "before the first step";
    if (step_) {
      nodes[step_.node].group.classList.add("current");
      if (now < steps.length) bring(nodes[step_.node]);
    }
    if (selected) describe(selected);
  };

  // Folding.
  const fold = (node) => {
    if (data.graph || node.children.length === 0) return;
    const before = [node.atX * zoom + left, node.atY * zoom + top];
    node.folded = !node.folded;
    place();
    // The node stays where it was on the screen.
    left = before[0] - node.atX * zoom;
    top = before[1] - node.atY * zoom;
    move();
    byId("said").textContent = node.folded ? "folded" : "unfolded";
  };

  // Selection and details.
  let selected = null;
  const select = (node) => {
    if (selected) {
      selected.group.classList.remove("selected");
      selected.group.setAttribute("tabindex", -1);
      selected.group.removeAttribute("aria-selected");
    }
    selected = node;
    node.group.classList.add("selected");
    node.group.setAttribute("tabindex", 0);
    node.group.setAttribute("aria-selected", "true");
    node.group.focus({ preventScroll: true });
    describe(node);
  };
  const describe = (node) => {
    const panel = byId("details");
    panel.replaceChildren();
    html("h2", panel, `Node ${node.id + 1}`);
    if (node.lines.length > 0) html("pre", panel, node.lines.join("\n"));
    const list = html("dl", panel);
    const item = (name, value) => { html("dt", list, name); html("dd", list, value); };
    item("state", node.term);
    if (node.player) item("to move", node.player);
    if (node.prospect) item("exact play", node.prospect);
    item("depth", String(node.depth));
    const moves = [];
    for (let at = node; at.edge; at = nodes[at.parent]) moves.unshift(at.edge.words);
    if (moves.length > 0) item("moves", moves.join(", "));
    if (data.graph) {
      const [to, from] = ["from", "to"].map((end) => edges.filter((edge) => edge[end] === node.id));
      if (from.length > 0) {
        item("reached by", from.map((edge) => `${edge.words} from ${edge.from + 1}`).join("; "));
      }
      if (to.length > 0) item("leads to", to.map((edge) => `${edge.words}: ${edge.to + 1}`).join("; "));
    }
    if (node.order !== null && node.done <= now) item("expanded", `as number ${node.order}`);
    for (const note of node.notes) if (note.step <= now) item(note.name, note.value);
    if (node.hidden) item("hidden", `${node.hidden}; --depth and --max-nodes draw more`);
    if (node.again !== null) {
      const button = html("button", panel, `drawn at node ${node.again + 1}`);
      button.type = "button";
      button.id = "elsewhere";
      button.addEventListener("click", () => { reveal(nodes[node.again]); select(nodes[node.again]); });
    }
  };
  const reveal = (node) => {
    for (let at = node.parent; at !== null; at = nodes[at].parent) nodes[at].folded = false;
    if (node.step > now) goTo(node.step); else place();
    bring(node);
  };

  // Zoom and place.
  let [zoom, left, top] = [1, 0, 0];
  const move = () => view.setAttribute("transform", `translate(${left},${top}) scale(${zoom})`);
  const zoomBy = (factor, x, y) => {
    const area = stage.getBoundingClientRect();
    const [px, py] = [x ?? area.width / 2, y ?? area.height / 2];
    const next = Math.max(0.02, Math.min(8, zoom * factor));
    left = px - (px - left) * next / zoom;
    top = py - (py - top) * next / zoom;
    zoom = next;
    move();
  };
  const fit = () => {
    const area = stage.getBoundingClientRect();
    const room = 24;
    const [width, height] = [data.width, data.height];
    zoom = Math.min((area.width - room) / width, (area.height - room) / height, 1.5);
    zoom = Math.max(zoom, 0.02);
    left = (area.width - width * zoom) / 2;
    top = Math.max((area.height - height * zoom) / 2, room / 2);
    move();
  };
  // Moves a node into the picture if it isn't in it.
  const bring = (node) => {
    const area = stage.getBoundingClientRect();
    const [x, y] = [node.atX * zoom + left, node.atY * zoom + top];
    const [w, h] = [node.w * zoom, node.h * zoom];
    if (x < 0 || x + w > area.width) left += area.width / 2 - x - w / 2;
    if (y < 0 || y + h > area.height) top += area.height / 2 - y - h / 2;
    move();
  };
  stage.addEventListener("wheel", (event) => {
    event.preventDefault();
    const area = stage.getBoundingClientRect();
    zoomBy(Math.exp(-event.deltaY / 400), event.clientX - area.left, event.clientY - area.top);
  }, { passive: false });
  let drag = null;
  stage.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    drag = { x: event.clientX - left, y: event.clientY - top, moved: false, id: event.pointerId };
  });
  stage.addEventListener("pointermove", (event) => {
    if (!drag) return;
    const [x, y] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!drag.moved && Math.hypot(x - left, y - top) < 4) return;
    if (!drag.moved) stage.setPointerCapture(drag.id);
    drag.moved = true;
    stage.classList.add("dragged");
    [left, top] = [x, y];
    move();
  });
  const drop = () => { drag = null; stage.classList.remove("dragged"); };
  stage.addEventListener("pointerup", drop);
  stage.addEventListener("pointercancel", drop);

  // Keys.
  const visible = (node) => node && node.here && node.step <= now;
  const beside = (node, by) => {
    const row = nodes.filter((other) => visible(other) && other.depth === node.depth);
    row.sort((a, b) => a.atX - b.atX);
    return row[row.indexOf(node) + by];
  };
  const go = (node) => { if (visible(node)) { select(node); bring(node); } };
  const below = (node) => data.graph
    ? edges.filter((edge) => edge.from === node.id).map((edge) => nodes[edge.to])
      .find((next) => visible(next) && next.depth > node.depth)
    : node.folded ? null : node.children.find(visible);
  const above = (node) => data.graph
    ? edges.filter((edge) => edge.to === node.id).map((edge) => nodes[edge.from])
      .find((next) => visible(next) && next.depth < node.depth)
    : node.parent === null ? null : nodes[node.parent];
  const keys = {
    ArrowUp: (node) => go(above(node)),
    ArrowDown: (node) => go(below(node)),
    ArrowLeft: (node) => go(beside(node, -1)),
    ArrowRight: (node) => go(beside(node, 1)),
    Home: () => go(nodes[0]),
    Enter: (node) => select(node),
    " ": (node) => fold(node),
  };
  const anywhere = {
    n: () => goTo(now + 1), p: () => goTo(now - 1),
    "+": () => zoomBy(1.25), "=": () => zoomBy(1.25), "-": () => zoomBy(0.8), 0: fit,
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (anywhere[event.key]) {
      event.preventDefault();
      anywhere[event.key]();
      return;
    }
    const group = event.target.closest && event.target.closest(".node");
    if (group && keys[event.key]) {
      event.preventDefault();
      keys[event.key](nodes[Number(group.dataset.node)]);
    }
  });
  stage.addEventListener("focusin", (event) => {
    const group = event.target.closest(".node");
    if (group && (!selected || selected.group !== group)) select(nodes[Number(group.dataset.node)]);
  });

  const on = (id, run) => byId(id).addEventListener("click", run);
  on("first", () => goTo(0));
  on("back", () => goTo(now - 1));
  on("next", () => goTo(now + 1));
  on("last", () => goTo(steps.length));
  on("closer", () => zoomBy(1.25));
  on("farther", () => zoomBy(0.8));
  on("whole", fit);
  slider.max = steps.length;
  slider.addEventListener("input", () => goTo(Number(slider.value)));

  edges.forEach(drawEdge);
  nodes.forEach(drawNode);
  goTo(steps.length);
  fit();
  addEventListener("resize", move);
})();
