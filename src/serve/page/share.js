// Rules in a link: their text, compressed, behind the `#` of the address. No server gets to see it.

import { byId } from "./dom.js";
import { app } from "./state.js";

// Bytes of rules from a link.
const MOST = 1 << 20;
// Characters that programs which pass links on may cut.
const LONG = 8000;

const whole = async (stream, most = Infinity) => {
  const [parts, reader] = [[], stream.getReader()];
  for (let size = 0; ;) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
    size += value.length;
    if (size > most) {
      reader.cancel().catch(() => {});
      throw new Error("the rules are larger than 1 MiB");
    }
    parts.push(value);
  }
};

// Base64 for addresses (RFC 4648, section 5).
export const packed = async (text) => {
  const bytes = await whole(new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw")));
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
};

export const unpacked = async (code) => {
  const binary = atob(code.replace(/-/g, "+").replace(/_/g, "/"));
  const bytes = Uint8Array.from(binary, (sign) => sign.charCodeAt(0));
  const text = await whole(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")), MOST);
  return new TextDecoder("utf-8", { fatal: true }).decode(text);
};

const open = async () => {
  const given = new URLSearchParams();
  given.set("rules", await packed(byId("source").value));
  given.set("name", app.file);
  if (app.instance) given.set("start", app.instance);
  const link = `${location.origin}/#${given}`;
  byId("share-link").value = link;
  byId("share-words").textContent = link.length > LONG
    ? `The link has ${link.length} characters: some programs cut links of this length.` : "";
  byId("share").showModal();
  byId("share-link").select();
};

const copy = async () => {
  const field = byId("share-link");
  field.select();
  const copied = await (navigator.clipboard ? navigator.clipboard.writeText(field.value).then(() => true, () => false) : false);
  // Without a secure connection there is no clipboard but this.
  const done = copied || document.execCommand("copy");
  byId("share-words").textContent = done ? "Copied." : "It can't be copied from here: press Ctrl-C.";
};

export const start = () => {
  byId("share-open").onclick = open;
  byId("share-copy").onclick = copy;
};
