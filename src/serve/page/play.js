// The board, its moves, who plays, hints and values.

import { Board, differing, sameShape } from "./board.js";
import { byId, counted, el, enable, endText, fill, hide, marked, numberOf, timeLeft } from "./dom.js";
import {
  app, ask, entry, here, isAtOnce, isGame, isPlayed, isPuzzle, isSearched, keepGame, keptGame, on, tell, writeAddress,
} from "./state.js";

const LEVELS = [1, 2, 3, 4, 5, 6, 7, 8, 9];
// Time for a move of the machine and for each value, in seconds.
const THINKING = 2;
// Beyond so many moves the list is folded, if the board can be clicked.
const LISTED = 24;

let board = null;
// Squares of each move of the state on the board.
let reach = [];
// Squares that were clicked so far.
let chosen = [];
// What was found out about the moves: by place.
let values = new Map();
let hinted = null;
// The file's moves are directions: arrow keys make them.
let directed = false;
// The list of moves was folded since it is long.
let folded = false;
// The job that is waited for, and what it is for.
let job = null;
let looking = null;
let paused = false;

export const say = (text, bad = false, ...more) => {
  const said = byId("said");
  said.replaceChildren(text, ...more);
  said.classList.toggle("error", bad);
};

// Says why something failed, what zug advises, and the way to the line.
export const sayWhy = (end) => {
  const words = endText(end);
  const all = [end.error && end.error.finding, ...(end.findings || [])].filter(Boolean);
  const one = all.find((finding) => finding.place && finding.place.file === app.file) || all[0];
  if (!one) {
    say(words, true);
    return;
  }
  const { message, place, hints } = one;
  const advice = [message, ...(place && place.label ? [place.label] : []), ...hints].filter((part) => !words.includes(part));
  const parts = advice.length > 0 ? [el("span", { className: "hint" }, ...marked(advice.join("; ")))] : [];
  if (place && place.file === app.file) {
    parts.push(" ", el("button", { type: "button", onclick: () => tell("goto", place.file, place.line, place.span) }, `Open line ${place.line}`));
  }
  say("", true, ...marked(words), " ", ...parts);
};

const seatOf = (player) => app.seats[player] || "human";
const isMachineTurn = (now) => isGame() && now.spot && !now.spot.over
  && (now.spot.chance || seatOf(now.player) !== "human");

// The machine is at work on its move: nothing else is asked meanwhile.
const isThinking = (now) => isMachineTurn(now) && !paused;

// The game from its beginning, or as it was before the page was loaded.
export const begin = (wanted) => {
  stop();
  dropPlan();
  app.former = null;
  values.clear();
  app.seed = 1 + Math.floor(Math.random() * 1e6);
  app.seats = {};
  const machine = isAtOnce() ? app.domain.opponents[0] : "level:7";
  app.domain.players.forEach((player, number) => { app.seats[player] = number === 0 ? "human" : machine; });
  const kept = keptGame(app.file);
  // Where no move was made the rules say what the start is: they may be others now.
  const fits = kept && (kept.history.length > 1 || kept.given) && (kept.instance || null) === (app.instance || null);
  const at = fits ? kept.history[kept.at] : null;
  if (fits && kept.seats) Object.assign(app.seats, kept.seats);
  showSeats();
  if (at && (!wanted.state || wanted.state === at.state)) {
    app.history = kept.history.map((one) => ({ ...one, spot: null }));
    app.at = kept.at;
    app.seed = kept.seed || app.seed;
    app.given = kept.given === true;
    arrive();
  } else if (wanted.state) {
    fromState(wanted);
  } else {
    restart();
  }
};

const restart = (words = "", former = null) => {
  stop();
  dropPlan();
  app.given = false;
  say(words, words !== "");
  look(app.instance ? { instance: app.instance } : {}, (found) => {
    app.former = former;
    beginAt(found);
  });
};

// The game that is left can be had back until another move is made.
const startAgain = () => {
  if (!isPlayed()) return;
  const { history, at, given } = app;
  restart("", history.length > 1 ? { history, at, given } : app.former);
};

// From a state that stands in the address, if it is one.
const fromState = ({ state, player }) => {
  look({ state, ...(player ? { player } : {}) }, (found) => {
    app.given = true;
    beginAt(found);
  }, (end) => restart(`The state in the address can't be used: ${endText(end)}`));
};

