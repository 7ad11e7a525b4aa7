// Makes snippets/zug.json: the templates of `zug new` whole, and pieces of rule files.
// `--check` says whether the file is as it would be made.

"use strict";
const fs = require("fs");
const path = require("path");

const root = path.join(__dirname, "..");
const templates = path.join(root, "..", "..", "src", "usecases", "new");
const target = path.join(root, "snippets", "zug.json");

const kinds = {
  puzzle: "A puzzle: one who moves, and a goal",
  game: "A game: two players in turn",
  chance: "A game of two players, and chance",
  simultaneous: "A game in which both choose at once",
  model: "A model: constraints on variables",
};

/** A text as the body of a snippet: what is special there is escaped. */
function literal(text) {
  return text.replace(/\\/g, "\\\\").replace(/\$/g, "\\$").replace(/\}/g, "\\}");
}

function body(kind) {
  const text = fs.readFileSync(path.join(templates, `${kind}.pl`), "utf8").trimEnd();
  const named = literal(text).split(`${kind}.pl`).join("${TM_FILENAME}");
  return named.split("\n").concat("$0");
}

const pieces = {
  "initial_state/2": {
    prefix: "initial_state",
    description: "A start, with its name",
    body: ["initial_state(${1:name}, ${2:State})."],
  },
  "final_state/1": {
    prefix: "final_state",
    description: "The goal of a puzzle",
    body: ["final_state(${1:State})."],
  },
  "rule/4": {
    prefix: "rule",
    description: "A move of a puzzle, and its cost",
    body: ["rule(${1:name}, ${2:1}, ${3:S1}, ${4:S2}) :-", "    ${0:true}."],
  },
  "move/4": {
    prefix: "move",
    description: "A move of a player in a game",
    body: ["move(${1:J}, ${2:Name}, ${3:S1}, ${4:S2}) :-", "    ${0:true}."],
  },
  "heuristic/2": {
    prefix: "heuristic",
    description: "An estimate of the cost that is left",
    body: ["heuristic(${1:S}, ${2:H}) :-", "    ${0:H = 0}."],
  },
  "if-then-else": {
    prefix: "if",
    description: "If-then-else",
    body: ["(   ${1:Condition}", "->  ${2:Then}", ";   ${3:Else}", ")$0"],
  },
  tests: {
    prefix: "tests",
    description: "A unit of tests",
    body: [
      ":- begin_tests(${1:name}).",
      "",
      "test(${2:first}, ${3:X} == ${4:1}) :-",
      "    ${0:X = 1}.",
      "",
      ":- end_tests(${1:name}).",
    ],
  },
};

const snippets = {};
for (const [kind, description] of Object.entries(kinds)) {
  snippets[`new ${kind}`] = { prefix: `new-${kind}`, description, body: body(kind) };
}
Object.assign(snippets, pieces);
const made = `${JSON.stringify(snippets, null, 2)}\n`;
if (process.argv.includes("--check")) {
  if (fs.readFileSync(target, "utf8") !== made) {
    console.error("snippets/zug.json is not as `npm run snippets` makes it");
    process.exit(1);
  }
} else {
  fs.writeFileSync(target, made);
}
