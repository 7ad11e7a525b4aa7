// The extension without an editor: a stand-in for the module `vscode`, in which `activate` runs, the server is
// started, and commands are carried out.

"use strict";
const assert = require("assert");
const fs = require("fs");
const os = require("os");
const path = require("path");
const Module = require("module");
const { program } = require("./server");

const root = path.join(__dirname, "..");
const rules = path.join(root, "..", "..", "rules");

class Disposable {
  constructor(dispose = () => {}) {
    this.dispose = dispose;
  }
}

class Task {
  constructor(definition, scope, name, source, execution, matchers) {
    Object.assign(this, { definition, scope, name, source, execution, matchers });
  }
}

class ProcessExecution {
  constructor(process, args) {
    Object.assign(this, { process, args });
  }
}

/** What the extension has done. */
const seen = { commands: new Map(), tasks: [], errors: [], clients: [] };

const vscode = {
  Disposable,
  Task,
  ProcessExecution,
  TaskScope: { Workspace: 2 },
  Uri: { file: (fsPath) => ({ fsPath }), joinPath: (one, ...more) => ({ fsPath: path.join(one.fsPath, ...more) }) },
  workspace: {
    getConfiguration: () => ({ get: (name, other) => (name === "path" ? program : other) }),
    onDidChangeConfiguration: () => new Disposable(),
    textDocuments: [],
    workspaceFolders: undefined,
  },
  window: {
    activeTextEditor: undefined,
    showErrorMessage: async (message) => void seen.errors.push(message),
    showInformationMessage: async () => undefined,
    showQuickPick: async (items) => items[0],
    showSaveDialog: async () => ({ fsPath: path.join(seen.folder, "fresh.pl") }),
    showTextDocument: async (uri) => void (seen.shown = uri.fsPath),
  },
  commands: {
    registerCommand: (name, run) => {
      seen.commands.set(name, run);
      return new Disposable();
    },
    executeCommand: async () => undefined,
  },
  tasks: {
    registerTaskProvider: (_, provider) => {
      seen.provider = provider;
      return new Disposable();
    },
    executeTask: async (task) => void seen.tasks.push(task),
  },
};

/** The client: that of the package needs an editor, so only what it is given is looked at. */
class LanguageClient {
  constructor(id, name, server, options) {
    Object.assign(this, { id, name, server, options, running: false });
    seen.clients.push(this);
  }

  async start() {
    this.running = true;
  }

  needsStop() {
    return this.running;
  }

  async stop() {
    this.running = false;
  }
}

const client = { LanguageClient, TransportKind: { stdio: 0 } };

async function run() {
  const load = Module._load;
  Module._load = (name, ...more) => {
    if (name === "vscode") {
      return vscode;
    }
    return name === "vscode-languageclient/node" ? client : load(name, ...more);
  };
  const extension = require("../src/extension");
  const manifest = require("../package.json");
  seen.folder = fs.mkdtempSync(path.join(os.tmpdir(), "zug-vscode-"));
  try {
    await extension.activate({ subscriptions: [] });
    assert.deepStrictEqual(seen.errors, []);
    const [first] = seen.clients;
    assert.deepStrictEqual([first.server.run.command, first.server.run.args], [program, ["lsp"]]);
    assert.deepStrictEqual(first.options.initializationOptions, { commands: "client" });
    const named = manifest.contributes.commands.map((command) => command.command).sort();
    assert.deepStrictEqual([...seen.commands.keys()].sort(), named, "commands as the manifest has them");

    const wolf = path.join(rules, "wolf.pl");
    await seen.commands.get("zug.solve")(wolf);
    await seen.commands.get("zug.test")(wolf, "wolf");
    assert.deepStrictEqual(seen.tasks.map((task) => task.execution.args), [
      ["solve", wolf],
      ["test", wolf, "--unit", "wolf"],
    ]);
    for (const task of seen.tasks) {
      const { status } = require("child_process").spawnSync(task.execution.process, task.execution.args);
      assert.strictEqual(status, 0, task.execution.args.join(" "));
    }
    const given = seen.provider.resolveTask({ definition: { type: "zug", command: "check", file: wolf } });
    assert.deepStrictEqual(given.execution.args, ["check", wolf]);

    await seen.commands.get("zug.new")();
    const fresh = path.join(seen.folder, "fresh.pl");
    for (let wait = 0; seen.shown !== fresh && wait < 100; wait += 1) {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    assert.ok(fs.readFileSync(fresh, "utf8").includes("initial_state"));

    await seen.commands.get("zug.restart")();
    assert.deepStrictEqual(seen.clients.map((client) => client.running), [false, true]);
    await extension.deactivate();
    assert.ok(!seen.clients[1].running);
  } finally {
    Module._load = load;
    fs.rmSync(seen.folder, { recursive: true });
  }
  console.log(`extension: ${seen.commands.size} commands, in a stand-in for the editor`);
}

module.exports = { run };
