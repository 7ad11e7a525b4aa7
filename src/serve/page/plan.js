// Solving, and stepping through what was found.

import { byId, el, endText, fill, progressText } from "./dom.js";
import { leavePlan, show, takePlan } from "./play.js";
import { app, ask, here, isGame, isPuzzle, on, tell } from "./state.js";

const SPEED = 700;
let job = null;
let timer = null;

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
  byId("steps").hidden = !app.plan;
  if (!app.plan) {
    stopPlaying();
    return;
  }
  const { at } = app.plan;
  const last = frames().length - 1;
  const slider = byId("step");
  slider.max = last;
  slider.value = at;
  const words = `${at} of ${last}${frames()[at].move ? `: ${frames()[at].move}` : ""}`;
  slider.setAttribute("aria-valuetext", words);
  byId("step-count").textContent = `${at} / ${last}`;
  byId("step-first").disabled = byId("step-back").disabled = at === 0;
  byId("step-on").disabled = byId("step-last").disabled = at === last;
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

const solve = () => {
  if (job) job.stop();
  stopPlaying();
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
    if (record === "found") found(data);
  });
  job = own;
  byId("solve-stop").hidden = false;
  own.ended.then((end) => {
    if (job !== own) return;
    job = null;
    byId("solve-stop").hidden = true;
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

const found = (data) => {
  const report = byId("solved");
  report.hidden = false;
  report.textContent = data.text.trim();
  if (data.frames.length > 1) {
    app.plan = { frames: data.frames, at: 0, title: isGame() ? "Best play" : "Plan" };
    tell("plan");
  } else {
    if (app.plan) leavePlan();
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
  const { domain } = app;
  const engines = domain.engines.map((engine) => [
    engine.name, engine.missing ? `${engine.name} (needs ${engine.missing})` : engine.name, engine.missing,
  ]);
  fill(byId("solve-engine"), [["", "the usual one"], ...engines], byId("solve-engine").value);
  byId("solve-engine").parentElement.hidden = engines.length === 0;
  fill(byId("solve-heuristic"), domain.heuristics.map((name) => [name, name]));
  byId("solve-depth-field").hidden = domain.kind !== "game";
  byId("solve-go").disabled = domain.kind === "program";
  byId("solve-go").textContent = ["puzzle", "game"].includes(domain.kind) ? "Solve from here" : "Solve";
  byId("solved").hidden = true;
  byId("solve-progress").textContent = domain.kind === "program" ? "These rules are neither a puzzle nor a game: ask them queries." : "";
  showHeuristics();
  showSteps();
};

export const keys = { s: solve };
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
};
