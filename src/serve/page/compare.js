// Engines and heuristics beside each other.

import { byId, bytes, counted, el, endText, grouped, hide, progressText, seconds } from "./dom.js";
import { app, ask, here, isSearched, isPuzzle, on } from "./state.js";

let job = null;

const outcomeText = (row) => (row.reason ? `${row.outcome}: ${row.reason}` : row.outcome);
const optimalText = (row) => {
  if (row.optimal === true) return "proved";
  if (row.optimal === false) return row.excess ? `no, +${row.excess}` : "no";
  return row.optimal_if ? "if the heuristic never overestimates" : "";
};

// Columns: title, value to sort by, text, whether it has a bar.
const PUZZLE = [
  ["start", (row) => row.instance],
  ["engine", (row) => row.engine],
  ["heuristic", (row) => row.heuristic || ""],
  ["outcome", outcomeText],
  ["cheapest", optimalText],
  ["cost", (row) => row.cost, String],
  ["moves", (row) => row.moves, grouped],
  ["expanded", (row) => row.expanded, grouped, true],
  ["generated", (row) => row.generated, grouped, true],
  ["time", (row) => row.elapsed_seconds, seconds, true],
  ["memory", (row) => row.peak_memory_bytes, bytes, true],
];
const GAME = [
  ["start", (row) => row.instance],
  ["engine", (row) => row.engine],
  ["outcome", outcomeText],
  ["value", (row) => row.value, String],
  ["exact", (row) => (row.exact ? "exact" : row.exact_if ? `exact if ${row.exact_if}` : "estimate")],
  ["move", (row) => row.move || ""],
  ["nodes", (row) => row.nodes, grouped, true],
  ["states", (row) => row.states, grouped, true],
  ["time", (row) => row.elapsed_seconds, seconds, true],
  ["memory", (row) => row.peak_memory_bytes, bytes, true],
];

const table = (report) => {
  const rows = [...(report.puzzle || report.game)];
  const several = new Set(rows.map((row) => row.instance)).size > 1;
  const columns = (report.puzzle ? PUZZLE : GAME).filter(([title]) => several || title !== "start");
  // Sizes span powers of ten: so do the bars.
  const length = (value) => Math.log10(1 + value * 1e6);
  const least = columns.map(([, get, , bar]) => (bar ? Math.min(...rows.map((row) => length(get(row)))) * 0.9 : 0));
  const most = columns.map(([, get, , bar]) => (bar ? Math.max(...rows.map((row) => length(get(row)))) : 0));
  let [by, down] = [null, false];
  const body = el("tbody");
  const heads = columns.map(([title], column) => {
    const button = el("button", { type: "button", onclick: () => sort(column) }, title);
    return el("th", { scope: "col" }, button);
  });
  const cell = (row, [, get, text, bar], column) => {
    const value = get(row);
    if (!text) return el("td", {}, String(value ?? ""));
    const shown = value === null || value === undefined ? "" : text(value);
    const data = el("td", { className: "number" }, shown);
    if (bar && shown) {
      const line = el("div", { className: "bar", "aria-hidden": "true" });
      line.style.width = `${(100 * (length(value) - least[column])) / (most[column] - least[column] || 1)}%`;
      data.append(line);
    }
    return data;
  };
  const put = () => body.replaceChildren(...rows.map((row) => el("tr", {}, ...columns.map((column, at) => cell(row, column, at)))));
  const sort = (column) => {
    down = by === column && !down;
    by = column;
    const [, get] = columns[column];
    const order = (a, b) => (typeof a === "number" && typeof b === "number" ? a - b : String(a ?? "").localeCompare(String(b ?? "")));
    rows.sort((a, b) => (down ? -1 : 1) * order(get(a), get(b)));
    heads.forEach((head, at) => {
      if (at === by) head.setAttribute("aria-sort", down ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    });
    put();
  };
  put();
  return el("table", {}, el("caption", {}, "Bars are logarithmic. A click on a title sorts."), el("thead", {}, el("tr", {}, ...heads)), body);
};

const factorText = ({ engine, better, worse, mean, instances }) =>
  `${engine}: ${better} expands ${mean.toPrecision(3)} times fewer states than ${worse}, on ${counted(instances, "start")}.`;

const compare = () => {
  if (job) job.stop();
  const progress = byId("compare-progress");
  const place = byId("compared");
  progress.textContent = "Comparing …";
  progress.classList.remove("error");
  place.hidden = true;
  const random = isPuzzle() ? Number(byId("compare-random").value) || 0 : 0;
  const own = ask("compare", { ...here(), random }, (record, data) => {
    if (job !== own) return;
    if (record === "progress") progress.textContent = progressText(data);
    if (record === "waiting") progress.textContent = "Waiting for other searches …";
    if (record === "compared") {
      place.replaceChildren(table(data), ...data.notes.map((note) => el("p", {}, note)));
      for (const factor of data.factors || []) place.append(el("p", {}, factorText(factor)));
      place.hidden = false;
    }
  });
  job = own;
  byId("compare-stop").hidden = false;
  own.ended.then((end) => {
    if (job !== own) return;
    job = null;
    hide("compare-stop", "compare-go");
    progress.textContent = endText(end);
    progress.classList.toggle("error", !["done", "interrupted"].includes(end.outcome));
  });
};

export const start = () => {
  byId("compare").onsubmit = (event) => { event.preventDefault(); compare(); };
  byId("compare-stop").onclick = () => job && job.stop();
  on("opened", () => {
    if (job) job.stop();
    byId("compared").hidden = true;
    byId("compare-go").disabled = !isSearched();
    byId("compare-random-field").hidden = !isPuzzle();
    byId("compare-progress").classList.remove("error");
    byId("compare-progress").textContent = isSearched()
      ? "Runs all engines from the state on the board, and shows cost, states and time side by side." : "There are no engines to compare here.";
  });
};
