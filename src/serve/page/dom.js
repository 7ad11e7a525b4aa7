// Elements, numbers as text, and what is said to those who listen.

export const byId = (id) => document.getElementById(id);

// An element of HTML: its properties, and what is in it. Event handlers are properties, as `onclick`.
export const el = (tag, props = {}, ...children) => {
  const element = document.createElement(tag);
  put(element, props);
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
};

const SVG = "http://www.w3.org/2000/svg";

export const svg = (tag, props = {}, ...children) => {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(props)) {
    if (value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
};

const put = (element, props) => {
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined) continue;
    if (name in element && !name.includes("-")) element[name] = value;
    else element.setAttribute(name, value);
  }
};

// Fills a list of choices: value, text, and whether it can't be chosen.
export const fill = (select, pairs, chosen) => {
  select.replaceChildren(...pairs.map(([value, text, disabled]) => el("option", { value, disabled: !!disabled }, text)));
  if (pairs.some(([value, , disabled]) => value === chosen && !disabled)) select.value = chosen;
};

// A button that can't be used now keeps the focus; clicks on it do nothing.
export const enable = (id, isEnabled) => byId(id).setAttribute("aria-disabled", !isEnabled);

// Hides an element. If it has the focus, another element gets it.
export const hide = (id, next) => {
  const had = byId(id).contains(document.activeElement);
  byId(id).hidden = true;
  if (had) byId(next).focus();
  return had;
};

// A number as the engines write it: exact ones as `1/3`, none as `null`.
export const numberOf = (value) => {
  if (value === null || typeof value === "number") return value;
  if (/inf$/.test(value)) return value.startsWith("-") ? -Infinity : Infinity;
  const [above, below] = String(value).split("/");
  return below === undefined ? Number(above) : Number(above) / Number(below);
};

export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

// Text in which `this` is code.
export const marked = (text) => text.split("`").map((part, number) => (number % 2 === 1 ? el("code", {}, part) : part));

const groups = new Intl.NumberFormat("en");
export const grouped = (number) => groups.format(number);
export const counted = (number, what) => `${grouped(number)} ${what}${number === 1 ? "" : "s"}`;

export const seconds = (time) => {
  if (time < 0.0015) return `${(time * 1000).toFixed(1)} ms`;
  if (time < 1) return `${Math.round(time * 1000)} ms`;
  return `${time.toFixed(time < 10 ? 2 : 1)} s`;
};

export const bytes = (size) => {
  const units = ["B", "KiB", "MiB", "GiB"];
  let unit = 0;
  for (; size >= 1024 && unit < 3; unit += 1) size /= 1024;
  return `${unit === 0 ? size : size.toFixed(1)} ${units[unit]}`;
};

// The time that is left of work of which so many parts of all are done, in words; nothing before the first.
export const timeLeft = (done, all, elapsed) => {
  if (!(done > 0) || done >= all) return "";
  const left = (elapsed / done) * (all - done);
  if (left < 1.5) return "about a second left";
  if (left < 90) return `about ${Math.round(left)} s left`;
  return `about ${Math.round(left / 60)} min left`;
};

// How far some work is, in words.
export const progressText = (data) => {
  const parts = [];
  if (data.of !== undefined) parts.push(`${data.done} of ${data.of}`);
  if (data.engine) parts.push(data.heuristic ? `${data.engine} with ${data.heuristic}` : data.engine);
  if (data.expanded !== undefined) parts.push(`${counted(data.expanded, "state")} expanded`);
  if (data.nodes !== undefined) parts.push(counted(data.nodes, "node"));
  if (data.states !== undefined) parts.push(counted(data.states, "state"));
  if (data.depth !== undefined && data.depth !== null) parts.push(`depth ${data.depth}`);
  if (data.bound !== undefined && data.bound !== null) parts.push(`at least ${data.bound}`);
  if (data.memory_bytes) parts.push(bytes(data.memory_bytes));
  parts.push(seconds(data.elapsed_seconds));
  const left = data.of !== undefined ? timeLeft(data.done, data.of, data.elapsed_seconds) : "";
  if (left) parts.push(left);
  return parts.join(", ");
};

// Why a job did not come to its end, in words; nothing if it did.
export const endText = (end) => {
  if (end.outcome === "done") return "";
  const message = end.error ? end.error.message : "";
  const finding = end.findings && end.findings[0];
  const place = (end.error && end.error.finding && end.error.finding.place) || (finding && finding.place);
  const at = place ? ` (line ${place.line})` : "";
  if (end.outcome === "interrupted") return message ? `Stopped: ${message}.` : "Stopped.";
  if (end.outcome === "stopped") return `A limit was reached${message ? `: ${message}` : ""}.`;
  if (end.outcome === "faults") return `The rules have errors${finding ? `: ${finding.message}` : ""}${at}.`;
  if (end.outcome === "lost") return capital(message || "The connection was lost; try again.");
  return capital(`${message || end.outcome}${at}`);
};
