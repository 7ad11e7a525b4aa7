// The tree of a search, in a frame of its own; larger ones take its place while the search goes on.

import { byId, counted, endText, fill, hide, progressText } from "./dom.js";
import { has } from "./editor.js";
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
  hide("tree-newer", "tree-frame");
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
  let drawn = "";
  const own = ask("tree", question, (record, data) => {
    if (job !== own) return;
    if (record === "progress") progress.textContent = progressText(data);
    if (record === "waiting") progress.textContent = "Waiting for other searches …";
    if (record === "page") {
      arrived(data.path);
      drawn = `${counted(data.nodes, "node")}. ${data.remarks.join(" ")}`;
      progress.textContent = `${drawn}${data.partial ? "; the search goes on …" : ""}`;
    }
  });
  job = own;
  byId("tree-stop").hidden = false;
  own.ended.then((end) => {
    if (job !== own) return;
    job = null;
    hide("tree-stop", "tree-go");
    progress.textContent = [drawn, endText(end)].filter(Boolean).join(" ");
    progress.classList.toggle("error", !["done", "interrupted"].includes(end.outcome));
  });
};

// The engine to begin with. Those of games need a heuristic, since their trees end at a depth, and some no chance.
const usual = (heuristics) => {
  if (!isGame()) return heuristics.length > 0 ? "astar" : "ucs";
  return has(/^heuristic\(/m) && !has(/^move\(\s*chance\b/m) ? "alphabeta" : "";
};

const opened = () => {
  if (job) job.stop();
  const { domain } = app;
  const engines = domain.engines.map((engine) => [engine.name, engine.name, engine.missing]);
  const before = byId("tree-engine").value;
  const isKept = engines.some(([name, , missing]) => name === before && !missing);
  fill(byId("tree-engine"), [["", "none: all moves"], ...engines], isKept ? before : usual(domain.heuristics));
  fill(byId("tree-heuristic"), domain.heuristics.map((name) => [name, name]));
  byId("tree-heuristic-field").hidden = domain.heuristics.length < 2;
  byId("tree-depth").value = isGame() ? 3 : "";
  byId("tree-go").disabled = !isSearched();
  byId("tree-frame").hidden = true;
  byId("tree-frame").removeAttribute("src");
  byId("tree-newer").hidden = true;
  byId("tree-progress").classList.remove("error");
  byId("tree-progress").textContent = isSearched()
    ? "Draws the states that a search looks at, and the moves between them." : "Only puzzles and games of players in turn have trees.";
  page = null;
};

export const start = () => {
  byId("tree").onsubmit = (event) => { event.preventDefault(); draw(); };
  byId("tree-stop").onclick = () => job && job.stop();
  byId("tree-newer").onclick = () => newer && showPage(newer);
  on("opened", opened);
  on("theme", () => page && showPage(page));
};
