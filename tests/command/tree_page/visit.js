// Looks at a page of `zug tree` as a person would, and writes what it saw into the page.
"use strict";
{
  const seen = {};
  const pick = (selector) => Array.from(document.querySelectorAll(selector));
  const node = (id) => document.querySelector(`.node[data-node="${id}"]`);
  const shown = () => pick(".node");
  const byId = (id) => document.getElementById(id);
  const click = (element) => element.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  const key = (name, target = document.activeElement) =>
    target.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }));
  const details = () => byId("details").textContent;
  const count = () => byId("count").textContent;
  const focused = () => document.activeElement.dataset ? document.activeElement.dataset.node : null;
  const transform = () => byId("view").getAttribute("transform");
  const box = (element) => element.getBoundingClientRect();
  const shape = (group) => box(group.querySelector(".shape"));
  const apart = (a, b) => a.right <= b.left + 0.5 || b.right <= a.left + 0.5
    || a.bottom <= b.top + 0.5 || b.bottom <= a.top + 0.5;
  const overlaps = (all) => {
    let found = 0;
    all.forEach((a, at) => all.slice(at + 1).forEach((b) => { if (!apart(a, b)) found++; }));
    return found;
  };
  const whole = () => {
    const marks = pick(".fold.more text").map((text) => Number(text.textContent.replace(/[+,]/g, "")));
    return shown().length + marks.reduce((sum, more) => sum + more, 0);
  };
  // What the elements that can be seen are: nodes, words and what counts them.
  const look = () => ({ nodes: shown().length, whole: whole() });
  try {
    const tree = JSON.parse(byId("tree").textContent);
    const graph = tree.graph;
    const stage = box(byId("picture"));
    const inside = (place) => place.left >= stage.left - 1 && place.right <= stage.right + 1
      && place.top >= stage.top - 1 && place.bottom <= stage.bottom + 1;
    seen.nodes = tree.nodes.length;
    seen.steps = tree.steps.length;

    // As it opens: the root in sight, what is unfolded in the window, text that can be read,
    // playing at its beginning.
    seen.opened = look();
    seen.count = count();
    seen.rootInside = inside(shape(node(0)));
    seen.inside = shown().filter((group) => inside(shape(group))).length;
    const scale = byId("view").getCTM().a;
    seen.type = Math.min(...pick(".node text").map((text) => scale * text.getAttribute("font-size") || 99));
    seen.marked = pick(".fold.more").length;

    // No two boxes overlap, no words overlap boxes or each other, texts keep to their boxes.
    const places = () => shown().map(shape).concat(pick("text.words").map(box));
    seen.overlaps = overlaps(places());
    seen.spilled = shown().filter((group) => {
      const outer = shape(group);
      return Array.from(group.querySelectorAll(".body > text")).some((text) => {
        const inner = box(text);
        return inner.left < outer.left - 1 || inner.right > outer.right + 1
          || inner.top < outer.top - 3 || inner.bottom > outer.bottom + 3;
      });
    }).map((group) => group.getAttribute("aria-label"));
    seen.unlabelled = pick(".node:not([aria-label]), button:not([type])").length;

    if (!graph) {
      // A folded node is unfolded by a click, and stays where it was.
      const folded = pick(".node").find((group) => group.querySelector(".fold.more"));
      if (folded) {
        const id = folded.dataset.node;
        const before = shape(folded);
        const nodes = shown().length;
        const children = () => shown().filter((group) => tree.nodes[group.dataset.node].parent === Number(id));
        seen.clickUnfolds = children().length === 0;
        click(folded);
        const after = shape(node(id));
        // Its children are drawn; those beside it may have gone out of the window.
        seen.clickUnfolds &&= children().length > 0;
        seen.stays = Math.abs(after.left - before.left) < 1 && Math.abs(after.top - before.top) < 1;
        seen.unfoldedOverlaps = overlaps(places());
        click(node(id).querySelector(".fold"));
        seen.foldsAgain = [node(id).getAttribute("aria-expanded"), shown().length === nodes];
      }
      // Turned it is as tidy.
      key("t", document.body);
      seen.turned = overlaps(places());
      key("t", document.body);
      // All of it, and again the root alone with its children.
      click(byId("unfold"));
      key("0", document.body);
      const far = pick("#view path[stroke-width='2']").length > 0;
      seen.all = far || shown().length === tree.nodes.length;
      seen.elements = document.querySelectorAll("*").length;
      click(byId("fold"));
      key("Home", document.body);
      seen.foldAll = look();
    }

    // The path, or the line of best play.
    if (!byId("path").hidden) {
      click(byId("path"));
      const path = tree.nodes.map((entry, id) => [entry.path, id]).filter(([on]) => on).map(([, id]) => id);
      seen.pathShown = path.every((id) => node(id) || true) && !!node(path[0]);
      seen.pathSaid = byId("said").textContent;
    }

    // A state far down is found, and the way to it unfolded.
    const last = tree.nodes.length - 1;
    const find = byId("find");
    find.value = `node ${last + 1}`;
    find.dispatchEvent(new Event("input"));
    seen.found = byId("found").textContent;
    find.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
    seen.foundShown = !!node(last) && inside(shape(node(last))) && node(last).classList.contains("match");
    find.value = "";
    find.dispatchEvent(new Event("input"));

    // Clicks show details.
    key("Home", document.body);
    click(node(0));
    seen.clicked = details();
    seen.selected = pick(".node.selected").map((group) => group.dataset.node);

    // Steps: the beginning, forward by button and key, back.
    click(byId("first"));
    seen.first = [count(), shown().length];
    click(byId("next"));
    seen.next = [count(), shown().length];
    seen.said = byId("said").textContent;
    seen.current = pick(".node.current").map((group) => group.dataset.node);
    key("n");
    seen.n = count();
    key("p");
    seen.p = [count(), shown().length];
    const slider = byId("step");
    slider.value = slider.max;
    slider.dispatchEvent(new Event("input"));
    key("0", document.body);
    seen.slid = [count(), look().whole];
    click(byId("whole"));
    seen.again = look();

    // Keys: from the root down, beside, up; folding.
    const down = pick(".fold").length && box(pick(".fold")[0]).left > shape(node(0)).right ? "right" : "down";
    const [into, next, back, out] = down === "down" || graph
      ? ["ArrowDown", "ArrowRight", "ArrowLeft", "ArrowUp"]
      : ["ArrowRight", "ArrowDown", "ArrowUp", "ArrowLeft"];
    click(node(0));
    key(into);
    seen.down = focused();
    key(next);
    seen.right = focused();
    key(back);
    seen.left = focused();
    key(out);
    seen.up = focused();
    key(" ");
    seen.folded = [shown().length, node(0).getAttribute("aria-expanded")];
    key(" ");
    seen.unfolded = node(0).getAttribute("aria-expanded");

    // Zoom.
    key("0");
    const all = transform();
    key("+");
    seen.closer = transform() !== all;
    key("-");
    key("0");
    seen.fit = transform() === all;
    byId("picture").dispatchEvent(
      new WheelEvent("wheel", { deltaY: -100, bubbles: true, cancelable: true }));
    seen.wheel = transform() !== all;

    // From an ellipsis to where the state is drawn.
    const again = tree.nodes.findIndex((entry) => entry.again !== undefined);
    if (again >= 0) {
      find.value = `node ${again + 1}`;
      find.dispatchEvent(new Event("input"));
      while (!(node(again) && node(again).classList.contains("selected"))) {
        find.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
      }
      const button = byId("elsewhere");
      seen.elsewhere = button.textContent;
      click(button);
      seen.there = pick(".node.selected").map((group) => group.dataset.node);
    }
  } catch (error) {
    seen.error = String(error.stack || error);
  }
  const out = document.createElement("pre");
  out.id = "seen";
  out.textContent = JSON.stringify(seen);
  document.body.append(out);
}
