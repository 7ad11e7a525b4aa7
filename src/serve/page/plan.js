// Solving, and stepping through what was found.

import { byId, el, enable, endText, fill, hide, progressText } from "./dom.js";
import { leavePlan, show, takePlan } from "./play.js";
import { app, ask, entry, here, isGame, isPuzzle, on, tell } from "./state.js";

const SPEED = 700;
const ABOUT = {
  puzzle: "Looks for a plan from the state on the board, and shows it step by step.",
  game: "Works out what the state on the board is worth, and shows the best play from it.",
  simultaneous: "Looks for choices from which no player gains by a change alone.",
  model: "Looks for values that meet all conditions of the model.",
  program: "These rules are neither a puzzle nor a game: ask them queries.",
};
let job = null;
let timer = null;
// The last plan, and the entry of the history that it begins in. It is shown on this tab, while the game stands there.
let last = null;

const frames = () => (app.plan ? app.plan.frames : []);

const setStep = (step) => {
  if (!app.plan) return;
  app.plan.at = Math.max(0, Math.min(frames().length - 1, step));
  show();
  showSteps();
};

const stopPlaying = () => {
  clearInterval(timer);
  timer = null;
  byId("step-play").textContent = "Play";
};

const togglePlaying = () => {
  if (timer) {
    stopPlaying();
    return;
  }
  if (!app.plan) return;
  if (app.plan.at === frames().length - 1) setStep(0);
  byId("step-play").textContent = "Pause";
  timer = setInterval(() => {
    setStep(app.plan ? app.plan.at + 1 : 0);
    if (!app.plan || app.plan.at === frames().length - 1) stopPlaying();
  }, SPEED);
};

const step = (by) => {
  stopPlaying();
  setStep((app.plan ? app.plan.at : 0) + by);
};

const showSteps = () => {
  if (!app.plan) {
    if (app.tab === "solve") last = null;
    stopPlaying();
    hide("steps", "solve-go");
    return;
  }
  byId("steps").hidden = false;
  const { at } = app.plan;
  const end = frames().length - 1;
  const slider = byId("step");
  slider.max = end;
  slider.value = at;
  const words = `${at} of ${end}${frames()[at].move ? `: ${frames()[at].move}` : ""}`;
  slider.setAttribute("aria-valuetext", words);
  byId("step-count").textContent = `${at} / ${end}`;
  for (const id of ["step-first", "step-back"]) enable(id, at > 0);
  for (const id of ["step-on", "step-last"]) enable(id, at < end);
  byId("step-take").hidden = !isPuzzle();
  const list = byId("plan");
  if (list.plan !== app.plan) {
    list.plan = app.plan;
    list.replaceChildren(...frames().slice(1).map((frame, number) => el("li", {}, el("button", {
      type: "button", onclick: () => { stopPlaying(); setStep(number + 1); },
    }, frame.move || "?"))));
  }
  list.querySelectorAll("button").forEach((button, number) => {
    if (number + 1 === at) {
      button.setAttribute("aria-current", "step");
      const [own, area] = [button.getBoundingClientRect(), list.getBoundingClientRect()];
      if (own.top < area.top || own.bottom > area.bottom) list.scrollTop += own.top - area.top;
    } else {
      button.removeAttribute("aria-current");
    }
  });
};

