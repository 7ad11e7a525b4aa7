// Shortcuts of the whole page, and the list of them.

import { byId, el } from "./dom.js";
import { keepLetters, keptLetters } from "./state.js";

const LIST = [
  [["↑", "↓", "←", "→"], "on the board: from square to square; where moves are directions, make them"],
  [["Shift", "↑", "…"], "on the board, where moves are directions: from square to square"],
  [["Enter", "Space"], "on the board: choose the square"],
  [["←", "→"], "elsewhere, when a plan is shown: step through it"],
  [["Esc"], "lets go of squares, stops what runs, leaves a plan"],
  [["u"], "take a move back"],
  [["r"], "make it again"],
  [["n"], "from the start"],
  [["h"], "hint"],
  [["v"], "value of every move"],
  [["s"], "solve from here"],
  [["1", "…", "6"], "Play, Solve, Tree, Compare, Ask, Rules"],
  [["b"], "to the board"],
  [["Ctrl", "S"], "save the rules"],
  [[";"], "at an empty prompt: the next answer"],
  [["?"], "these keys"],
];

const isTyping = (target) => target.closest("input, textarea, select, [contenteditable]");

// Single letters, digits and signs may be off: who speaks to the machine types them unawares.
let hasLetters = true;

// Runs what keys mean: `single` by key, `arrows` with -1 or 1, `step` with an arrow key, `escape`.
export const listen = ({ single, arrows, step, escape, save, isShown }) => {
  document.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "s") {
      event.preventDefault();
      save();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (document.querySelector("dialog[open]")) return;
    if (!isShown()) {
      if (event.key === "?" && hasLetters && !isTyping(event.target)) open();
      return;
    }
    if (event.key === "Escape" && !event.target.closest("textarea")) {
      if (escape()) event.preventDefault();
      return;
    }
    if (isTyping(event.target)) return;
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by && !event.target.closest("[role=tab]") && arrows(by)) {
      event.preventDefault();
    } else if (event.key.startsWith("Arrow") && !event.shiftKey && !event.target.closest("[role=tab], .scroll, pre") && step(event.key)) {
      event.preventDefault();
    } else if (single[event.key] && hasLetters) {
      event.preventDefault();
      single[event.key]();
    }
  });
};

export const start = () => {
  const keys = (names) => names.flatMap((name) => [name === "…" ? " … " : el("kbd", {}, name), " "]);
  byId("key-list").replaceChildren(...LIST.flatMap(([names, words]) => [el("dt", {}, ...keys(names)), el("dd", {}, words)]));
  byId("help").onclick = open;
  hasLetters = keptLetters();
  byId("letters").checked = hasLetters;
  byId("letters").onchange = () => {
    hasLetters = byId("letters").checked;
    keepLetters(hasLetters);
  };
};

export const open = () => byId("keys").showModal();
