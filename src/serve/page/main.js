// Opens a rule file and keeps the parts of the page together.

import { byId, el, endText, fill } from "./dom.js";
import {
  app, ask, connect, entry, isPlayed, isSearched, keepTheme, keptTheme, on, readAddress, tell, writeAddress,
} from "./state.js";
import * as compare from "./compare.js";
import * as editor from "./editor.js";
import * as keys from "./keys.js";
import * as plan from "./plan.js";
import * as play from "./play.js";
import * as prompt from "./prompt.js";
import * as rounds from "./rounds.js";
import * as tree from "./tree.js";

const TABS = ["play", "solve", "tree", "compare", "ask", "rules"];
const THEMES = ["auto", "light", "dark"];
// How often a server that does not take connections is asked why.
const REFUSED = 2;
let opening = null;
let failures = 0;

// The connection.
const linked = (standing) => {
  const link = byId("link");
  link.classList.toggle("lost", standing === "lost");
  if (standing === "lost") {
    failures += 1;
    link.textContent = "The server is not there; trying again …";
    if (failures > REFUSED) whyNot(link);
    return;
  }
  const was = failures;
  failures = 0;
  link.textContent = standing === "anew" ? "The server was started anew." : was > 0 ? "Connected again." : "";
  if (link.textContent) setTimeout(() => { if (failures === 0) link.textContent = ""; }, 5000);
  if (standing === "anew") loadFiles().catch(() => {});
  if (was > 0 && app.domain) {
    play.again();
    tell("again");
  }
};

const whyNot = async (link) => {
  const answer = await fetch("/api/files").catch(() => null);
  if (answer && !answer.ok) link.textContent = (await answer.text()).trim();
};

// The files.
const loadFiles = async () => {
  const answer = await fetch("/api/files");
  if (!answer.ok) throw new Error((await answer.text()).trim());
  const { files, folder } = await answer.json();
  app.files = files;
  app.folder = folder;
  fill(byId("file"), files.map(({ name, about }) => [name, about ? `${name} – ${about}` : name]), app.file);
};

// Opens a file: what it is, its text, its game.
const open = async (wanted, push = false) => {
  const known = app.files.some((file) => file.name === wanted.file);
  const file = known ? wanted.file : app.files.length > 0 ? app.files[0].name : null;
  if (!file) {
    play.say("There are no rule files in this folder.", true);
    return;
  }
  if (wanted.file && !known) play.say(`There is no rule file ${wanted.file} here.`);
  if (file !== app.file) {
    app.history = [];
    app.at = 0;
    app.plan = null;
    app.domain = null;
    app.file = file;
    app.instance = null;
    play.show();
    play.say("");
    await editor.open(file);
    if (app.file !== file) return;
  }
  byId("file").value = file;
  document.title = `${file} – zug`;
  if (TABS.includes(wanted.tab)) showTab(wanted.tab, false);
  inspect(wanted, push);
};

// Asks what the rules are, and begins.
const inspect = (wanted, push) => {
  if (opening) opening.stop();
  let domain = null;
  const own = ask("open", { seconds: 20 }, (record, data) => {
    if (record === "domain") domain = data;
  }, { again: true });
  opening = own;
  own.ended.then((end) => {
    if (opening !== own) return;
    opening = null;
    if (end.outcome === "interrupted") return;
    if (!domain) {
      unusable(end);
      return;
    }
    app.domain = domain;
    if (byId("said").classList.contains("error")) play.say("");
    const { instances } = domain;
    app.instance = instances.includes(wanted.instance) ? wanted.instance : instances[0] || null;
    byId("instance-field").hidden = instances.length < 2;
    fill(byId("instance"), instances.map((name) => [name, name]), app.instance);
    const played = isPlayed();
    byId("hint").hidden = !played;
    for (const id of ["values", "moves-title"]) byId(id).hidden = !isSearched();
    byId("place").hidden = !played;
    tell("opened");
    if (played) {
      play.begin(wanted);
    } else {
      app.history = [];
      app.at = 0;
      play.show();
      byId("seats").hidden = true;
      byId("advice").textContent = domain.kind === "model"
        ? "A model has no moves: Solve looks for its solutions." : "Nothing is played by these rules: ask them queries.";
      if (!wanted.tab) showTab(domain.kind === "program" ? "ask" : "solve");
    }
    writeAddress(push);
  });
};

