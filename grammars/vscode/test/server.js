// `zug lsp`, as a client sees it.

"use strict";
const { spawn } = require("child_process");

/** The program that is tested. */
const program = process.env.ZUG || "zug";

class Server {
  static async start(folder) {
    const server = new Server();
    const rootUri = `file://${folder}`;
    const result = await server.request("initialize", {
      processId: null,
      rootUri,
      capabilities: {},
      workspaceFolders: null,
    });
    server.capabilities = result.capabilities;
    server.notify("initialized", {});
    return server;
  }

  constructor() {
    this.child = spawn(program, ["lsp"], { stdio: ["pipe", "pipe", "inherit"] });
    this.waiting = new Map();
    this.last = 0;
    let bytes = Buffer.alloc(0);
    this.child.stdout.on("data", (more) => {
      bytes = Buffer.concat([bytes, more]);
      for (;;) {
        const end = bytes.indexOf("\r\n\r\n");
        const length = Number(/Content-Length: (\d+)/.exec(bytes.subarray(0, end).toString())?.[1]);
        if (end < 0 || bytes.length < end + 4 + length) {
          return;
        }
        this.take(JSON.parse(bytes.subarray(end + 4, end + 4 + length).toString()));
        bytes = bytes.subarray(end + 4 + length);
      }
    });
  }

  take(message) {
    const waiting = this.waiting.get(message.id);
    if (!waiting) {
      return;
    }
    this.waiting.delete(message.id);
    if (message.error) {
      waiting.reject(new Error(message.error.message));
    } else {
      waiting.resolve(message.result);
    }
  }

  send(message) {
    const text = JSON.stringify({ jsonrpc: "2.0", ...message });
    this.child.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  }

  notify(method, params) {
    this.send({ method, params });
  }

  request(method, params) {
    this.last += 1;
    const id = this.last;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.send({ id, method, params });
    });
  }

  open(uri, text) {
    this.notify("textDocument/didOpen", {
      textDocument: { uri, languageId: "zug", version: 1, text },
    });
  }

  async end() {
    await this.request("shutdown", null);
    this.notify("exit", null);
  }
}

module.exports = { Server, program };