const beginAt = (found) => {
  app.history = [{ state: found.state, player: found.player, move: null, board: found.board, spot: found }];
  app.at = 0;
  arrive();
};

// What can't be shown.
const unseen = (end) => {
  sayWhy(end);
  enable("restart", true);
  rest();
  if (!entry()) tell("failed");
};

// Asks for a state and its moves.
const look = (question, receive, failed = unseen) => {
  if (looking) looking.stop();
  byId("board").classList.add("busy");
  let found = null;
  const own = ask("look", question, (record, data) => {
    if (record === "spot") found = data;
  }, { again: true });
  looking = own;
  own.ended.then((end) => {
    if (looking !== own) return;
    looking = null;
    byId("board").classList.remove("busy");
    if (found) receive(found);
    else if (end.outcome !== "interrupted") failed(end);
  });
};

// A position that comes for the third time ends a game without chance.
const isRepeated = (now) => {
  if (!isGame() || now.spot.over) return false;
  const past = app.history.slice(0, app.at + 1);
  const same = (one) => one.state === now.state && one.player === now.player;
  return !past.some((one) => one.by === "chance") && past.filter(same).length >= 3;
};

// Shows the state at which the game is, and asks for its moves if they are not known.
const arrive = () => {
  const now = entry();
  chosen = [];
  values.clear();
  hinted = null;
  byId("advice").textContent = "";
  keepGame();
  writeAddress();
  if (now.spot) {
    show();
    goOn();
    return;
  }
  show();
  look(here(), (found) => {
    if (entry() !== now) return;
    Object.assign(now, { spot: found, board: found.board, state: found.state, player: found.player });
    if (isRepeated(now)) {
      Object.assign(now.spot, { over: true, ending: "a draw: the same position for the third time", moves: [] });
    }
    show();
    goOn();
  });
};

// The machine moves where it is its turn.
const goOn = () => {
  const now = entry();
  hide("go-on", "hint");
  if (app.plan || !isMachineTurn(now) || app.at !== app.history.length - 1) {
    rest();
    return;
  }
  if (paused) {
    byId("go-on").hidden = false;
    rest();
    return;
  }
  const agent = now.spot.chance ? "random" : seatOf(now.player);
  let made = null;
  run("machine", { ...here(), agent, seed: app.seed * 1000 + app.at, seconds: THINKING }, (record, data) => {
    if (record === "machine") made = data;
  }, (end) => {
    if (entry() !== now) return false;
    if (made) {
      say(made.text);
      make(made.choice, now.spot.chance ? "chance" : agent);
    } else if (end.outcome !== "lost") {
      paused = true;
      show();
      byId("go-on").hidden = false;
      say(end.outcome === "interrupted" ? "" : endText(end), end.outcome !== "interrupted");
    }
    return made !== null;
  }, now.spot.chance ? "Chance moves …" : `${now.player} (${agent}) thinks …`);
};

// Goes on to a state behind the one on the board.
export const addEntry = (next) => {
  if (["human", "round"].includes(next.by)) app.former = null;
  app.history.length = app.at + 1;
  app.history.push(next);
  app.at += 1;
  arrive();
};

// Makes a move by its place.
export const make = (choice, by = "human") => {
  const now = entry();
  const move = now && now.spot && now.spot.moves[choice];
  if (!move) return;
  dropPlan();
  if (by === "human") {
    stop();
    paused = false;
    say("");
  }
  addEntry({
    state: move.state, player: move.player, move: move.text, cost: move.cost, by, board: move.board, squares: move.squares || null,
    spot: null,
  });
};

const goTo = (at) => {
  if (at < 0 || at >= app.history.length) return;
  stop();
  dropPlan();
  app.at = at;
  say("");
  arrive();
};

// Back to where a person was to move; in a puzzle one move.
const undo = () => {
  if (app.plan) {
    leavePlan();
    return;
  }
  if (app.former) {
    stop();
    say("");
    Object.assign(app, app.former, { former: null });
    paused = isGame();
    arrive();
    return;
  }
  let at = app.at - 1;
  while (at > 0 && isGame() && app.history[at + 1].by !== "human") at -= 1;
  paused = isGame();
  goTo(at);
};
const redo = () => goTo(app.at + 1);