const unusable = (end) => {
  play.say(endText(end), true);
  byId("place").hidden = false;
  app.domain = { kind: "program", instances: [], players: [], heuristics: [], engines: [], findings: [] };
  app.history = [];
  byId("instance-field").hidden = true;
  byId("seats").hidden = true;
  tell("opened");
  play.show();
};

// Tabs: a roving tab stop.
const showTab = (name, remember = true) => {
  app.tab = name;
  for (const tab of TABS) {
    const chosen = tab === name;
    const button = byId(`tab-${tab}`);
    button.setAttribute("aria-selected", chosen);
    button.tabIndex = chosen ? 0 : -1;
    byId(`panel-${tab}`).hidden = !chosen;
  }
  if (remember) writeAddress();
};

const startTabs = () => {
  TABS.forEach((tab, number) => {
    const button = byId(`tab-${tab}`);
    button.onclick = () => showTab(tab);
    button.onkeydown = (event) => {
      const last = TABS.length - 1;
      const to = {
        ArrowRight: number === last ? 0 : number + 1, ArrowLeft: number === 0 ? last : number - 1, Home: 0, End: last,
      }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      showTab(TABS[to]);
      byId(`tab-${TABS[to]}`).focus();
    };
  });
  on("tab", (name) => showTab(name));
};

const goToTab = (number) => () => {
  showTab(TABS[number]);
  const panel = byId(`panel-${TABS[number]}`);
  const first = { ask: byId("goal"), rules: byId("source") }[TABS[number]] || panel;
  first.focus();
};

// Light and dark.
const showTheme = () => {
  const theme = keptTheme() || "auto";
  document.documentElement.dataset.theme = theme;
  const [sign, words] = { auto: ["◐", "as the system"], light: ["☀", "light"], dark: ["☾", "dark"] }[theme];
  byId("theme").replaceChildren(el("span", { "aria-hidden": "true" }, sign));
  byId("theme").setAttribute("aria-label", `colours: ${words}`);
  byId("theme").title = `colours: ${words}`;
};

const start = async () => {
  showTheme();
  byId("theme").onclick = () => {
    keepTheme(THEMES[(THEMES.indexOf(keptTheme() || "auto") + 1) % THEMES.length]);
    showTheme();
    tell("theme");
  };
  startTabs();
  for (const part of [play, rounds, plan, tree, compare, prompt, editor, keys]) part.start();
  keys.listen({
    single: {
      ...play.keys, ...plan.keys, "?": keys.open, b: () => byId("board").querySelector("[tabindex='0']")?.focus(),
      ...Object.fromEntries(TABS.map((_, number) => [String(number + 1), goToTab(number)])),
    },
    arrows: plan.arrows,
    escape: play.escape,
    save: () => tell("save"),
  });
  const wanted = readAddress();
  showTab(TABS.includes(wanted.tab) ? wanted.tab : "play", false);
  byId("file").onchange = () => open({ file: byId("file").value, tab: app.tab }, true);
  byId("instance").onchange = () => {
    app.instance = byId("instance").value;
    app.history = [];
    app.plan = null;
    play.begin({ file: app.file });
    tell("plan");
    writeAddress(true);
  };
  addEventListener("hashchange", () => {
    const now = readAddress();
    const here = entry();
    if (TABS.includes(now.tab || "play")) showTab(now.tab || "play", false);
    const same = now.file === app.file && (now.instance || app.instance) === app.instance
      && (!now.state || (here && now.state === here.state));
    if (!same) open(now);
  });
  // The rules were edited: the game goes on by the new ones, from the same state.
  on("edited", () => inspect({ ...readAddress(), tab: app.tab, file: app.file }, false));
  try {
    await loadFiles();
  } catch (error) {
    play.say(`The rule files can't be listed: ${error.message}`, true);
    byId("link").textContent = "";
    return;
  }
  connect(linked);
  await open(wanted);
};

start();
