// Opens a rule file and keeps the parts of the page together.

import { byId, capital, el, fill } from "./dom.js";
import {
  app, ask, connect, entry, isPlayed, keepTheme, keptDraft, keptTheme, on, readAddress, tell, writeAddress,
} from "./state.js";
import * as about from "./about.js";
import * as compare from "./compare.js";
import * as editor from "./editor.js";
import * as gallery from "./gallery.js";
import * as keys from "./keys.js";
import * as plan from "./plan.js";
import * as play from "./play.js";
import * as prompt from "./prompt.js";
import * as rounds from "./rounds.js";
import * as share from "./share.js";
import * as tree from "./tree.js";

const TABS = ["play", "solve", "tree", "compare", "ask", "rules"];
const THEMES = ["auto", "light", "dark"];
// How often a server that does not take connections is asked why.
const REFUSED = 2;
let opening = null;
let failures = 0;
// The address that is opened makes an entry of the browser's history.
let pushes = false;
// The focus is in the gallery, and goes where a file is opened.
let enters = false;

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
  if (standing === "anew") loadFiles().then(() => isGallery() && gallery.show()).catch(() => {});
  if (was > 0 && app.domain && !isGallery()) {
    play.again();
    tell("again");
  }
};

const whyNot = async (link) => {
  const answer = await fetch("/api/files").catch(() => null);
  if (answer && !answer.ok) link.textContent = capital((await answer.text()).trim());
};

// The files.
const loadFiles = async () => {
  const answer = await fetch("/api/files");
  if (!answer.ok) throw new Error((await answer.text()).trim());
  const { files, folder, single } = await answer.json();
  Object.assign(app, { files, folder, single });
  byId("new-open").hidden = single;
  fillFiles();
};

// The choice of files. Rules without a file, of a link or a draft that was never saved, stand first.
const fillFiles = () => {
  const choices = app.files.map(({ name, about: words }) => [name, words ? `${name} – ${words}` : name]);
  const isKnown = !app.shared && app.files.some((file) => file.name === app.file);
  if (app.file && !isKnown) choices.unshift(["", `${app.file} – ${app.shared ? "from a link" : "not saved"}`]);
  fill(byId("file"), choices, isKnown ? app.file : "");
};

// The gallery, or one file.
const isGallery = () => !byId("gallery").hidden;
const showView = (hasGallery) => {
  byId("gallery").hidden = !hasGallery;
  byId("view").hidden = hasGallery;
  byId("file-field").hidden = hasGallery;
  byId("share-open").hidden = hasGallery;
  if (hasGallery) byId("instance-field").hidden = true;
  byId("skip").textContent = hasGallery ? "To the files" : "To the board";
};

const showGallery = (words = "") => {
  const had = !isGallery();
  play.stop();
  showView(true);
  document.title = "zug";
  const notice = byId("gallery-notice");
  notice.hidden = words === "";
  notice.textContent = words;
  gallery.show();
  // Where a file was, the gallery begins at its card.
  if (had) scrollTo(0, 0);
  if (had) gallery.enter(app.file);
};

const notice = (...parts) => {
  byId("notice").hidden = parts.length === 0;
  byId("notice").replaceChildren(...parts);
};

// What stood on the page belongs to another file.
const begin = (file) => {
  app.history = [];
  app.at = 0;
  app.former = null;
  app.plan = null;
  app.domain = null;
  app.file = file;
  app.instance = null;
  byId("about").hidden = true;
  play.show();
  play.say("");
};

// Opens what an address means: a file, rules of a link, the gallery.
const open = async (wanted, push = false) => {
  if (wanted.rules) {
    await openLink(wanted);
    return;
  }
  const known = app.files.some((file) => file.name === wanted.file);
  const isDraft = wanted.file && !known && keptDraft(wanted.file) !== null;
  if (!known && !isDraft && !app.single) {
    if (wanted.file) history.replaceState(null, "", "#");
    showGallery(wanted.file ? `There is no rule file ${wanted.file} in this folder. These are here:` : "");
    return;
  }
  const file = known || isDraft ? wanted.file : app.files[0].name;
  enters ||= isGallery();
  pushes ||= push;
  gallery.leave();
  showView(false);
  notice(...(wanted.file && file !== wanted.file ? [`There is no rule file ${wanted.file} here: this is ${file}.`] : []));
  if (file !== app.file || app.shared) {
    app.shared = null;
    begin(file);
    await editor.open(file);
    if (app.file !== file) return;
  }
  fillFiles();
  document.title = `${file} – zug`;
  if (TABS.includes(wanted.tab)) showTab(wanted.tab, false);
  inspect(wanted);
};

// Rules in the address itself: a text without a file.
const openLink = async (wanted) => {
  let text = null;
  try {
    text = await share.unpacked(wanted.rules);
  } catch (error) {
    history.replaceState(null, "", "#");
    const words = /1 MiB/.test(error.message) ? error.message : "it may have been cut on its way";
    showGallery(`The rules in this link can't be read: ${words}.`);
    return;
  }
  gallery.leave();
  showView(false);
  const name = (wanted.name || "shared.pl").split("/").pop().slice(0, 80);
  app.shared = { code: wanted.rules, text };
  begin(name);
  editor.openShared(text);
  const keep = el("button", { type: "button", onclick: () => tell("keep") }, "Save as a file");
  notice("These rules come from a link and are not saved. They run in the sandbox: without access to files and programs, within limits of time and memory. ",
    ...(app.single ? [] : [keep]));
  fillFiles();
  document.title = `${name} – zug`;
  if (TABS.includes(wanted.tab)) showTab(wanted.tab, false);
  inspect(wanted);
};

