// What the rules are and what is to be reached, in words: the header of the file, and the goal as a board.

import { picture } from "./board.js";
import { byId, el } from "./dom.js";
import { app, on } from "./state.js";

const paragraph = (one) => (one.lines === undefined ? el("p", {}, one.text) : el("pre", {}, one.lines));

const GOALS = { puzzle: "Goal", game: "How it ends", simultaneous: "What it pays", model: "What is sought", program: "What it answers" };

// The rules stand beside the board, and beside what there is in its place.
const place = () => {
  const played = app.domain && ["puzzle", "game", "simultaneous"].includes(app.domain.kind);
  const has = app.domain && app.domain.header && (app.domain.header.title || app.domain.goal);
  byId("about").hidden = !has || !(app.tab === "play" || (!played && ["solve", "ask"].includes(app.tab)));
};

const show = () => {
  const { header, goal, kind } = app.domain;
  place();
  if (!header) return;
  byId("about-title").textContent = header.title || app.file;
  byId("about-rules").replaceChildren(...header.rules.map(paragraph));
  const words = [];
  const sought = header.goal || (kind === "model" ? `${header.title}.` : "");
  if (sought) words.push(el("p", {}, el("strong", {}, `${GOALS[kind]}: `), sought));
  else if (goal) words.push(el("p", {}, el("strong", {}, "Goal: "), "reach this state."));
  byId("about-goal").replaceChildren(...words);
  byId("about-board").replaceChildren(...(goal ? [picture(goal, "the goal"), el("span", { className: "hint" }, "the goal")] : []));
  byId("about-more").hidden = header.more.length === 0;
  byId("about-more-words").replaceChildren(...header.more.map(paragraph));
};

export const start = () => {
  on("opened", show);
  on("shown", place);
};
