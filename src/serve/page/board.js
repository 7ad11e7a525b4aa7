// Boards of squares that are walked with the arrow keys. In text, characters that moves change are squares.

import { el, svg } from "./dom.js";

const SIDE = 48;

const nameOf = (colour) => colour.name || (colour.light ? "light" : "dark");

// What a square says to those who do not see it.
const spoken = (square) => {
  const parts = [];
  if (square.text) parts.push(square.text);
  if (square.disc) parts.push(`${nameOf(square.disc)} disc`);
  if (square.fill) parts.push(`on ${nameOf(square.fill)}`);
  if (square.mark) parts.push("marked");
  return parts.join(", ") || "empty";
};

export const sameSquare = (a, b) => a === b || JSON.stringify(a) === JSON.stringify(b);

const lines = (text) => text.replace(/\s+$/, "").split("\n");
// The columns at the left that are empty in all lines.
const indentOf = (all) => Math.min(...all.filter((line) => line.trim()).map((line) => line.search(/\S/)), 99);
const rowsOf = (board) => (board.grid ? board.grid.rows : lines(board.text).map((line) => [...line.trimEnd()]));

// Whether two boards have the same lines of the same length: squares can be told by their places.
export const sameShape = (before, after) => {
  if (!before || !after || !before.grid !== !after.grid) return false;
  if (before.grid) return true;
  const sizes = (board) => board.text.replace(/\n+$/, "").split("\n").map((line) => line.length).join();
  return sizes(before) === sizes(after);
};

// The squares in which two boards differ, as "row,column"; nothing where that can't be told.
export const differing = (before, after) => {
  const found = new Set();
  if (!sameShape(before, after)) return found;
  const [a, b] = [rowsOf(before), rowsOf(after)];
  // A frame around a square is not a change of it.
  const bare = (square) => (square && square.mark ? { ...square, mark: undefined } : square);
  for (let row = 0; row < Math.max(a.length, b.length); row += 1) {
    const [own, other] = [a[row] || [], b[row] || []];
    for (let column = 0; column < Math.max(own.length, other.length); column += 1) {
      const [x, y] = [own[column], other[column]];
      const same = before.grid ? sameSquare(bare(x), bare(y)) : (x || " ") === (y || " ");
      if (!same) found.add(`${row},${column}`);
    }
  }
  return found;
};

// Whether pieces and letters have colours of their own where the squares have none: these are made for a light ground.
const isLit = (board) => board && board.grid && board.grid.rows.flat().some((square) => !square.fill && (square.ink || square.disc));

// What a grid needs: columns, the width of a square, its letters.
const sizeOf = (rows) => {
  const columns = Math.max(1, ...rows.map((row) => row.length));
  const longest = Math.max(1, ...rows.flat().map((square) => [...(square.text || "")].length));
  const letter = longest > 3 ? 18 : longest > 1 ? 24 : 28;
  return { columns, letter, wide: Math.max(SIDE, longest * letter * 0.68 + 12) };
};

const classesOf = (square) => {
  const classes = ["square"];
  if (!square.text && !square.disc && !square.fill) classes.push("empty");
  if (square.fill) classes.push(square.fill.light ? "on-light" : "on-dark");
  if (square.mark) classes.push("marked");
  return classes;
};

// What is drawn of a square with its upper left corner at a point.
const drawn = (square, [x, y], { wide, letter }) => {
  const ground = svg("rect", { x, y, width: wide, height: SIDE });
  if (square.fill) ground.style.fill = square.fill.css;
  const parts = [ground];
  if (square.disc) {
    const disc = svg("circle", { cx: x + wide / 2, cy: y + SIDE / 2, r: SIDE * 0.38 });
    disc.style.fill = square.disc.css;
    parts.push(disc);
  }
  if (square.text) {
    const text = svg("text", { x: x + wide / 2, y: y + SIDE / 2 + 1, "font-size": letter }, square.text);
    const under = square.disc || square.fill;
    if (square.ink) text.style.fill = square.ink.css;
    else if (under) text.style.fill = under.light ? "#222222" : "#ffffff";
    parts.push(text);
  }
  return parts;
};

// A board as a picture, for those who can't use it.
export const picture = (board, words) => {
  if (!board) return null;
  if (!board.grid) {
    const all = lines(board.text);
    const indent = indentOf(all);
    const className = all.length === 1 ? "thumb-text one" : "thumb-text";
    return el("pre", { className, role: "img", "aria-label": words }, all.slice(0, 14).map((line) => line.slice(indent)).join("\n"));
  }
  const { rows } = board.grid;
  const size = sizeOf(rows);
  const [width, height] = [size.columns * size.wide, rows.length * SIDE];
  const whole = svg("svg", {
    class: isLit(board) ? "lit" : null, viewBox: `-2 -2 ${width + 4} ${height + 4}`, role: "img", "aria-label": words,
  });
  rows.forEach((row, number) => row.forEach((square, column) => {
    const at = [column * size.wide, number * SIDE];
    whole.append(svg("g", { class: classesOf(square).join(" ") }, ...drawn(square, at, size)));
  }));
  return whole;
};

