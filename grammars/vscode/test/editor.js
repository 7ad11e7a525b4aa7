// The packaged extension in a real editor: code-server (the variable CODE_SERVER) in Chromium (CHROMIUM).
//
//     CODE_SERVER=…/code-server CHROMIUM=/usr/bin/chromium ZUG=…/zug node test/editor.js

"use strict";
const assert = require("assert");
const { spawn, spawnSync } = require("child_process");
const fs = require("fs");
const os = require("os");
const path = require("path");
const puppeteer = require("puppeteer-core");
const { program } = require("./server");

const root = path.join(__dirname, "..");
const port = Number(process.env.PORT || 8931);

// What the text tells is a warning; what trying the rules out tells, an error.
const MARKED = ".squiggly-warning, .squiggly-error";

const RULES = `% twice(X, Y): Y is X two times.
twice(X, Y) :- Y is 2 * X.

initial_state(start, 1).
final_state(8).
rule(double, 1, X, Y) :- twice(X, Y), lenght(Y, _).
`;

/** Waits until something holds. */
async function until(what, holds, patience = 90000) {
  const end = Date.now() + patience;
  for (;;) {
    const found = await holds();
    if (found) {
      return found;
    }
    assert.ok(Date.now() < end, `${what}, in time`);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

async function run() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "zug-editor-"));
  const rules = path.join(folder, "rules");
  const data = path.join(folder, "data");
  fs.mkdirSync(path.join(data, "User"), { recursive: true });
  fs.mkdirSync(rules);
  fs.writeFileSync(path.join(rules, "double.pl"), RULES);
  fs.writeFileSync(
    path.join(data, "User", "settings.json"),
    JSON.stringify({ "zug.path": program, "security.workspace.trust.enabled": false, "workbench.startupEditor": "none" }),
  );
  const common = ["--user-data-dir", data, "--extensions-dir", path.join(folder, "extensions")];
  const server = process.env.CODE_SERVER;
  const installed = spawnSync(server, [...common, "--install-extension", path.join(root, "zug.vsix")], { encoding: "utf8" });
  assert.strictEqual(installed.status, 0, installed.stderr);
  const options = ["--auth", "none", "--bind-addr", `127.0.0.1:${port}`, "--disable-telemetry", "--disable-update-check"];
  const child = spawn(server, [...common, ...options, rules], { stdio: "ignore" });
  const browser = await puppeteer.launch({
    executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu"],
  });
  try {
    const page = await browser.newPage();
    await page.setViewport({ width: 1400, height: 900 });
    const address = `http://127.0.0.1:${port}/?folder=${rules}`;
    await until("the editor answers", () => page.goto(address).then(() => true, () => false));
    const text = (selector) =>
      page.$$eval(selector, (found) => found.map((one) => one.textContent).join("\n")).catch(() => "");
    const press = async (...keys) => {
      for (const key of keys.slice(0, -1)) {
        await page.keyboard.down(key);
      }
      await page.keyboard.press(keys.at(-1));
      for (const key of keys.slice(0, -1).reverse()) {
        await page.keyboard.up(key);
      }
    };
    await until("the folder is shown", async () => (await text(".explorer-folders-view")).includes("double.pl"));
    await until("the file opens", async () => {
      const rows = await page.$$(".explorer-folders-view .monaco-list-row");
      for (const row of rows) {
        const name = await row.evaluate((one) => one.textContent);
        if (name.includes("double.pl")) {
          await row.click({ clickCount: 2 });
        }
      }
      await new Promise((resolve) => setTimeout(resolve, 1500));
      return (await text(".view-lines")).includes("twice");
    });
    await until("a finding is marked", () => page.$(MARKED));
    await until("commands stand above the start", async () => (await text(".codelens-decoration")).includes("solve"));
    await press("F8");
    await until("the finding is told", async () => (await text(".zone-widget")).includes("lenght/2"));
    await press("Escape");
    await press("Control", ".");
    await until("a change is offered", async () => (await text(".action-widget")).includes("Replace `lenght` by `length`"));
    await page.keyboard.press("Enter");
    await until("the change is made", async () => (await text(".view-lines")).includes("length"));
    await until("the finding is gone", async () => !(await page.$(MARKED)));
    const name = await page.evaluateHandle(() =>
      [...document.querySelectorAll(".view-line span")].filter((span) => span.children.length === 0 && span.textContent.includes("twice")).at(-1),
    );
    await name.asElement().hover();
    await until("the comment is shown", async () => (await text(".monaco-hover")).includes("two times"));
    await page.screenshot({ path: process.env.PICTURE || path.join(folder, "editor.png") });
    console.log("editor: finding, lens, quick fix and hover in code-server");
  } finally {
    await browser.close();
    child.kill();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

if (require.main === module) {
  run().catch((error) => {
    console.error(error);
    process.exit(1);
  });
}

module.exports = { run };
