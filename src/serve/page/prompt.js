// Queries: answers one by one, and explanations as proofs.

import { byId, el, endText, hide, marked } from "./dom.js";
import { has } from "./editor.js";
import { app, ask, here, isGame, isPuzzle, on, tell } from "./state.js";

const HISTORY = 100;
// Levels of a proof that are unfolded at first.
const UNFOLDED = 3;

let job = null;
let block = null;
let waiting = false;
const asked = [];
let recalled = 0;

const place = (file, line) => el("button", {
  type: "button", className: "place", onclick: () => tell("goto", file, line),
}, `${file}:${line}`);

// Lines with their depth, as lists inside each other.
const proofTree = (lines) => {
  const root = el("ul", { className: "proof" });
  const open = [root];
  lines.forEach((line, number) => {
    open.length = Math.min(open.length, line.depth + 1);
    const words = [el("span", { className: "goal" }, line.goal)];
    const beside = el("span", { className: "beside" });
    if (line.place) beside.append(place(...line.place), " ");
    if (line.remark) beside.append(`${line.remark} `);
    beside.append(line.variables.map(([name, value]) => `${name} = ${value}`).join(", "));
    words.push(beside);
    const below = lines[number + 1] && lines[number + 1].depth > line.depth;
    const item = el("li");
    if (below) {
      const inner = el("ul");
      item.append(el("details", { open: line.depth < UNFOLDED }, el("summary", {}, ...words), inner));
      open[open.length - 1].append(item);
      open.push(inner);
    } else {
      item.append(...words);
      open[open.length - 1].append(item);
    }
  });
  return root;
};

const finding = (data) => {
  const item = el("div", { className: "finding" }, ...marked(data.message), " ");
  if (data.place) item.append(place(data.place.file, data.place.line));
  if (data.place && data.place.label) item.append(" (", ...marked(data.place.label), ")");
  data.related.forEach((other) => item.append(el("p", { className: "hint" }, place(other.file, other.line), " ", ...marked(other.label))));
  data.hints.forEach((hint) => item.append(el("p", { className: "hint" }, ...marked(hint))));
  return item;
};

const explanation = (data) => {
  const parts = [];
  if (data.proof.length > 0) parts.push(proofTree(data.proof));
  if (data.omitted > 0) parts.push(el("p", {}, `… and ${data.omitted} more goals`));
  if (data.title && data.proof.length === 0) parts.push(el("p", {}, ...marked(data.title)));
  if (data.state) parts.push(el("p", {}, "the state there: ", ...marked(data.state)));
  parts.push(...data.findings.map(finding));
  parts.push(...data.notes.map((note) => el("p", {}, ...marked(note))));
  return el("div", {}, ...parts);
};

const write = (...parts) => {
  const log = byId("answers");
  const atEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 60;
  block.append(...parts);
  if (atEnd) log.scrollTop = log.scrollHeight;
};

const busy = (isBusy, hasMore = false) => {
  waiting = hasMore;
  for (const [id, isShown] of [["more", hasMore], ["ask-stop", isBusy]]) {
    if (isShown) byId(id).hidden = false;
    else hide(id, "goal");
  }
};

const answer = (data) => {
  const text = el("pre", {}, data.text);
  write(text);
  if (data.full) {
    const all = el("button", { type: "button", onclick: () => { text.textContent = data.full; all.remove(); byId("answers").focus(); } }, "all of it");
    write(all);
  }
  busy(true, data.more);
  if (data.more && byId("ask").contains(document.activeElement)) byId("more").focus();
};

const query = (goal) => {
  if (job) job.stop();
  const text = goal.trim();
  if (!text) return;
  if (asked[asked.length - 1] !== text) asked.push(text);
  asked.splice(0, asked.length - HISTORY);
  recalled = asked.length;
  const start = here();
  const from = start.state ? "from the state on the board" : start.instance ? `from ${start.instance}` : "";
  block = el("div", { className: "query running" },
    el("div", { className: "goal" }, `?- ${text.replace(/\.\s*$/, "")}.`, " ", el("span", { className: "hint" }, from)));
  const own = block;
  byId("answers").append(block);
  block.scrollIntoView({ block: "nearest" });
  let count = 0;
  let explained = false;
  const current = ask("query", { ...start, goal: text }, (record, data) => {
    if (job !== current) return;
    if (record === "output") write(el("pre", { className: "written" }, data.text));
    if (record === "answer") {
      count += 1;
      // An explanation says more than that its goal is true.
      if (!(explained && data.text === "true")) answer(data);
      else busy(true, data.more);
    }
    if (record === "explanation") {
      explained = true;
      write(explanation(data));
    }
  });
  job = current;
  busy(true);
  current.ended.then((end) => {
    own.classList.remove("running");
    if (job !== current) return;
    job = null;
    const hadMore = waiting;
    busy(false);
    if (end.outcome === "done") {
      if (count === 0 && !explained) {
        const why = el("button", { type: "button", onclick: () => query(about("why_not", text)) }, "why not?");
        write(el("pre", {}, "false."), why);
      }
      (end.notes || []).forEach((note) => write(el("p", {}, note)));
    } else if (end.outcome !== "interrupted" || !hadMore) {
      write(el("p", { className: end.outcome === "interrupted" ? "hint" : "error" }, endText(end)));
      const found = end.error && end.error.finding;
      if (found) found.hints.forEach((hint) => write(el("p", { className: "hint" }, hint)));
      ((end.error && end.error.calls) || []).filter((call) => call.line).slice(0, 8)
        .forEach((call) => write(el("p", { className: "hint" }, `${call.predicate} `, place(call.file, call.line))));
    }
  });
};