// The text was changed: what it says now is asked for, and a link holds it.
const edited = async () => {
  if (app.shared && app.draft !== null) {
    const text = app.draft;
    const code = await share.packed(text);
    if (!app.shared || app.draft !== text) return;
    app.shared = { code, text };
  }
  inspect({ ...readAddress(), tab: app.tab, file: app.file });
};

// Asks what the rules are, and begins.
const inspect = (wanted) => {
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
    app.instance = instances.includes(wanted.instance) ? wanted.instance : domain.start || instances[0] || null;
    byId("instance-field").hidden = instances.length < 2;
    fill(byId("instance"), instances.map((name) => [name, name]), app.instance);
    const played = isPlayed();
    byId("place").hidden = !played;
    writeAddress(pushes);
    pushes = false;
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
    enter();
  });
};

const unusable = (end) => {
  byId("place").hidden = false;
  app.domain = { kind: "program", instances: [], players: [], heuristics: [], engines: [], findings: [] };
  app.history = [];
  byId("instance-field").hidden = true;
  byId("seats").hidden = true;
  byId("advice").textContent = "";
  tell("opened");
  play.show();
  play.sayWhy(end);
  tell("failed");
  enter();
};

// Who came from the gallery begins at the board, or at what there is in its place.
const enter = () => {
  if (!enters) return;
  enters = false;
  const first = app.tab === "rules" ? byId("source") : byId("about").hidden || isPlayed() ? byId("turn") : byId("about-title");
  first.focus({ preventScroll: true });
  scrollTo(0, 0);
};

// Without a start there is nothing to be searched.
const failed = () => {
  for (const part of ["solve", "tree", "compare"]) {
    byId(`${part}-go`).disabled = true;
    byId(`${part}-progress`).textContent = "The rules have errors: mend them in Rules first.";
  }
};

// Tabs: a roving tab stop.
const showTab = (name, remember = true) => {
  app.tab = name;
  byId("view").dataset.tab = name;
  for (const tab of TABS) {
    const chosen = tab === name;
    const button = byId(`tab-${tab}`);
    button.setAttribute("aria-selected", chosen);
    button.tabIndex = chosen ? 0 : -1;
    byId(`panel-${tab}`).hidden = !chosen;
  }
  tell("shown");
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

// Files are run through with the arrow keys: that makes one entry of the browser's history.
const startChoice = (select, open) => {
  let ran = false;
  const end = () => { ran = false; };
  select.onblur = select.onpointerdown = end;
  addEventListener("popstate", end);
  select.onchange = () => {
    open(select.value, !ran);
    ran = true;
  };
};

const start = async () => {
  showTheme();
  // Buttons that can't be used now keep the focus: they are not disabled, only said to be.
  document.addEventListener("click", (event) => {
    if (!event.target.closest("[aria-disabled=true]")) return;
    event.preventDefault();
    event.stopPropagation();
  }, true);
  byId("theme").onclick = () => {
    keepTheme(THEMES[(THEMES.indexOf(keptTheme() || "auto") + 1) % THEMES.length]);
    showTheme();
    tell("theme");
  };
  startTabs();
  for (const part of [play, rounds, plan, tree, compare, prompt, editor, keys, about, gallery, share]) part.start();
  keys.listen({
    single: {
      ...play.keys, "?": keys.open, s: () => { goToTab(1)(); plan.solve(); }, b: () => byId("board").querySelector("[tabindex='0']")?.focus(),
      ...Object.fromEntries(TABS.map((_, number) => [String(number + 1), goToTab(number)])),
    },
    arrows: plan.arrows,
    step: play.step,
    isShown: () => !isGallery(),
    escape: play.escape,
    save: () => tell("save"),
  });
  const wanted = readAddress();
  showTab(TABS.includes(wanted.tab) ? wanted.tab : "play", false);
  byId("skip").onclick = (event) => {
    event.preventDefault();
    (isGallery() ? byId("groups").querySelector("a") : byId("board").querySelector("[tabindex='0']") || byId("board"))?.focus();
  };
  startChoice(byId("file"), (file, push) => file && open({ file, tab: app.tab }, push));
  startChoice(byId("instance"), (instance, push) => {
    app.instance = instance;
    app.history = [];
    writeAddress(push);
    play.begin({ file: app.file });
  });
  addEventListener("hashchange", () => {
    const now = readAddress();
    const here = entry();
    const isLink = now.rules && app.shared && now.rules === app.shared.code && !isGallery();
    if (isLink) return;
    if (TABS.includes(now.tab || "play")) showTab(now.tab || "play", false);
    const same = !isGallery() && !app.shared && now.file === app.file && (now.instance || app.instance) === app.instance
      && (!now.state || (here && now.state === here.state));
    if (!same) open(now);
  });
  // The rules were edited: the game goes on by the new ones, from the same state.
  on("edited", edited);
  on("failed", failed);
  on("keep", () => !app.single && gallery.openNew(byId("source").value, app.files.some((file) => file.name === app.file) ? "" : app.file));
  on("created", async (name) => {
    await loadFiles();
    await open({ file: name, tab: app.shared && !isGallery() ? app.tab : "rules" }, true);
    byId(app.tab === "rules" ? "source" : "turn").focus();
  });
  try {
    await loadFiles();
  } catch (error) {
    showView(false);
    play.say(`The rule files can't be listed: ${error.message}`, true);
    byId("link").textContent = "";
    return;
  }
  connect(linked);
  await open(wanted);
};

start();
