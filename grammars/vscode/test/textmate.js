// The grammar over all rule files of the project: what it takes for comments, texts, numbers and variables
// is what `zug lsp` takes for them.

"use strict";
const assert = require("assert");
const fs = require("fs");
const path = require("path");
const oniguruma = require("vscode-oniguruma");
const textmate = require("vscode-textmate");
const { Server } = require("./server");

const root = path.join(__dirname, "..");
const rules = path.join(root, "..", "..", "rules");

async function grammar() {
  const wasm = fs.readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")).buffer;
  await oniguruma.loadWASM(wasm);
  const file = path.join(root, "syntaxes", "zug.tmLanguage.json");
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (sources) => new oniguruma.OnigScanner(sources),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async () => textmate.parseRawGrammar(fs.readFileSync(file, "utf8"), file),
  });
  return registry.loadGrammar("source.zug");
}

const KINDS = { comment: "comment", string: "string", number: "constant.numeric", variable: "variable" };

/** The kinds of the characters of a text, by the grammar. */
function byGrammar(grammar, lines) {
  let state = textmate.INITIAL;
  const kinds = lines.map((line) => {
    const found = grammar.tokenizeLine(line, state);
    state = found.ruleStack;
    const kinds = Array(line.length).fill("");
    for (const token of found.tokens) {
      const scopes = token.scopes.join(" ");
      const kind = Object.keys(KINDS).find((kind) => scopes.includes(KINDS[kind]));
      kinds.fill(scopes.includes("constant.character.zug") ? "number" : kind ?? "", token.startIndex, token.endIndex);
    }
    return kinds;
  });
  assert.ok(state.depth === 1, "nothing is left open at the end");
  return kinds;
}

/** The same by the server. */
function byServer(tokens, legend, lines) {
  const kinds = lines.map((line) => Array(line.length).fill(""));
  let [line, start] = [0, 0];
  for (let at = 0; at < tokens.length; at += 5) {
    const [down, on, length, type] = tokens.slice(at, at + 4);
    start = down > 0 ? on : start + on;
    line += down;
    const kind = legend[type];
    if (kind in KINDS) {
      kinds[line].fill(kind, start, start + length);
    }
  }
  return kinds;
}

async function run() {
  const known = await grammar();
  const server = await Server.start(rules);
  const legend = server.capabilities.semanticTokensProvider.legend.tokenTypes;
  let compared = 0;
  for (const name of fs.readdirSync(rules).filter((name) => name.endsWith(".pl"))) {
    const text = fs.readFileSync(path.join(rules, name), "utf8");
    const lines = text.split("\n");
    const uri = `file://${path.join(rules, name)}`;
    server.open(uri, text);
    const { data } = await server.request("textDocument/semanticTokens/full", { textDocument: { uri } });
    const [one, other] = [byGrammar(known, lines), byServer(data, legend, lines)];
    lines.forEach((line, number) => {
      for (let at = 0; at < line.length; at += 1) {
        // A quoted atom is a string to the grammar, and a name to the server; a sign is a number's or an operator.
        const quoted = one[number][at] === "string" && other[number][at] === "";
        if (line[at].trim() && !quoted && line[at] !== "-") {
          assert.strictEqual(one[number][at], other[number][at], `${name}:${number + 1}:${at + 1} ${line}`);
          compared += 1;
        }
      }
    });
  }
  await server.end();
  assert.ok(compared > 50000, String(compared));
  console.log(`grammar: ${compared} characters of rules/ are what the server takes them for`);
}

module.exports = { run };