export class Board {
  // `pick` gets the square that was clicked; `step` gets an arrow key and says whether it was a move.
  constructor(place, pick, step) {
    this.place = place;
    this.pick = pick;
    this.step = step;
    this.squares = new Map();
    this.focus = null;
    this.data = null;
    this.lit = false;
    this.fit = () => {};
    new ResizeObserver(() => requestAnimationFrame(() => this.fit())).observe(place);
  }

  // Draws a board. `live` squares can be clicked, `framed` ones of them look like it, `about` says what for, `last` ones were changed by the last
  // move; squares of one `group` in a text are one. `near` are the boards that can follow: the ground does not change with them.
  draw(data, { live = new Set(), framed = live, title = "board", about = () => "", group = about, last = new Set(), near = null } = {}) {
    const had = this.place.contains(document.activeElement);
    const changed = this.data && data ? differing(this.data, data) : new Set();
    this.data = data;
    this.squares.clear();
    this.fit = () => {};
    if (!data) {
      this.place.replaceChildren();
      if (had) this.place.focus();
      return;
    }
    if (near) this.lit = [data, ...near].some(isLit);
    const looks = { live, framed, title, about, group, changed, last };
    const grid = data.grid ? this.grid(data.grid, looks) : this.lines(data.text, looks);
    this.place.replaceChildren(grid);
    this.fit();
    const keys = [...this.squares.keys()];
    const first = keys.find((key) => live.has(key)) || keys[0] || null;
    // Who was not on the board begins where something can be played.
    const astray = !had && live.size > 0 && !live.has(this.focus);
    if (astray || !this.squares.has(this.focus)) this.focus = first;
    const at = this.squares.get(this.focus);
    if (at) at.setAttribute("tabindex", 0);
    if (had) this.enter();
    grid.onkeydown = (event) => this.walk(event);
  }

  // Takes the focus.
  enter() {
    (this.squares.get(this.focus) || this.place).focus({ preventScroll: true });
  }

  lines(text, looks) {
    const all = lines(text);
    const indent = Math.min(indentOf(all), ...[...looks.live].map((key) => Number(key.split(",")[1])));
    const rows = all.map((line, number) => el("div", { role: "row" }, ...this.parts(line, [number, indent], looks)));
    return el("div", { className: "lines", role: "grid", "aria-label": looks.title }, ...rows);
  }

  // The parts of a line: characters beside each other that are the same moves.
  parts(line, [row, indent], { live, about, group, last }) {
    const signs = [...line];
    // A change behind the end of the line can be clicked too.
    const end = Math.max(-1, ...[...live].filter((key) => key.startsWith(`${row},`)).map((key) => Number(key.split(",")[1])));
    while (signs.length <= Math.max(end, indent)) signs.push(" ");
    const parts = [];
    signs.slice(indent).forEach((sign, number) => {
      const column = indent + number;
      const key = `${row},${column}`;
      const kind = `${live.has(key) ? group(key) : ""}/${last.has(key)}`;
      const before = parts[parts.length - 1];
      if (before && before.kind === kind) {
        before.text += sign;
        before.keys.push(key);
      } else {
        parts.push({ kind, key, keys: [key], text: sign });
      }
    });
    return parts.map((part) => {
      const isLive = live.has(part.key);
      const more = isLive ? about(part.key) : "";
      const words = `line ${row + 1}: ${part.text.trim() || "empty"}${more ? `; ${more}` : ""}${last.has(part.key) ? "; last move" : ""}`;
      const cell = el("span", {
        className: ["part", isLive ? "live" : "", last.has(part.key) ? "last" : ""].filter(Boolean).join(" "), role: "gridcell",
        tabIndex: -1, "data-square": part.key, title: more, "aria-label": words,
      }, part.text);
      cell.keys = part.keys;
      this.own(part.key, cell);
      return cell;
    });
  }

  grid(data, looks) {
    const { rows, below } = data;
    const size = sizeOf(rows);
    const height = rows.length * SIDE + (below ? 30 : 0);
    const width = size.columns * size.wide;
    const grid = svg("svg", {
      class: this.lit ? "lit" : null, role: "grid", "aria-label": looks.title, "aria-rowcount": rows.length, "aria-colcount": size.columns,
    });
    rows.forEach((row, number) => grid.append(this.row(row, number, size, looks)));
    const edge = svg("g", { class: "edge", "aria-hidden": "true" });
    grid.append(edge);
    // Coordinates have one size on the screen, whatever the board.
    this.fit = () => {
      const wide = this.place.clientWidth || 400;
      const high = parseFloat(getComputedStyle(grid).maxHeight) || Infinity;
      const pixels = Math.max(12.5, Math.min(17, wide / 36));
      const room = 1.7 * pixels;
      const digit = pixels / Math.max(0.05, Math.min((wide - room) / (width + 5), (high - room) / (height + 5)));
      const around = 1.7 * digit;
      grid.setAttribute("viewBox", `${-around - 2} ${-around - 2} ${width + around + 5} ${height + around + 5}`);
      edge.setAttribute("font-size", digit);
      edge.replaceChildren(...this.edge(rows.length, size, digit));
    };
    if (below) grid.append(svg("text", { class: "below", x: 2, y: rows.length * SIDE + 22, "font-size": 18, "aria-hidden": "true" }, below));
    return grid;
  }

