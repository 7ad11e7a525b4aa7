// The rules as text: coloured, checked while they are typed, saved or kept as a draft.

import { byId, capital, el, endText, hide, marked } from "./dom.js";
import { ranges } from "./highlight.js";
import { app, ask, isDraftKey, keepDraft, keptDraft, on, tell } from "./state.js";

// Beyond so many characters a text is not coloured.
const COLOURED = 150000;
const CHECK_AFTER = 500;
const DRAFT_AFTER = 700;
const INDENT = "    ";
const RANK = { error: 3, warning: 2, note: 1 };

const source = () => byId("source");
// Whether the text of the rules has something; what it loads from other files is not seen.
export const has = (pattern) => pattern.test(source().value);
// What the file was when it was opened; `version` is none if it is not there.
let saved = null;
let findings = [];
let check = null;
let timers = {};
let opening = 0;

const later = (name, time, run) => {
  clearTimeout(timers[name]);
  timers[name] = setTimeout(run, time);
};

// Opens the text of a file, or the draft of it.
export const open = async (file) => {
  opening += 1;
  const own = opening;
  Object.values(timers).forEach(clearTimeout);
  findings = [];
  byId("conflict").hidden = true;
  const answer = await fetch(`/api/file?name=${encodeURIComponent(file)}`).catch(() => null);
  if (own !== opening) return;
  const text = answer && answer.ok ? await answer.json() : null;
  const draft = keptDraft(file);
  saved = text;
  const failed = !text && !draft;
  source().disabled = failed;
  if (failed) byId("saved").textContent = answer ? capital((await answer.text()).trim()) : "The server can't be reached.";
  source().value = draft ? draft.text : text ? text.text : "";
  app.draft = draft && (!text || draft.text !== text.text) ? draft.text : null;
  if (draft && text && draft.version !== text.version && app.draft !== null) {
    showConflict(text, "The file was changed since this draft was begun.");
  }
  if (draft && app.draft === null) keepDraft(file, null);
  paint();
  if (!failed) showSaved();
  later("check", 50, runCheck);
};

// Opens rules that came by a link: a text without a file.
export const openShared = (text) => {
  opening += 1;
  Object.values(timers).forEach(clearTimeout);
  findings = [];
  byId("conflict").hidden = true;
  saved = null;
  source().disabled = false;
  source().value = text;
  app.draft = text;
  paint();
  showSaved();
  later("check", 50, runCheck);
};

const SHARED = "From a link, not saved: the address holds the text.";

const showSaved = (words) => {
  const isDraft = app.draft !== null;
  byId("saved").textContent = words || (app.shared ? SHARED : isDraft ? "A draft, not saved: it is kept in this browser, and used on this page." : "Saved.");
  byId("save").disabled = !isDraft;
  byId("revert").disabled = !isDraft || !saved;
};

const changed = () => {
  const text = source().value;
  paint();
  const before = app.draft;
  app.draft = saved && text === saved.text ? null : text;
  showSaved();
  if (before === app.draft) return;
  if (app.shared) {
    later("draft", DRAFT_AFTER, () => tell("edited"));
    later("check", CHECK_AFTER, runCheck);
    return;
  }
  later("draft", DRAFT_AFTER, () => {
    const kept = keepDraft(app.file, app.draft === null ? null : { text, version: saved ? saved.version : null });
    if (!kept) showSaved("This browser has no room for the draft: save it.");
    tell("edited");
  });
  later("check", CHECK_AFTER, runCheck);
};

const save = async () => {
  if (app.draft === null) return;
  if (app.shared) {
    tell("keep");
    return;
  }
  const [file, text] = [app.file, source().value];
  const body = JSON.stringify({ name: file, text, version: saved ? saved.version : null });
  const headers = { "content-type": "application/json" };
  const answer = await fetch("/api/file", { method: "PUT", headers, body }).catch(() => null);
  if (file !== app.file) return;
  if (answer && answer.ok) {
    saved = { text, version: (await answer.json()).version };
    byId("conflict").hidden = true;
    changed();
    app.draft = source().value === text ? null : source().value;
    if (app.draft === null) keepDraft(file, null);
    showSaved(app.draft === null ? "Saved." : undefined);
  } else if (answer && answer.status === 409) {
    showConflict((await answer.json()).now, "Not saved: the file was changed meanwhile.");
  } else {
    showSaved(`Not saved: ${answer ? (await answer.text()).trim() : "the server can't be reached"}`);
  }
};

const showConflict = (now, words) => {
  const place = byId("conflict");
  const settle = (run) => () => {
    hide("conflict", "source");
    saved = now;
    run();
  };
  const keepMine = el("button", { type: "button", onclick: settle(() => save()) }, "Save mine over it");
  const takeTheirs = now && el("button", { type: "button", onclick: settle(() => { source().value = now.text; changed(); }) }, "Take the file's");
  place.replaceChildren(`${words} `, keepMine, " ", takeTheirs || "(it is gone)");
  place.hidden = false;
};

