// The tokens of the rule language, to be coloured. They never depend on what stands lines above, but for
// comments and quoted text that go over lines.

const TOKENS = new RegExp([
  "(?<comment>%[^\\n]*|/\\*[\\s\\S]*?(?:\\*/|$))",
  "(?<string>\"(?:[^\"\\\\]|\\\\[\\s\\S]|\"\")*\"?|`(?:[^`\\\\]|\\\\[\\s\\S])*`?)",
  "(?<quoted>'(?:[^'\\\\]|\\\\[\\s\\S]|'')*'?)",
  "(?<number>0'(?:\\\\.|''|[\\s\\S])|0[xob][0-9a-fA-F]+|\\d[\\d_]*(?:\\.\\d+)?(?:[eE][+-]?\\d+)?)",
  "(?<variable>[\\p{Lu}_][\\p{L}\\p{N}_]*)",
  "(?<name>\\p{L}[\\p{L}\\p{N}_]*)",
  "(?<operator>:-|-->|=>|->|\\*->|\\\\\\+|!|;|[-+*/\\\\^<>=~:.?@#&$]+)",
].join("|"), "gu");

const KIND = {
  comment: "t-comment", string: "t-string", quoted: "t-string", number: "t-number", variable: "t-variable",
  operator: "t-operator",
};

// Ranges of a text with their classes, in order: [from, to, class].
export const ranges = (text) => {
  const found = [];
  for (const match of text.matchAll(TOKENS)) {
    const { groups, index } = match;
    const end = index + match[0].length;
    const kind = Object.keys(KIND).find((name) => groups[name] !== undefined);
    const atStart = index === 0 || text[index - 1] === "\n";
    if (kind) found.push([index, end, KIND[kind]]);
    else if (groups.name && atStart) found.push([index, end, "t-head"]);
  }
  return found;
};
