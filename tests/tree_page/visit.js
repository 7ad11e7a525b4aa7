// Looks at a page of `zug tree` as a person would, and writes what it saw into the page.
"use strict";
{
  const seen = {};
  const pick = (selector) => Array.from(document.querySelectorAll(selector));
  const node = (id) => document.querySelector(`.node[data-node="${id}"]`);
  const shown = () => pick(".node:not(.later)");
  const click = (element) => element.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  const key = (name, target = document.activeElement) =>
    target.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }));
  const details = () => document.getElementById("details").textContent;
  const count = () => document.getElementById("count").textContent;
  const focused = () => document.activeElement.dataset ? document.activeElement.dataset.node : null;
  const transform = () => document.getElementById("view").getAttribute("transform");
  try {
    seen.nodes = pick(".node").length;
    seen.shown = shown().length;
    seen.steps = count();

    // No two boxes overlap, no words overlap boxes or each other, texts keep to their boxes.
    const box = (element) => element.getBoundingClientRect();
    const places = shown().map((group) => box(group.querySelector("path")));
    const words = pick(".edge:not(.later) text").filter((text) => text.textContent).map(box);
    const all = places.concat(words);
    const apart = (a, b) => a.right <= b.left + 0.5 || b.right <= a.left + 0.5
      || a.bottom <= b.top + 0.5 || b.bottom <= a.top + 0.5;
    seen.overlaps = 0;
    all.forEach((a, at) => all.slice(at + 1).forEach((b) => { if (!apart(a, b)) seen.overlaps++; }));
    seen.spilled = shown().filter((group) => {
      const outer = box(group.querySelector("path"));
      return Array.from(group.querySelectorAll("g:not(.fold) > text")).some((text) => {
        const inner = box(text);
        return inner.left < outer.left - 1 || inner.right > outer.right + 1
          || inner.top < outer.top - 3 || inner.bottom > outer.bottom + 3;
      });
    }).map((group) => group.getAttribute("aria-label"));
    seen.unlabelled = pick(".node:not([aria-label]), button:not([type])").length;

    // Clicks show details.
    click(node(1));
    seen.clicked = details();
    seen.selected = pick(".node.selected").map((group) => group.dataset.node);

    // Steps: to the beginning, forward by button and key, back.
    click(document.getElementById("first"));
    seen.first = [count(), shown().length];
    click(document.getElementById("next"));
    seen.next = [count(), shown().length];
    seen.said = document.getElementById("said").textContent;
    seen.current = pick(".node.current").map((group) => group.dataset.node);
    key("n");
    seen.n = count();
    key("p");
    seen.p = [count(), shown().length];
    const slider = document.getElementById("step");
    slider.value = slider.max;
    slider.dispatchEvent(new Event("input"));
    seen.slid = [count(), shown().length];

    // Keys: from the root down, beside, up; folding.
    click(node(0));
    key("ArrowDown");
    seen.down = focused();
    key("ArrowRight");
    seen.right = focused();
    key("ArrowLeft");
    seen.left = focused();
    key("ArrowUp");
    seen.up = focused();
    key(" ");
    seen.folded = [shown().length, node(0).getAttribute("aria-expanded")];
    key(" ");
    seen.unfolded = [shown().length, node(0).getAttribute("aria-expanded")];
    // With one subtree folded the others move together, and nothing overlaps.
    const inner = pick(".node[aria-expanded]")[1];
    if (inner) {
      inner.dispatchEvent(new MouseEvent("dblclick", { bubbles: true }));
      const rest = shown().map((group) => box(group.querySelector("path")));
      seen.partly = shown().length;
      seen.partlyOverlaps = 0;
      rest.forEach((a, at) => rest.slice(at + 1).forEach((b) => {
        if (!apart(a, b)) seen.partlyOverlaps++;
      }));
      inner.dispatchEvent(new MouseEvent("dblclick", { bubbles: true }));
    }

    // Zoom.
    key("0");
    const whole = transform();
    key("+");
    seen.closer = transform() !== whole;
    key("-");
    key("0");
    seen.whole = transform() === whole;
    document.getElementById("picture").dispatchEvent(
      new WheelEvent("wheel", { deltaY: -100, bubbles: true, cancelable: true }));
    seen.wheel = transform() !== whole;

    // From an ellipsis to where the state is drawn.
    const again = pick(".node").find((group) => / drawn elsewhere/.test(group.getAttribute("aria-label")));
    if (again) {
      click(again);
      const button = document.getElementById("elsewhere");
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