// Places of findings are counted in bytes of UTF-8, the text in units of 16 bits.
const offsets = (text, wanted) => {
  const sorted = [...new Set(wanted)].sort((a, b) => a - b);
  const found = new Map();
  let [bytes, at, next] = [0, 0, 0];
  for (const character of text) {
    while (next < sorted.length && sorted[next] <= bytes) found.set(sorted[next++], at);
    if (next === sorted.length) break;
    const code = character.codePointAt(0);
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    at += character.length;
  }
  while (next < sorted.length) found.set(sorted[next++], text.length);
  return found;
};

const inThisFile = (finding) => finding.place && finding.place.file === app.file;

const runCheck = () => {
  if (!app.file) return;
  if (check) check.stop();
  const text = source().value;
  let report = null;
  const own = ask("check", { seconds: 5 }, (record, data) => {
    if (record === "checked") report = data;
  }, { again: true });
  check = own;
  own.ended.then((end) => {
    if (check !== own) return;
    check = null;
    if (source().value !== text) return;
    if (!report && end.outcome === "interrupted") return;
    findings = report ? report.findings : end.findings || [];
    paint();
    list(report ? "" : endText(end));
  });
};

const list = (words) => {
  byId("findings-title").textContent = findings.length === 0 ? "Findings: none" : `Findings: ${findings.length}`;
  const items = findings.slice(0, 200).map((one) => {
    const item = el("li", {}, el("span", { className: `severity-${one.severity}` }, one.severity), " ",
      el("span", { className: "code" }, one.code), " ", ...marked(one.message), " ");
    if (one.place) {
      const where = inThisFile(one) ? `line ${one.place.line}` : `${one.place.file}:${one.place.line}`;
      item.append(el("button", { type: "button", className: "place", onclick: () => tell("goto", one.place.file, one.place.line, one.place.span) }, where));
    }
    one.hints.forEach((hint) => item.append(el("p", { className: "hint" }, ...marked(hint))));
    if (one.fix && one.fix.edits.every((edit) => edit.place.file === app.file)) {
      const words = one.fix.certain ? "Mend" : "Mend (a guess)";
      item.append(el("button", { type: "button", onclick: () => mend(one.fix) }, words));
    }
    return item;
  });
  byId("findings").replaceChildren(...(words ? [el("li", { className: "error" }, words)] : []), ...items);
};

const mend = (fix) => {
  let text = source().value;
  const where = offsets(text, fix.edits.flatMap((edit) => edit.place.span));
  const edits = [...fix.edits].sort((a, b) => b.place.span[0] - a.place.span[0]);
  for (const { place, replacement } of edits) {
    text = text.slice(0, where.get(place.span[0])) + replacement + text.slice(where.get(place.span[1]));
  }
  replace(0, source().value.length, text);
};

// Puts a text in the place of a part, so that the browser can undo it.
const replace = (from, to, text) => {
  const area = source();
  area.focus();
  area.setSelectionRange(from, to);
  if (!document.execCommand || !document.execCommand("insertText", false, text)) {
    area.setRangeText(text, from, to, "end");
  }
  changed();
};

// Shows the text behind the transparent one: tokens, and what is wrong with them.
const paint = () => {
  const text = source().value;
  const plain = text.length > COLOURED;
  source().classList.toggle("plain", plain);
  const own = findings.filter(inThisFile);
  const where = offsets(text, own.flatMap((one) => one.place.span));
  const marks = own.map((one) => [where.get(one.place.span[0]), where.get(one.place.span[1]), one.severity])
    .filter(([from, to]) => to > from);
  // The gravest is seen, and of those the smallest.
  marks.sort((a, b) => RANK[b[2]] - RANK[a[2]] || (a[1] - a[0]) - (b[1] - b[0]));
  if (!plain) byId("paint").replaceChildren(...pieces(text, ranges(text), marks), "\n");
  else byId("paint").replaceChildren();
  number(text, own);
  scroll();
};

const pieces = (text, tokens, marks) => {
  const cuts = new Set([0, text.length]);
  for (const [from, to] of [...tokens, ...marks]) cuts.add(from).add(to);
  const all = [...cuts].sort((a, b) => a - b);
  const parts = [];
  let token = 0;
  for (let at = 0; at + 1 < all.length; at += 1) {
    const [from, to] = [all[at], all[at + 1]];
    while (token < tokens.length && tokens[token][1] <= from) token += 1;
    const inside = tokens[token] && tokens[token][0] <= from ? tokens[token][2] : null;
    const mark = marks.find(([start, end]) => start <= from && end >= to);
    let part = text.slice(from, to);
    if (inside) part = el("span", { className: inside }, part);
    if (mark) part = el("mark", { className: mark[2] }, part);
    parts.push(part);
  }
  return parts;
};