const dropPlan = () => {
  if (!app.plan) return;
  app.plan = null;
  tell("plan");
};

// Back from a plan to the game, which goes on.
export const leavePlan = () => {
  dropPlan();
  goOn();
};

// While a plan is shown the game rests.
const planned = () => {
  if (app.plan && job) {
    stop();
    say("");
  }
  show();
};

// A job of this part of the page: one at a time. `done` says whether another one follows.
export const run = (what, question, receive, done, words) => {
  cancel();
  const own = ask(what, question, (record, data) => {
    if (job !== own) return;
    if (record === "output") say(data.text);
    else receive(record, data);
  });
  job = own;
  byId("stop-play").hidden = false;
  if (words) say(words);
  own.ended.then((end) => {
    if (job !== own) return;
    job = null;
    // Between the moves of machines Stop stays.
    if (!done(end)) rest();
  });
};

const cancel = () => {
  if (job) job.stop();
  job = null;
};

// Without a job there is nothing to stop.
const rest = () => {
  if (!job) hide("stop-play", byId("go-on").hidden ? "hint" : "go-on");
};

export const stop = () => {
  cancel();
  rest();
};

// Stops what runs. A machine that is stopped may still make the move that it has found; the next one waits.
const halt = () => {
  const now = entry();
  if (!job || (now && isMachineTurn(now))) paused = true;
  if (job) job.stop();
  else rest();
};

const hint = () => {
  const now = entry();
  if (app.plan || !now || !now.spot || now.spot.over || isThinking(now)) return;
  let advice = null;
  run("hint", { ...here(), seconds: THINKING }, (record, data) => {
    if (record === "advice") advice = data;
  }, (end) => {
    if (entry() !== now) return;
    byId("advice").textContent = advice ? advice.text : endText(end);
    hinted = advice ? advice.choice : null;
    say("");
    show();
  }, "Looking ahead …");
};

const value = () => {
  const now = entry();
  if (app.plan || !now || !now.spot || now.spot.over || isThinking(now)) return;
  values.clear();
  byId("moves-fold").open = true;
  const all = now.spot.moves.length;
  const began = performance.now();
  run("values", { ...here(), seconds: THINKING }, (record, data) => {
    if (record !== "value" || entry() !== now) return;
    values.set(data.choice, data);
    const left = timeLeft(values.size, all, (performance.now() - began) / 1000);
    say(`Values: ${values.size} of ${all}${left ? `, ${left}` : ""}`);
    showMoves();
  }, (end) => {
    if (entry() !== now) return;
    const best = bestValues();
    const words = best.map((choice) => now.spot.moves[choice].text);
    say(end.outcome === "done" && words.length > 0 ? `Best: ${words.join(", ")}` : endText(end), end.outcome === "error");
    showMoves();
  }, `Values: 0 of ${all}`);
};

// The places of the best moves that have a value.
const bestValues = () => {
  const known = [...values].map(([choice, data]) => [choice, numberOf(data.value)]).filter(([, value]) => value !== null);
  if (known.length === 0) return [];
  const all = known.map(([, value]) => value);
  const best = isPuzzle() ? Math.min(...all) : Math.max(...all);
  const good = known.filter(([, value]) => value === best).map(([choice]) => choice);
  // The shortest win, the longest defence.
  const distances = good.map((choice) => values.get(choice).distance);
  if (best === 0 || distances.some((distance) => distance === undefined)) return good;
  const wanted = best > 0 ? Math.min(...distances) : Math.max(...distances);
  return good.filter((choice) => values.get(choice).distance === wanted);
};

// Moves that are directions, by arrow key; nothing where some move is none, or two have the same.
const WORDS = {
  up: "ArrowUp", north: "ArrowUp", haut: "ArrowUp", down: "ArrowDown", south: "ArrowDown", bas: "ArrowDown",
  left: "ArrowLeft", west: "ArrowLeft", gauche: "ArrowLeft", right: "ArrowRight", east: "ArrowRight", droite: "ArrowRight",
};
const directions = (moves) => {
  const found = new Map();
  for (const [choice, move] of moves.entries()) {
    const words = (move.text.toLowerCase().match(/[a-z]+/g) || []).filter((word) => WORDS[word]);
    if (words.length !== 1 || found.has(WORDS[words[0]])) return null;
    found.set(WORDS[words[0]], choice);
  }
  return found;
};

