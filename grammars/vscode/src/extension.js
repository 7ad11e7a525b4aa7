// The extension: starts `zug lsp`, and carries out commands in a terminal.

"use strict";
const vscode = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

/** @type {LanguageClient | undefined} */
let client;

/** The program, as the settings have it. */
function program() {
  return vscode.workspace.getConfiguration("zug").get("path", "zug") || "zug";
}

function newClient() {
  const run = { command: program(), args: ["lsp"], transport: TransportKind.stdio };
  return new LanguageClient("zug", "zug", { run, debug: run }, {
    documentSelector: [{ language: "zug" }],
    initializationOptions: { commands: "client" },
  });
}

async function start() {
  client = newClient();
  try {
    await client.start();
  } catch (error) {
    const settings = "Open settings";
    const message =
      `zug can't be started as \`${program()}\`: ${error.message ?? error}. ` +
      "Install it, or say in the setting `zug.path` where it is.";
    const chosen = await vscode.window.showErrorMessage(message, settings);
    if (chosen === settings) {
      await vscode.commands.executeCommand("workbench.action.openSettings", "zug.path");
    }
  }
}

async function stop() {
  const old = client;
  client = undefined;
  if (old?.needsStop()) {
    await old.stop();
  }
}

/** The rule file that a command is about: its argument, or the text in the editor, saved. */
async function file(argument) {
  if (typeof argument === "string") {
    const open = vscode.workspace.textDocuments.find((text) => text.uri.fsPath === argument);
    await open?.save();
    return argument;
  }
  const path = argument?.fsPath;
  if (path) {
    return path;
  }
  const document = vscode.window.activeTextEditor?.document;
  if (document?.languageId !== "zug") {
    return undefined;
  }
  if (document.isUntitled) {
    vscode.window.showInformationMessage("Save the rules in a file first.");
    return undefined;
  }
  await document.save();
  return document.uri.fsPath;
}

/** A task that runs a command of zug. */
function task(command, path, more = []) {
  const definition = { type: "zug", command, file: path, args: more };
  return taskOf(definition);
}

/** What a definition in `tasks.json`, or of a command, runs. */
function taskOf(definition, scope = vscode.TaskScope.Workspace) {
  const words = definition.command ? [definition.command] : [];
  const path = definition.file ?? "${file}";
  const execution = new vscode.ProcessExecution(program(), [
    ...words,
    path,
    ...(definition.args ?? []),
  ]);
  const name = definition.command || "ask";
  const made = new vscode.Task(definition, scope, name, "zug", execution, ["$zug"]);
  made.presentationOptions = { clear: true, focus: ["play", ""].includes(definition.command) };
  return made;
}

/** Runs a command over a rule file in a terminal. */
function running(command) {
  return async (argument, more) => {
    const path = await file(argument);
    if (!path) {
      return undefined;
    }
    const option = more?.includes(":") ? "--test" : "--unit";
    const words = more ? [option, more] : [];
    return vscode.tasks.executeTask(task(command, path, words));
  };
}

const KINDS = [
  { label: "puzzle", description: "one who moves, and a goal" },
  { label: "game", description: "two players in turn" },
  { label: "chance", description: "two players, and chance" },
  { label: "simultaneous", description: "two players who choose at once" },
  { label: "model", description: "constraints on variables" },
];

/** Writes a new rule file by `zug new` and opens it. */
async function newFile() {
  const kind = await vscode.window.showQuickPick(KINDS, { placeHolder: "What is it to be?" });
  if (!kind) {
    return;
  }
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const target = await vscode.window.showSaveDialog({
    defaultUri: folder && vscode.Uri.joinPath(folder, `${kind.label}.pl`),
    filters: { "Rule files": ["pl"] },
  });
  if (!target) {
    return;
  }
  const name = target.fsPath.replace(/\.pl$/, "");
  const { execFile } = require("child_process");
  // The dialog has asked whether a file that is there may go.
  execFile(program(), ["new", kind.label, name, "--force"], async (error, _, words) => {
    if (error) {
      vscode.window.showErrorMessage(words || error.message);
      return;
    }
    await vscode.window.showTextDocument(vscode.Uri.file(`${name}.pl`));
  });
}

/** Tasks over the file in the editor. */
const tasks = {
  provideTasks: () => ["solve", "check", "test"].map((command) => task(command, "${file}")),
  resolveTask: (asked) => taskOf(asked.definition, asked.scope),
};

async function activate(context) {
  const commands = {
    "zug.solve": running("solve"),
    "zug.play": running("play"),
    "zug.tree": running("tree"),
    "zug.nash": running("nash"),
    "zug.test": running("test"),
    "zug.ask": running(""),
    "zug.new": newFile,
    "zug.restart": async () => {
      await stop();
      await start();
    },
  };
  for (const [name, run] of Object.entries(commands)) {
    context.subscriptions.push(vscode.commands.registerCommand(name, run));
  }
  context.subscriptions.push(vscode.tasks.registerTaskProvider("zug", tasks));
  context.subscriptions.push(
    vscode.workspace.onDidChangeConfiguration(async (change) => {
      if (change.affectsConfiguration("zug.path")) {
        await stop();
        await start();
      }
    }),
  );
  await start();
}

module.exports = { activate, deactivate: stop };
