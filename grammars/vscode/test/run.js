// All tests of the extension. The program is `zug` in PATH, or what the variable ZUG says. With a code-server in the
// variable CODE_SERVER the extension is tried in it, too.

"use strict";
const { spawnSync } = require("child_process");
const path = require("path");

const root = path.join(__dirname, "..");

function command(program, args) {
  const { status } = spawnSync(program, args, { cwd: root, stdio: "inherit" });
  if (status !== 0) {
    process.exit(status ?? 1);
  }
}

async function run() {
  command(process.execPath, ["scripts/snippets.js", "--check"]);
  const tester = require.resolve("vscode-tmgrammar-test/dist/unit.js");
  command(process.execPath, [tester, "-g", "syntaxes/zug.tmLanguage.json", "test/grammar/*.pl"]);
  await require("./textmate").run();
  await require("./standin").run();
  if (process.env.CODE_SERVER) {
    command("npm", ["run", "package"]);
    await require("./editor").run();
  }
}

run().catch((error) => {
  console.error(error);
  process.exit(1);
});