// Makes the move of an arrow key; whether arrow keys are moves here.
export const step = (key) => {
  const now = entry();
  if (!directed || app.plan || !now || !now.spot || isMachineTurn(now)) return false;
  const found = directions(now.spot.moves);
  if (found && found.has(key)) make(found.get(key));
  else if (found) say("No move goes there.");
  return true;
};

// The squares of each move: those that the rules name, else those that it changes. Where a move shifts the
// text, what it changes says nothing.
const reachOf = (now) => {
  const isTold = now.spot.moves.every((move) => move.squares || sameShape(now.board, move.board));
  const all = now.spot.moves.map((move) => {
    if (move.squares) return new Set(move.squares.map((square) => square.join(",")));
    return isTold ? differing(now.board, move.board) : new Set();
  });
  if (!now.board || now.board.grid || all.length < 2) return all;
  // In a text, what all moves change says nothing.
  const common = [...all[0]].filter((key) => all.every((own) => own.has(key)));
  const bare = all.map((own) => new Set([...own].filter((key) => !common.includes(key))));
  return bare.every((own) => own.size > 0) ? bare : all;
};

// The squares of moves that are framed: of those that the rules name for a move, the ones that it changes.
const framedOf = (now) => new Set(reach.flatMap((own, choice) => {
  const move = now.spot.moves[choice];
  if (!move.squares) return [...own];
  const changed = [...differing(now.board, move.board)].filter((key) => own.has(key));
  return changed.length > 0 ? changed : [...own];
}));

// The squares that the last move changed; of those that the rules name for it, if they do.
const lastOf = (all, at) => {
  if (at === 0 || !all[at - 1]) return new Set();
  const changed = differing(all[at - 1].board, all[at].board);
  const named = (all[at].squares || []).map((square) => square.join(",")).filter((key) => changed.has(key));
  return named.length > 0 ? new Set(named) : changed;
};

// What a click on a square means: the moves that change it and all squares clicked before.
const pick = (key) => {
  if (app.plan) return;
  const now = entry();
  if (!now || !now.spot || isMachineTurn(now)) return;
  const fits = (squares) => reach.map((own, choice) => (squares.every((one) => own.has(one)) ? choice : -1))
    .filter((choice) => choice >= 0);
  let next = chosen.includes(key) ? chosen.filter((one) => one !== key) : [...chosen, key];
  let found = fits(next);
  if (found.length === 0) {
    next = [key];
    found = fits(next);
  }
  if (found.length === 1 && next.length > 0) {
    make(found[0]);
    return;
  }
  if (found.length === 0 && !now.spot.over && reach.some((own) => own.size > 0)) say("No move here.");
  chosen = found.length > 0 ? next : [];
  showChosen(chosen.length > 0 ? found : []);
};

const showTarget = (choice) => board.mark("target", reach[choice] ?? new Set());

// The focus goes from the choice to the board.
const hideChoice = () => {
  const had = byId("choose").contains(document.activeElement);
  byId("choose").hidden = true;
  if (had) board.enter();
};

const showChosen = (found) => {
  const place = byId("choose");
  const now = entry();
  board.mark("chosen", new Set(chosen));
  board.mark("target", new Set(found.flatMap((choice) => [...reach[choice]]).filter((key) => !chosen.includes(key))));
  if (found.length === 0) {
    hideChoice();
    place.replaceChildren();
    return;
  }
  place.hidden = false;
  const buttons = found.slice(0, 24).map((choice) => el("button", {
    type: "button", onclick: () => make(choice), onmouseenter: () => showTarget(choice), onfocus: () => showTarget(choice),
  }, now.spot.moves[choice].text));
  place.replaceChildren(`Which of ${counted(found.length, "move")}?`, ...buttons);
  say(`${found.length} moves are possible here: choose one, or click another place of the move.`);
};

const clearChosen = () => {
  if (chosen.length === 0) return false;
  chosen = [];
  showChosen([]);
  say("");
  return true;
};

// What the moves cost together, if that is known of each: moves of a plan that was taken over don't say.
const costText = () => {
  const costs = app.history.slice(1, app.at + 1).map((one) => numberOf(one.cost ?? null));
  if (costs.includes(null)) return "";
  return `, cost ${Number(costs.reduce((sum, cost) => sum + cost, 0).toFixed(9))}`;
};