export const solve = () => {
  if (byId("solve-go").disabled) return;
  if (job) job.stop();
  stopPlaying();
  const from = entry();
  const report = byId("solved");
  const progress = byId("solve-progress");
  report.hidden = true;
  progress.textContent = "Solving …";
  const depth = Number(byId("solve-depth").value);
  const engine = byId("solve-engine").value;
  const heuristic = byId("solve-heuristic").value;
  const question = {
    ...here(), engine: engine || null, heuristic: isInformed(engine) ? heuristic || null : null,
    depth: isGame() && depth > 0 ? depth : null,
  };
  let written = "";
  const own = ask("solve", question, (record, data) => {
    if (job !== own) return;
    if (record === "progress") progress.textContent = progressText(data);
    if (record === "waiting") progress.textContent = "Waiting for other searches …";
    if (record === "output") written += data.text;
    if (record === "found") found(data, from);
  });
  job = own;
  byId("solve-stop").hidden = false;
  own.ended.then((end) => {
    if (job !== own) return;
    job = null;
    hide("solve-stop", "solve-go");
    progress.textContent = endText(end);
    progress.classList.toggle("error", !["done", "interrupted"].includes(end.outcome));
    const why = (end.findings || []).map(findingText);
    if (why.length > 0) {
      report.textContent = [report.hidden ? "" : report.textContent, ...why].filter(Boolean).join("\n");
      report.hidden = false;
    }
    if (written) {
      report.hidden = false;
      report.textContent = `${written}\n${report.textContent}`;
    }
  });
};

// What check finds in rules with which a search came to nothing.
const findingText = ({ code, message, hints, place }) =>
  `${code}${place ? `, line ${place.line}` : ""}: ${[message, ...hints].join("; ")}`;

const found = (data, from) => {
  const report = byId("solved");
  report.hidden = false;
  report.textContent = data.text.trim();
  if (app.plan) leavePlan();
  last = data.frames.length > 1 ? { from, plan: { frames: data.frames, at: 0, title: isGame() ? "Best play" : "Plan" } } : null;
  shown();
};

// A plan is seen on its own tab alone: on the others the game is.
const shown = () => {
  if (app.tab !== "solve") {
    if (app.plan) leavePlan();
  } else if (!app.plan && last && last.from === entry()) {
    app.plan = last.plan;
    tell("plan");
  }
};

const isInformed = (name) => {
  if (!app.domain) return false;
  if (!name) return true;
  const engine = app.domain.engines.find((one) => one.name === name);
  return engine !== undefined && engine.informed;
};

const showHeuristics = () => {
  const { heuristics } = app.domain;
  byId("solve-heuristic-field").hidden = heuristics.length < 2 || !isInformed(byId("solve-engine").value);
};

const opened = () => {
  if (job) job.stop();
  last = null;
  const { domain } = app;
  const engines = domain.engines.map((engine) => [
    engine.name, engine.missing ? `${engine.name} (needs ${engine.missing})` : engine.name, engine.missing,
  ]);
  fill(byId("solve-engine"), [["", "the usual engine"], ...engines], byId("solve-engine").value);
  byId("solve-engine").parentElement.hidden = engines.length === 0;
  fill(byId("solve-heuristic"), domain.heuristics.map((name) => [name, name]));
  byId("solve-depth-field").hidden = domain.kind !== "game";
  byId("solve-go").disabled = domain.kind === "program";
  byId("solve-go").textContent = ["puzzle", "game"].includes(domain.kind) ? "Solve from here" : "Solve";
  byId("solved").hidden = true;
  byId("solve-progress").classList.remove("error");
  byId("solve-progress").textContent = ABOUT[domain.kind];
  showHeuristics();
  showSteps();
};

export const arrows = (by) => {
  if (!app.plan) return false;
  step(by);
  return true;
};

export const start = () => {
  const click = (id, run) => { byId(id).onclick = run; };
  click("step-first", () => step(-frames().length));
  click("step-back", () => step(-1));
  click("step-on", () => step(1));
  click("step-last", () => step(frames().length));
  click("step-play", togglePlaying);
  click("step-take", takePlan);
  click("step-leave", leavePlan);
  click("solve-stop", () => job && job.stop());
  byId("step").oninput = () => { stopPlaying(); setStep(Number(byId("step").value)); };
  byId("solve").onsubmit = (event) => { event.preventDefault(); solve(); };
  byId("solve-engine").onchange = showHeuristics;
  on("opened", opened);
  on("plan", showSteps);
  on("shown", shown);
};
