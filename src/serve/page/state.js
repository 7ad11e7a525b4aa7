// What the page knows, and what of it outlives a reload: where it is, in the address; the game, in the
// tab's own storage; drafts of rules, in the browser's, by the folder of the server.

import { Link } from "./link.js";

const listeners = new Map();

export const app = {
  link: null,
  folder: "",
  files: [],
  // The server has one file, to which none can be added.
  single: false,
  // Rules that came by a link: { code, text }; none if they are a file.
  shared: null,
  // The rule file by name, and what it is.
  file: null,
  domain: null,
  // The text that stands in the place of the file's; none if it is saved.
  draft: null,
  // The states so far: { state, player, move, by, cost, board, spot }, of rounds { joint, actions, payoffs } too.
  history: [],
  at: 0,
  // The game before the last restart: { history, at, given }.
  former: null,
  instance: null,
  // The game began in a state that stood in the address, and in no instance.
  given: false,
  seats: {},
  seed: 1,
  // A plan that is stepped through.
  plan: null,
  tab: "play",
};

export const on = (what, run) => {
  if (!listeners.has(what)) listeners.set(what, []);
  listeners.get(what).push(run);
};
export const tell = (what, ...args) => (listeners.get(what) || []).forEach((run) => run(...args));

export const connect = (told) => { app.link = new Link(told); };

// Asks about the rule file as it is now.
export const ask = (what, given = {}, receive = () => {}, options = {}) => {
  const file = app.shared && app.single ? app.files[0].name : app.file;
  const question = { do: what, file, ...given, ...(app.shared ? { shared: true } : {}) };
  if (app.draft !== null) question.text = app.draft;
  return app.link.ask(question, receive, options);
};

export const entry = () => app.history[app.at] || null;
export const isGame = () => app.domain !== null && app.domain.kind === "game";
export const isPuzzle = () => app.domain !== null && app.domain.kind === "puzzle";
// All players choose at once.
export const isAtOnce = () => app.domain !== null && app.domain.kind === "simultaneous";
// There are moves to be searched.
export const isSearched = () => isGame() || isPuzzle();
// There is something to be done by hand.
export const isPlayed = () => isSearched() || isAtOnce();

// Where a question begins: the state on the board.
export const here = () => {
  const now = entry();
  if (!now || now.state === null || (app.history.length === 1 && !app.given)) return app.instance ? { instance: app.instance } : {};
  return { state: now.state, ...(now.player ? { player: now.player } : {}) };
};

// The address.
const LONGEST = 1500;
export const readAddress = () => {
  const given = new URLSearchParams(location.hash.slice(1));
  const get = (name) => given.get(name) || null;
  return { file: get("file"), instance: get("start"), tab: get("tab"), state: get("state"), player: get("player"), rules: get("rules"), name: get("name") };
};
export const writeAddress = (push = false) => {
  const given = new URLSearchParams();
  if (app.shared) {
    given.set("rules", app.shared.code);
    given.set("name", app.file);
  } else if (app.file) {
    given.set("file", app.file);
  }
  if (app.instance) given.set("start", app.instance);
  if (app.tab !== "play") given.set("tab", app.tab);
  const now = entry();
  if (now && now.state !== null && (app.at > 0 || app.given) && now.state.length < LONGEST) {
    given.set("state", now.state);
    if (now.player) given.set("player", now.player);
  }
  const hash = `#${given}`;
  if (hash === location.hash) return;
  if (push) history.pushState(null, "", hash);
  else history.replaceState(null, "", hash);
};

// Storage may be full, or forbidden: then less is remembered.
const keep = (storage, name, value) => {
  try {
    if (value === null) storage.removeItem(name);
    else storage.setItem(name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
};
const recall = (storage, name) => {
  try {
    return JSON.parse(storage.getItem(name));
  } catch {
    return null;
  }
};

// Boards of a game that are kept, the last ones.
const BOARDS = 100;
// Rules of a link are told apart by their length: a file of the same name is another one.
const gameKey = (file) => `zug game ${app.folder} ${app.shared ? `link ${app.shared.text.length} ` : ""}${file}`;
const draftKey = (file) => `zug draft ${app.folder} ${file}`;

export const keepGame = () => {
  if (!app.file) return;
  const last = app.history.length - BOARDS;
  const bare = app.history.map(({ spot: _, board, ...one }, number) => ({ ...one, board: number < last ? null : board }));
  const { instance, given, seats, seed, at } = app;
  keep(sessionStorage, gameKey(app.file), { history: bare, at, instance, given, seats, seed });
};
export const keptGame = (file) => recall(sessionStorage, gameKey(file));

export const keepDraft = (file, draft) => keep(localStorage, draftKey(file), draft);
export const keptDraft = (file) => recall(localStorage, draftKey(file));
export const isDraftKey = (key, file) => key === draftKey(file);

export const keepTheme = (theme) => keep(localStorage, "zug theme", theme);
export const keptTheme = () => recall(localStorage, "zug theme");

// Whether single letters and digits are keys.
export const keepLetters = (isOn) => keep(localStorage, "zug letters", isOn);
export const keptLetters = () => recall(localStorage, "zug letters") !== false;