  // Coordinates: rows and columns count from the upper left square. Where squares are small not all have room.
  edge(count, { columns, wide }, digit) {
    const places = (most, side) => {
      const every = Math.ceil((digit * 1.2) / side);
      return Array.from({ length: most }, (_, place) => place).filter((place) => place % every === 0);
    };
    return [
      ...places(columns, wide).map((column) => svg("text", { x: (column + 0.5) * wide, y: -digit }, String(column + 1))),
      ...places(count, SIDE).map((row) => svg("text", { x: -digit, y: (row + 0.5) * SIDE }, String(row + 1))),
    ];
  }

  row(squares, number, size, looks) {
    const row = svg("g", { role: "row" });
    squares.forEach((square, column) => row.append(this.square(square, [number, column], size, looks)));
    return row;
  }

  square(square, [row, column], size, { live, framed, about, changed, last }) {
    const key = `${row},${column}`;
    const [x, y] = [column * size.wide, row * SIDE];
    const isLive = live.has(key);
    const classes = classesOf(square);
    if (isLive) classes.push("live");
    if (framed.has(key)) classes.push("framed");
    if (last.has(key)) classes.push("last");
    if (changed.has(key)) classes.push("changed");
    const more = isLive ? about(key) : "";
    const cell = svg("g", {
      class: classes.join(" "), role: "gridcell", tabindex: -1, "data-square": key,
      "aria-label": `row ${row + 1}, column ${column + 1}: ${spoken(square)}${more ? `; ${more}` : ""}${last.has(key) ? "; last move" : ""}`,
    });
    cell.append(...drawn(square, [x, y], size));
    if (last.has(key)) cell.append(svg("path", { class: "corner", d: `M ${x + 1} ${y + 1} h 13 l -13 13 z` }));
    const inner = { x: x + 3, y: y + 3, width: size.wide - 6, height: SIDE - 6, rx: 3 };
    if (square.mark) cell.append(svg("rect", { class: "frame", ...inner }));
    cell.append(svg("rect", { class: "mark", ...inner }));
    if (more) cell.append(svg("title", {}, more));
    this.own(key, cell);
    return cell;
  }

  // Takes an element for a square.
  own(key, cell) {
    cell.onclick = () => {
      this.move(key, false);
      this.pick(key);
    };
    this.squares.set(key, cell);
  }

  // Marks squares with a class, and no others.
  mark(name, keys) {
    for (const [key, cell] of this.squares) {
      const isOn = cell.classList.toggle(name, (cell.keys || [key]).some((one) => keys.has(one)));
      if (name === "chosen" && keys.size > 0) cell.setAttribute("aria-selected", isOn);
      else if (name === "chosen") cell.removeAttribute("aria-selected");
    }
  }

  move(key, focus = true) {
    const [before, after] = [this.squares.get(this.focus), this.squares.get(key)];
    if (!after) return;
    if (before) before.setAttribute("tabindex", -1);
    this.focus = key;
    after.setAttribute("tabindex", 0);
    if (focus) after.focus({ preventScroll: true });
  }

  // The square beside another one, or the nearest in the next row that has some.
  beside([row, column], [down, right]) {
    const all = [...this.squares.keys()].map((key) => key.split(",").map(Number));
    const ahead = all.filter(([r, c]) => (down ? (r - row) * down > 0 : r === row && (c - column) * right > 0));
    const far = ([r, c]) => Math.abs(r - row) * 1000 + Math.abs(c - column);
    const [nearest] = ahead.sort((a, b) => far(a) - far(b));
    return nearest && nearest.join(",");
  }

  walk(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const here = this.focus.split(",").map(Number);
    const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    if (steps[event.key]) {
      // With Shift the arrows walk the squares where they are moves otherwise.
      if (event.shiftKey || !this.step(event.key)) this.move(this.beside(here, steps[event.key]));
    } else if (event.key === "Home" || event.key === "End") {
      const own = [...this.squares.keys()].filter((key) => key.startsWith(`${here[0]},`));
      this.move(event.key === "Home" ? own[0] : own[own.length - 1]);
    } else if (event.key === "Enter" || event.key === " ") {
      this.pick(this.focus);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}
