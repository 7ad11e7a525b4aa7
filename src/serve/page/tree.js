// The tree of a search, in a frame of its own; larger ones take its place while the search goes on.

import { byId, counted, endText, fill, progressText } from "./dom.js";
import { app, ask, here, isGame, isSearched, keptTheme, on } from "./state.js";

let job = null;
let newer = null;
let page = null;

const theme = () => keptTheme() || "auto";
const showPage = (path) => {
  page = path;
  newer = null;
  const frame = byId("tree-frame");
  frame.hidden = false;
  frame.src = `${path}?theme=${theme()}`;
  byId("tree-newer").hidden = true;
};

// Who explores a tree is not disturbed by a larger one.
const arrived = (path) => {
  if (document.activeElement === byId("tree-frame")) {
    newer = path;
    byId("tree-newer").hidden = false;
  } else {
    showPage(path);
  }
};

const draw = () => {
  if (job) job.stop();
  const progress = byId("tree-progress");
  const depth = Number(byId("tree-depth").value);
  const engine = byId("tree-engine").value;
  const question = {
    ...here(), engine: engine || null, heuristic: byId("tree-heuristic").value || null,
    depth: depth > 0 ? depth : null, nodes: Number(byId("tree-nodes").value) || null,
    graph: byId("tree-graph").checked,
  };
  progress.textContent = "Searching …";
  progress.classList.remove("error");
  const own = ask("tree", question, (record, data) => {
    if (job !== own) return;
    if (record === "progress") progress.textContent = progressText(data);
    if (record === "waiting") progress.textContent = "Waiting for other searches …";
    if (record === "page") {
      arrived(data.path);
      const more = data.partial ? "; the search goes on …" : "";
      progress.textContent = `${counted(data.nodes, "node")}. ${data.remarks.join(" ")}${more}`;
    }
  });
  job = own;
  byId("tree-stop").hidden = false;
  own.ended.then((end) => {
    if (job !== own) return;
    job = null;
    byId("tree-stop").hidden = true;
    if (end.outcome === "done") return;
    progress.textContent = `${progress.textContent} ${endText(end)}`;
    progress.classList.toggle("error", end.outcome !== "interrupted");
  });
};

const opened = () => {
  if (job) job.stop();
  const { domain } = app;
  const engines = domain.engines.map((engine) => [engine.name, engine.name, engine.missing]);
  const usual = isGame() ? "alphabeta" : domain.heuristics.length > 0 ? "astar" : "ucs";
  fill(byId("tree-engine"), [["", "none: all moves"], ...engines], byId("tree-engine").value || usual);
  fill(byId("tree-heuristic"), domain.heuristics.map((name) => [name, name]));
  byId("tree-heuristic-field").hidden = domain.heuristics.length < 2;
  byId("tree-depth").value = isGame() ? 3 : "";
  byId("tree-go").disabled = !isSearched();
  byId("tree-frame").hidden = true;
  byId("tree-frame").removeAttribute("src");
  byId("tree-newer").hidden = true;
  byId("tree-progress").textContent = isSearched() ? "" : "Only puzzles and games of players in turn have trees.";
  page = null;
};

export const start = () => {
  byId("tree").onsubmit = (event) => { event.preventDefault(); draw(); };
  byId("tree-stop").onclick = () => job && job.stop();
  byId("tree-newer").onclick = () => newer && showPage(newer);
  on("opened", opened);
  on("theme", () => page && showPage(page));
};
