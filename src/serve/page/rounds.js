// Games in which all choose at once: who of the players has chosen, and what came of it when all had.

import { byId, el, endText, fill, numberOf } from "./dom.js";
import { addEntry, run, say } from "./play.js";
import { app, entry, here, isAtOnce, keepGame, on } from "./state.js";

// Rounds that the score lists, the last ones.
const ROUNDS = 20;

// By player: the number of the action that a person has chosen in this round.
let chosen = new Map();
// The entry of the history that the choices are of.
let of = null;

const seatOf = (player) => app.seats[player] || "human";
const persons = () => app.domain.players.filter((player) => seatOf(player) === "human");
// All that were played up to here.
const past = () => app.history.slice(1, app.at + 1).filter((one) => one.joint);

// Until all have chosen nobody sees what the others have: with one person there is nobody to hide it from.
const choose = (player, action) => {
  chosen.set(player, action);
  if (persons().every((one) => chosen.has(one))) {
    play();
    return;
  }
  const waiting = persons().filter((one) => !chosen.has(one));
  say(`${player} has chosen; ${waiting.join(", ")} ${waiting.length > 1 ? "have" : "has"} not.`);
  show();
};

const play = () => {
  const now = entry();
  const choices = app.domain.players.map((player) => (
    seatOf(player) === "human" ? chosen.get(player) : seatOf(player)));
  const rounds = past().map((one) => one.joint);
  let made = null;
  run("round", { ...here(), choices, past: rounds, seed: app.seed * 1000 + app.at }, (record, data) => {
    if (record === "round") made = data;
  }, (end) => {
    if (entry() !== now) return;
    chosen = new Map();
    if (made) {
      take(made);
    } else {
      say(endText(end), end.outcome === "error");
      show();
    }
  }, "The machine chooses …");
};

// Shows together what all have chosen.
const take = ({ chosen: joint, actions, payoffs, spot }) => {
  const each = app.domain.players.map((player, number) => `${player}: ${actions[number]}`);
  const move = each.join(", ");
  say(payoffs ? `${move}. It pays ${payoffs.join(", ")}.` : `${move}.`);
  addEntry({
    state: spot.state, player: null, move, by: "round", cost: null, board: spot.board, joint, actions, payoffs, spot,
  });
};

// What the rounds so far have paid to each player together.
const totals = () => app.domain.players.map((_, seat) => {
  const sum = past().reduce((all, one) => all + (one.payoffs ? numberOf(one.payoffs[seat]) : 0), 0);
  return Number(sum.toFixed(6));
});

const showScore = () => {
  const score = byId("score");
  const paid = past().filter((one) => one.payoffs);
  score.hidden = paid.length === 0;
  if (paid.length === 0) {
    score.replaceChildren();
    return;
  }
  const cells = (kind, all) => all.map((text) => el(kind, kind === "th" ? { scope: "col" } : {}, String(text)));
  const { players } = app.domain;
  const shown = paid.slice(-ROUNDS);
  const rows = shown.map((one, number) => [
    paid.length - shown.length + number + 1,
    ...players.map((_, seat) => `${one.actions[seat]} (${one.payoffs[seat]})`),
  ]);
  score.replaceChildren(
    el("caption", {}, `Score after ${paid.length}: ${players.map((player, seat) => `${player} ${totals()[seat]}`).join(", ")}`),
    el("thead", {}, el("tr", {}, ...cells("th", ["round", ...players]))),
    el("tbody", {}, ...rows.reverse().map((row) => el("tr", {}, ...cells("td", row)))),
  );
};

const show = () => {
  const list = byId("choices");
  const mine = isAtOnce() && !app.plan;
  list.hidden = !mine;
  byId("next-round").hidden = true;
  if (!mine) {
    list.replaceChildren();
    byId("score").hidden = true;
    return;
  }
  const now = entry();
  if (of !== now) chosen = new Map();
  of = now;
  showScore();
  if (!now || !now.spot || now.spot.over) {
    const isIn = document.activeElement.closest("#choices, #next-round");
    list.replaceChildren();
    if (isIn) byId("turn").focus();
    return;
  }
  byId("next-round").hidden = persons().length > 0;
  const had = list.contains(document.activeElement) ? document.activeElement.dataset.place : null;
  list.replaceChildren(...now.spot.choices.filter(({ player }) => seatOf(player) === "human").map(group));
  if (had !== null) {
    const again = list.querySelector(`[data-place="${CSS.escape(had)}"]:enabled`) || list.querySelector("button:enabled");
    if (again) again.focus();
  }
};

// What a person may choose.
const group = ({ player, actions }) => {
  const done = chosen.has(player);
  const buttons = actions.map((action, place) => el("button", {
    type: "button", disabled: done, "data-place": `${player} ${place}`, onclick: () => choose(player, place),
  }, el("span", { className: "name" }, action)));
  return el("fieldset", { "data-player": player }, el("legend", {}, done ? `${player} has chosen` : `${player} chooses`), ...buttons);
};

// Who sits where.
const showSeats = () => {
  if (!isAtOnce()) return;
  const form = byId("seats");
  form.hidden = false;
  const who = [["human", "a person"], ...app.domain.opponents.map((name) => [name, name])];
  form.replaceChildren(...app.domain.players.map((player) => {
    const select = el("select", { "data-player": player, "aria-label": `who plays ${player}` });
    fill(select, who, seatOf(player));
    select.onchange = () => {
      app.seats[player] = select.value;
      chosen = new Map();
      keepGame();
      show();
    };
    return el("label", {}, `${player} `, select);
  }));
};

export const start = () => {
  byId("next-round").onclick = play;
  on("seats", showSeats);
  on("spot", show);
  on("plan", show);
};