// Showing.
const turnText = (now) => {
  if (now.spot.over) {
    if (isPuzzle()) {
      return app.at === 0 ? "Solved: nothing is to be done." : `Solved! ${counted(app.at, "move")}${costText()}`;
    }
    return `Over: ${now.spot.ending}`;
  }
  if (isAtOnce()) return `Round ${app.at + 1}: all choose at once`;
  if (now.spot.moves.length === 0) return "No move leads on from here.";
  if (isPuzzle()) return app.at === 0 ? "Your move" : `${counted(app.at, "move")} made`;
  if (now.spot.chance) return "Chance is to move";
  const seat = seatOf(now.player);
  return `${now.player} to move${seat === "human" ? "" : ` (${seat})`}`;
};

export const show = () => {
  const turn = byId("turn");
  byId("history").hidden = !isPlayed();
  byId("hint").hidden = !isPlayed() || !entry();
  for (const id of ["values", "moves-fold"]) byId(id).hidden = !isSearched() || !entry();
  if (app.plan) {
    const { frames, at, title } = app.plan;
    const frame = frames[at];
    turn.textContent = `${title}: ${at} of ${frames.length - 1}${frame.move ? `, ${frame.move}` : ""}`;
    turn.className = "";
    reach = [];
    board.draw(frame.board || { text: frame.state }, {
      title: `board, step ${at}`, last: lastOf(frames, at), near: frames.map((one) => one.board),
    });
    hideChoice();
    return;
  }
  const now = entry();
  if (!now) {
    directed = false;
    byId("arrows-hint").hidden = true;
    board.draw(null);
    turn.textContent = "";
    byId("moves").replaceChildren();
    return;
  }
  // Until it is known what there is to say, what was said stays.
  const words = now.spot ? turnText(now) : turn.textContent;
  if (turn.textContent !== words) turn.textContent = words;
  turn.className = now.spot && now.spot.over ? "won" : "";
  const data = now.board || (now.spot ? now.state && { text: now.state } : board.data);
  reach = now.spot ? reachOf(now) : [];
  if (now.spot && now.spot.moves.length > 0 && !now.spot.chance) directed = directions(now.spot.moves) !== null;
  const mine = now.spot && !isMachineTurn(now);
  const live = mine ? new Set(reach.flatMap((own) => [...own])) : new Set();
  const about = (key) => {
    const names = now.spot.moves.filter((_, choice) => reach[choice].has(key)).map((move) => move.text);
    return names.length > 6 ? `${names.length} moves` : names.join(" or ");
  };
  byId("arrows-hint").hidden = !directed;
  const group = (key) => reach.flatMap((own, choice) => (own.has(key) ? [choice] : [])).join(" ");
  const framed = mine ? framedOf(now) : live;
  const near = now.spot && now.spot.moves.map((move) => move.board);
  board.draw(data, { live, framed, about, group, near, title: `board, ${words}`, last: lastOf(app.history, app.at) });
  hideChoice();
  enable("undo", app.at > 0 || app.former);
  enable("redo", app.at < app.history.length - 1);
  enable("restart", app.history.length > 1);
  byId("count").textContent = app.history.length > 1 ? `${app.at} of ${app.history.length - 1}` : "";
  const open = now.spot && !now.spot.over && (now.spot.moves.length > 0 || isAtOnce());
  for (const id of ["hint", "values"]) enable(id, open && !now.spot.chance && !isThinking(now));
  if (hinted !== null) showTarget(hinted);
  showMoves();
  tell("spot");
};