const bare = (text) => text.trim().replace(/\.\s*$/, "");

// A goal about a goal. What is more than one term needs brackets of its own.
const about = (name, text) => {
  const goal = bare(text);
  return /^[a-z]\w*(\([^()]*\))?$/.test(goal) ? `${name}(${goal})` : `${name}((${goal}))`;
};

const more = () => {
  if (!job || !waiting) return;
  busy(true);
  job.more();
  byId("goal").focus();
};

// The goal by which a predicate has the start that is chosen: a start without a name is known by its number.
const started = (name, what) => {
  const { instance } = app;
  const isNamed = instance && (!/^\d+$/.test(instance) || has(new RegExp(`^${name}\\(\\s*${instance}\\s*,`, "m")));
  return isNamed ? `${name}(${instance}, ${what})` : `${name}(${what})`;
};

// How many arguments a predicate has in the text, where its first clause begins.
const arity = (name) => {
  const head = byId("source").value.match(new RegExp(`^${name}\\((.*?)\\)\\s*(:-|\\.)`, "ms"));
  let inside = head ? head[1] : "";
  for (let before = ""; before !== inside;) [before, inside] = [inside, inside.replace(/[([{][^()[\]{}]*[)\]}]/g, "_")];
  return inside.split(",").length;
};

// Queries to begin with: what they find, and the goal. The first stands in the empty field.
const examples = () => {
  const { kind, heuristics, players } = app.domain;
  if (isPuzzle()) {
    const engine = heuristics.length > 0 ? "astar" : "ucs";
    return [
      ["the moves of the start", `${started("initial_state", "S")}, rule(Move, Cost, S, S2)`],
      ["a plan", `${engine}(Plan, Cost)`], ["the best move", `${engine}([Move|_], Cost)`],
    ];
  }
  if (isGame()) {
    const first = app.history.length > 0 ? app.history[0].player : players[0];
    const moves = arity("move") === 3 ? "move(Move, S, S2)" : `move(${first}, Move, S, S2)`;
    // What has a heuristic is often too large to be solved.
    const best = has(/^heuristic\(/m) && !has(/^move\(\s*chance\b/m) && players.length === 2
      ? [["the best move, 4 moves ahead", "alphabeta(J, S, 0, 4, [Move, Value])"], ["the line of best play", "principal_variation(J, S, 4, Line)"]]
      : [["the best move", "best_move(J, S, Move)"], ["the value of the game", "solve_game(J, S, Value)"]];
    return [["the moves of the start", `${started("initial_state", "S")}, ${moves}`], ...best];
  }
  if (kind === "simultaneous") return [["what to choose", "nash(Strategies, Values)"]];
  if (kind === "model") {
    const model = started("model", "Vars");
    return [["a solution", `${model}, term_variables(Vars, All), label(All)`], ["what is known at once", model]];
  }
  return [["each of a list", "member(X, [1, 2, 3])"]];
};

export const start = () => {
  const goal = byId("goal");
  byId("ask").onsubmit = (event) => {
    event.preventDefault();
    query(goal.value);
  };
  byId("ask-why").onclick = () => bare(goal.value) && query(about("why", goal.value));
  byId("ask-why-not").onclick = () => bare(goal.value) && query(about("why_not", goal.value));
  byId("more").onclick = more;
  byId("ask-stop").onclick = () => job && job.stop();
  goal.onkeydown = (event) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (by && asked.length > 0) {
      event.preventDefault();
      recalled = Math.max(0, Math.min(asked.length, recalled + by));
      goal.value = asked[recalled] ?? "";
    } else if (event.key === ";" && waiting && goal.value === "") {
      event.preventDefault();
      more();
    }
  };
  const offer = () => {
    if (!app.domain) return;
    const all = examples();
    if (goal.placeholder === all[0][1]) return;
    goal.placeholder = all[0][1];
    byId("examples").replaceChildren("Try: ", ...all.map(([words, text]) => el("button", {
      type: "button", title: text, onclick: () => { goal.value = text; query(text); },
    }, words)));
  };
  on("opened", () => {
    if (job) job.stop();
    offer();
  });
  // Another start may have been chosen.
  on("spot", offer);
};
