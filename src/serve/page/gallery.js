// The gallery: a card for each rule file, grouped by kind; and new files.

import { picture } from "./board.js";
import { byId, counted, el, endText, fill } from "./dom.js";
import { app, tell } from "./state.js";

const GROUPS = [
  ["puzzles", "Puzzles"], ["two", "Games for two"], ["games", "Other games"], ["models", "Models and queries"],
  ["broken", "Files that fail to load"], ["waiting", "Loading"],
];
// Previews that are asked for at once.
const AT_ONCE = 4;

// By name: what is known of the files, and their cards.
const known = new Map();
const cards = new Map();
let round = 0;

const groupOf = (preview) => {
  if (!preview) return "waiting";
  if (preview.record !== "preview") return "broken";
  if (preview.kind === "puzzle") return "puzzles";
  if (["model", "program"].includes(preview.kind)) return "models";
  return preview.kind === "game" && preview.players === 2 ? "two" : "games";
};

const addressOf = (name, more = {}) => `#${new URLSearchParams({ file: name, ...more })}`;

const facts = ({ kind, players, instances }) => {
  const parts = [];
  if (kind === "simultaneous") parts.push("all choose at once");
  if (players > 2) parts.push(counted(players, "player"));
  if (instances > 1) parts.push(counted(instances, "start"));
  return parts.join(", ");
};

const cardOf = ({ name, about }, preview) => {
  const file = el("span", { className: "file" }, name);
  if (groupOf(preview) === "broken") {
    const link = el("a", { href: addressOf(name, { tab: "rules" }) }, el("span", { className: "title" }, about || name), file);
    return el("li", { className: "card broken" }, link, el("p", { className: "error" }, endText(preview) || "It can't be loaded."));
  }
  const thumb = el("span", { className: "thumb", "aria-hidden": "true" });
  if (preview) thumb.append(picture(preview.board, "") || el("pre", { className: "thumb-text" }, preview.excerpt));
  const title = el("span", { className: "title" }, (preview && preview.title) || about || name);
  const more = preview ? facts(preview) : "";
  return el("li", { className: "card" }, el("a", { href: addressOf(name) }, thumb, title, file, more ? el("span", { className: "hint" }, more) : null));
};

// Puts the card of a file where it belongs, in the order of the names.
const place = (file) => {
  const preview = known.get(file.name);
  const before = cards.get(file.name);
  const text = JSON.stringify(preview || null);
  if (before && before.text === text) return;
  const group = groupOf(preview);
  const card = cardOf(file, preview);
  Object.assign(card, { text, fileName: file.name });
  const had = before && before.contains(document.activeElement);
  if (before) before.remove();
  const list = byId(`cards-${group}`);
  const next = [...list.children].find((other) => other.fileName > file.name) || null;
  list.insertBefore(card, next);
  cards.set(file.name, card);
  if (had) card.querySelector("a").focus();
};

const filter = () => {
  const wanted = byId("filter").value.trim().toLowerCase().split(/\s+/).filter(Boolean);
  let seen = 0;
  for (const card of cards.values()) {
    const text = card.textContent.toLowerCase();
    card.hidden = !wanted.every((word) => text.includes(word));
    seen += card.hidden ? 0 : 1;
  }
  for (const [group] of GROUPS) {
    const shown = [...byId(`cards-${group}`).children].filter((card) => !card.hidden).length;
    byId(`group-${group}`).hidden = shown === 0;
    byId(`group-${group}-count`).textContent = String(shown);
  }
  const left = byId("cards-waiting").children.length;
  let words = left > 0 ? `${app.files.length - left} of ${counted(app.files.length, "file")} loaded` : counted(app.files.length, "file");
  if (app.files.length === 0) words = "There are no rule files in this folder yet: begin with a new one.";
  else if (wanted.length > 0) words = seen === 0 ? "No file has these words." : `${seen} of ${counted(app.files.length, "file")}`;
  byId("gallery-count").textContent = words;
};