const number = (text, own) => {
  const lines = text.split("\n").length;
  const worst = new Map();
  for (const one of own) {
    const before = worst.get(one.place.line);
    if (!before || RANK[one.severity] > RANK[before.severity]) worst.set(one.place.line, one);
  }
  const parts = [];
  for (let line = 1; line <= lines; line += 1) {
    const one = worst.get(line);
    if (parts.length > 0) parts.push("\n");
    parts.push(one ? el("span", { className: one.severity, title: one.message }, String(line)) : String(line));
  }
  byId("gutter").replaceChildren(...parts, "\n\n");
};

const scroll = () => {
  const { scrollTop, scrollLeft } = source();
  byId("paint").scrollTop = scrollTop;
  byId("paint").scrollLeft = scrollLeft;
  byId("gutter").scrollTop = scrollTop;
};

// Shows a line of the text, or a part of it.
const goTo = (line, span) => {
  const area = source();
  const text = area.value;
  const lines = text.split("\n");
  let from = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
  let to = from + (lines[line - 1] || "").length;
  if (span) {
    const where = offsets(text, span);
    [from, to] = [where.get(span[0]), where.get(span[1])];
  }
  area.focus();
  area.setSelectionRange(from, to);
  const height = parseFloat(getComputedStyle(area).lineHeight);
  area.scrollTop = Math.max(0, (line - 1) * height - area.clientHeight / 3);
  scroll();
};

// Tab indents the lines that are chosen, or the place; Esc lets the next Tab leave.
let leaves = false;
const key = (event) => {
  if (event.key === "Escape") {
    leaves = true;
    return;
  }
  if (event.key !== "Tab" || event.ctrlKey || event.altKey || event.metaKey) {
    if (event.key !== "Shift") leaves = false;
    if (event.key === "Enter" && !event.shiftKey && !event.ctrlKey && !event.metaKey) {
      const { value, selectionStart: from, selectionEnd: to } = source();
      const line = value.slice(value.lastIndexOf("\n", from - 1) + 1, from);
      const indent = line.match(/^[ \t]*/)[0];
      const opens = /(:-|-->|=>)\s*$/.test(line) ? INDENT : "";
      const ends = /\.\s*$/.test(line);
      event.preventDefault();
      replace(from, to, `\n${ends ? "" : indent || opens}`);
    }
    return;
  }
  if (leaves) {
    leaves = false;
    return;
  }
  event.preventDefault();
  const area = source();
  const { value, selectionStart: from, selectionEnd: to } = area;
  const first = value.lastIndexOf("\n", from - 1) + 1;
  const lines = value.slice(first, to);
  if (!event.shiftKey && !lines.slice(from - first).includes("\n")) {
    replace(from, to, INDENT);
    return;
  }
  const moved = lines.split("\n").map((line) => (event.shiftKey ? line.replace(/^(?: {1,4}|\t)/, "") : line && INDENT + line)).join("\n");
  replace(first, to, moved);
  area.setSelectionRange(first, first + moved.length);
};

// What was changed elsewhere is taken over where nothing was changed here.
const refresh = async () => {
  const { file } = app;
  if (!file || app.draft !== null || !saved) return;
  const answer = await fetch(`/api/file?name=${encodeURIComponent(file)}`).catch(() => null);
  const now = answer && answer.ok ? await answer.json() : null;
  if (!now || file !== app.file || app.draft !== null || now.version === saved.version) return;
  saved = now;
  source().value = now.text;
  findings = [];
  paint();
  showSaved("The file was changed elsewhere: this is what it is now.");
  later("check", 50, runCheck);
  tell("edited");
};

export const start = () => {
  const area = source();
  area.oninput = changed;
  area.onscroll = scroll;
  area.onkeydown = key;
  area.onblur = () => { leaves = false; };
  byId("save").onclick = save;
  byId("revert").onclick = () => {
    if (!saved) return;
    replace(0, area.value.length, saved.text);
    byId("conflict").hidden = true;
  };
  on("goto", (file, line, span) => {
    if (file !== app.file) return;
    tell("tab", "rules");
    goTo(line, span);
  });
  on("save", save);
  document.addEventListener("visibilitychange", () => document.hidden || refresh());
  addEventListener("focus", refresh);
  on("again", () => {
    refresh();
    if (findings.length === 0 && !check) later("check", CHECK_AFTER, runCheck);
  });
  // Another tab edits the same draft.
  addEventListener("storage", (event) => {
    if (!app.file || app.shared || !isDraftKey(event.key, app.file) || document.hasFocus()) return;
    const draft = keptDraft(app.file);
    if (draft) area.value = draft.text;
    else if (saved) open(app.file);
    if (draft) changed();
  });
  addEventListener("beforeunload", () => {
    if (app.draft !== null && !app.shared) keepDraft(app.file, { text: area.value, version: saved ? saved.version : null });
  });
};