const showMoves = () => {
  const now = entry();
  const list = byId("moves");
  const had = list.contains(document.activeElement) ? document.activeElement.dataset.choice : null;
  if (!now || !now.spot) {
    // The focus stays in the list until the moves are known.
    if (had === null) list.replaceChildren();
    else list.querySelectorAll("button").forEach((button) => button.setAttribute("aria-disabled", true));
    return;
  }
  const best = new Set(bestValues());
  const sizes = [...values.values()].map((data) => Math.abs(numberOf(data.value) ?? 0)).filter(Number.isFinite);
  const most = Math.max(1e-9, ...sizes);
  const mine = !isMachineTurn(now);
  const costs = new Set(now.spot.moves.map((move) => move.cost));
  const items = now.spot.moves.map((move, choice) => {
    const data = values.get(choice);
    const classes = [best.has(choice) ? "best" : "", hinted === choice ? "hinted" : ""].filter(Boolean).join(" ");
    const button = el("button", {
      type: "button", className: classes, "aria-disabled": mine ? null : "true", "data-choice": choice, onclick: () => make(choice),
      onmouseenter: () => showTarget(choice), onmouseleave: () => showTarget(null),
      onfocus: () => showTarget(choice), onblur: () => showTarget(null),
    }, el("span", { className: "name" }, move.text));
    const beside = [];
    if (costs.size > 1) beside.push(`cost ${move.cost}`);
    if (move.chance !== null && move.chance !== undefined) beside.push(`${Math.round(move.chance * 1000) / 10} %`);
    if (data) beside.push(`${data.value ?? "?"}${data.exact ? "" : data.exact_if ? " (conditional)" : " (estimate)"}`);
    button.append(el("span", { className: "worth" }, beside.join(", ")));
    if (data) {
      const worth = numberOf(data.value) ?? 0;
      const bar = el("span", { className: worth < 0 ? "bar minus" : "bar", "aria-hidden": "true" });
      bar.style.width = `${Math.min(100, (100 * Math.abs(worth)) / most)}%`;
      button.append(bar, el("span", { className: "about" }, `${best.has(choice) ? "best; " : ""}then ${data.text.replace(/\n\s*/g, "; ")}`));
    }
    return el("li", {}, button);
  });
  list.replaceChildren(...items);
  if (had !== null) {
    const again = list.querySelector(`[data-choice="${had}"]`) || list.querySelector("li:last-child button");
    (again || byId("turn")).focus();
    return;
  }
  const isLong = items.length > LISTED && reach.every((own) => own.size > 0);
  byId("moves-title").textContent = isLong ? `All ${items.length} moves` : "Moves";
  if (folded !== isLong) byId("moves-fold").open = !isLong;
  folded = isLong;
};

const showSeats = () => {
  const form = byId("seats");
  form.hidden = !isGame();
  tell("seats");
  if (!isGame()) return;
  const engines = app.domain.engines.filter((engine) => !engine.missing).map((engine) => [engine.name, engine.name]);
  const who = [["human", "a person"], ...LEVELS.map((level) => [`level:${level}`, `level ${level}`]), ["random", "random"], ...engines];
  form.replaceChildren(...app.domain.players.map((player) => {
    const select = el("select", { "data-player": player, "aria-label": `who plays ${player}` });
    fill(select, who, seatOf(player));
    select.onchange = () => {
      app.seats[player] = select.value;
      paused = false;
      stop();
      keepGame();
      show();
      goOn();
    };
    return el("label", {}, `${player} `, select);
  }));
};

// Goes on from a state of a plan: the moves up to it are made.
export const takePlan = () => {
  const { frames, at } = app.plan;
  app.plan = null;
  app.history.length = app.at + 1;
  for (const frame of frames.slice(1, at + 1)) {
    app.history.push({ state: frame.state, move: frame.move, by: "human", cost: frame.cost, board: frame.board, spot: null });
  }
  app.at = app.history.length - 1;
  arrive();
  tell("plan");
};

// The connection is there again, or the rules are others.
export const again = () => {
  const now = entry();
  if (!isPlayed()) return;
  if (!now) restart();
  else if (!now.spot && !looking) arrive();
  else if (!job) goOn();
};

export const escape = () => {
  if (clearChosen()) return true;
  if (!byId("stop-play").hidden) {
    halt();
    return true;
  }
  if (app.plan) {
    leavePlan();
    return true;
  }
  return false;
};

export const keys = { u: undo, r: redo, n: startAgain, h: hint, v: value };

export const start = () => {
  board = new Board(byId("board"), pick, step);
  const click = (id, run) => { byId(id).onclick = run; };
  click("undo", undo);
  click("redo", redo);
  click("restart", startAgain);
  click("hint", hint);
  click("values", value);
  click("stop-play", halt);
  click("go-on", () => {
    paused = false;
    goOn();
    if (job) byId("stop-play").focus();
  });
  byId("seats").onsubmit = (event) => event.preventDefault();
  on("plan", planned);
};