const load = async (name) => {
  const answer = await fetch(`/api/preview?name=${encodeURIComponent(name)}`).catch(() => null);
  if (!answer) return null;
  if (!answer.ok) return { record: "end", outcome: "error", error: { message: (await answer.text()).trim() } };
  return answer.json();
};

// Shows the gallery, and asks for what is not known or may have changed.
export const show = () => {
  round += 1;
  const own = round;
  byId("gallery-folder").textContent = app.folder;
  const names = new Set(app.files.map((file) => file.name));
  for (const [name, card] of cards) {
    if (names.has(name)) continue;
    card.remove();
    cards.delete(name);
    known.delete(name);
  }
  app.files.forEach(place);
  filter();
  const queue = [...app.files];
  const work = async () => {
    for (let file = queue.shift(); file && own === round; file = queue.shift()) {
      const preview = await load(file.name);
      if (own !== round) return;
      if (preview) known.set(file.name, preview);
      place(file);
      filter();
    }
  };
  for (let worker = 0; worker < AT_ONCE; worker += 1) work();
};

export const leave = () => { round += 1; };

// Goes to the card of a file.
export const enter = (name) => {
  const card = cards.get(name);
  if (card) (card.hidden ? byId("filter") : card.querySelector("a")).focus();
};

// New files.
let given = null;

// Asks for the name of a file with this text, or with a template.
export const openNew = (text = null, name = "") => {
  given = text;
  byId("new-title").textContent = text === null ? "New file" : "Save as a file";
  byId("new-template-field").hidden = text !== null;
  byId("new-name").value = name;
  byId("new-words").textContent = "";
  byId("new").showModal();
  byId("new-name").focus();
};

const template = async (file, name) => {
  if (name === "empty") return "% A title.\n%\n% The rules in words: what is a move, and what is the goal?\n\n";
  let found = null;
  const end = await app.link.ask({ do: "templates", file, text: "" }, (record, data) => {
    if (record === "templates") found = data.templates.find((one) => one.name === name);
  }).ended;
  if (!found) throw new Error(/there is no rule file/i.test(endText(end)) ? `\`${file}\` can't be the name of a rule file here` : endText(end));
  return found.text;
};

const create = async () => {
  const words = byId("new-words");
  let name = byId("new-name").value.trim();
  if (!name) {
    words.textContent = "A file has a name.";
    return;
  }
  if (!/\.[^/.]+$/.test(name)) name += ".pl";
  words.textContent = "";
  try {
    const text = given === null ? await template(name, byId("new-template").value) : given;
    const body = JSON.stringify({ name, text, version: null });
    const answer = await fetch("/api/file", { method: "PUT", headers: { "content-type": "application/json" }, body });
    if (answer.status === 409) throw new Error(`there is a file \`${name}\` already`);
    if (!answer.ok) throw new Error((await answer.text()).trim());
    byId("new").close();
    tell("created", name);
  } catch (error) {
    words.textContent = `Not created: ${error.message}.`;
  }
};

export const start = () => {
  byId("groups").replaceChildren(...GROUPS.map(([group, words]) => el("section", { id: `group-${group}`, hidden: true, "aria-labelledby": `group-${group}-title` },
    el("h2", { id: `group-${group}-title` }, `${words} `, el("span", { id: `group-${group}-count`, className: "hint" })),
    el("ul", { id: `cards-${group}`, className: "cards", "aria-labelledby": `group-${group}-title` }))));
  byId("filter").oninput = filter;
  byId("new-open").onclick = () => openNew();
  byId("new-form").onsubmit = (event) => {
    event.preventDefault();
    create();
  };
  byId("new-cancel").onclick = () => byId("new").close();
  fill(byId("new-template"), [
    ["puzzle", "a puzzle"], ["game", "a game for two"], ["chance", "a game with chance"],
    ["simultaneous", "a game in which both choose at once"], ["model", "a model of constraints"], ["empty", "nothing"],
  ], "puzzle");
};
