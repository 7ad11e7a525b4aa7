// Boards of squares that are walked with the arrow keys. Of text each line is a square.

import { el, svg } from "./dom.js";

const SIDE = 48;

const nameOf = (colour) => (colour ? colour.name || colour.css : "");

// What a square says to those who do not see it.
const spoken = (square) => {
  const parts = [];
  if (square.text) parts.push(square.text);
  if (square.disc) parts.push(`${nameOf(square.disc)} disc`);
  if (square.fill) parts.push(`on ${nameOf(square.fill)}`);
  return parts.join(", ") || "empty";
};

export const sameSquare = (a, b) => a === b || JSON.stringify(a) === JSON.stringify(b);

const lines = (text) => text.replace(/\s+$/, "").split("\n");
const rowsOf = (board) => (board.grid ? board.grid.rows : lines(board.text).map((line) => [{ text: line.trimEnd() }]));

// The squares in which two boards differ, as "row,column"; nothing where that can't be told.
export const differing = (before, after) => {
  const found = new Set();
  if (!before || !after || !before.grid !== !after.grid) return found;
  const [a, b] = [rowsOf(before), rowsOf(after)];
  for (let row = 0; row < Math.max(a.length, b.length); row += 1) {
    const [own, other] = [a[row] || [], b[row] || []];
    for (let column = 0; column < Math.max(own.length, other.length); column += 1) {
      if (!sameSquare(own[column], other[column])) found.add(`${row},${column}`);
    }
  }
  return found;
};

export class Board {
  // `pick` gets the square that was clicked.
  constructor(place, pick) {
    this.place = place;
    this.pick = pick;
    this.squares = new Map();
    this.focus = null;
    this.data = null;
  }

  // Draws a board: `live` squares can be clicked, `about` says more of a square. What is different from
  // the board before is shown for a moment.
  draw(data, { live = new Set(), title = "board", about = () => "" } = {}) {
    const changed = differing(this.data, data);
    const had = this.place.contains(document.activeElement);
    this.data = data;
    this.squares.clear();
    if (!data) {
      this.place.replaceChildren();
      return;
    }
    const grid = data.grid ? this.grid(data.grid, { live, title, about, changed }) : this.lines(data.text, { live, title, about });
    this.place.replaceChildren(grid);
    const first = [...live][0] || "0,0";
    // Who has not been on the board yet comes to a square that can be played.
    const astray = !had && live.size > 0 && !live.has(this.focus);
    if (astray || !this.squares.has(this.focus)) this.focus = first;
    const at = this.squares.get(this.focus);
    if (at) at.setAttribute("tabindex", 0);
    if (had && at) at.focus({ preventScroll: true });
    grid.onkeydown = (event) => this.walk(event);
  }

  lines(text, { live, title, about }) {
    const rows = lines(text).map((line, number) => {
      const key = `${number},0`;
      const isLive = live.has(key);
      const more = isLive ? about(key) : "";
      const cell = el("div", {
        className: isLive ? "line live" : "line", role: "gridcell", tabIndex: -1, "data-square": key, title: more,
        "aria-label": `line ${number + 1}: ${line.trim() || "empty"}${more ? `; ${more}` : ""}`,
      }, line || " ");
      this.own(key, cell);
      return el("div", { role: "row" }, cell);
    });
    return el("div", { className: "lines", role: "grid", "aria-label": title }, ...rows);
  }

  grid(data, { live, title, about, changed }) {
    const { rows, below } = data;
    const columns = Math.max(...rows.map((row) => row.length));
    const longest = Math.max(1, ...rows.flat().map((square) => [...(square.text || "")].length));
    const wide = Math.max(SIDE, longest * 13 + 14);
    const size = { columns, wide, longest };
    const height = rows.length * SIDE + (below ? 26 : 0);
    const grid = svg("svg", {
      viewBox: `-3 -3 ${columns * wide + 6} ${height + 6}`, role: "grid", "aria-label": title,
      "aria-rowcount": rows.length, "aria-colcount": columns,
    });
    rows.forEach((row, number) => grid.append(this.row(row, number, size, { live, about, changed })));
    if (below) grid.append(svg("text", { class: "below", x: 2, y: rows.length * SIDE + 20, "font-size": 16 }, below));
    return grid;
  }

  row(squares, number, size, looks) {
    const row = svg("g", { role: "row" });
    squares.forEach((square, column) => row.append(this.square(square, [number, column], size, looks)));
    return row;
  }

  square(square, [row, column], { wide, longest }, { live, about, changed }) {
    const key = `${row},${column}`;
    const [x, y] = [column * wide, row * SIDE];
    const isLive = live.has(key);
    const empty = !square.text && !square.disc;
    const classes = ["square"];
    if (empty && !square.fill) classes.push("empty");
    if (square.fill) classes.push(square.fill.light ? "on-light" : "on-dark");
    if (isLive) classes.push("live");
    if (changed.has(key)) classes.push("changed");
    const more = isLive ? about(key) : "";
    const cell = svg("g", {
      class: classes.join(" "), role: "gridcell", tabindex: -1, "data-square": key,
      "aria-label": `row ${row + 1}, column ${column + 1}: ${spoken(square)}${more ? `; ${more}` : ""}`,
    });
    const ground = svg("rect", { x, y, width: wide, height: SIDE });
    if (square.fill) ground.style.fill = square.fill.css;
    cell.append(ground);
    if (square.disc) {
      const disc = svg("circle", { cx: x + wide / 2, cy: y + SIDE / 2, r: SIDE * 0.38 });
      disc.style.fill = square.disc.css;
      cell.append(disc);
    }
    if (square.text) {
      const size = longest > 3 ? 16 : 22;
      const text = svg("text", { x: x + wide / 2, y: y + SIDE / 2 + 1, "font-size": size }, square.text);
      const under = square.disc || square.fill;
      if (square.ink) text.style.fill = square.ink.css;
      else if (under) text.style.fill = under.light ? "#222222" : "#ffffff";
      cell.append(text);
    }
    cell.append(svg("rect", { class: "mark", x: x + 3, y: y + 3, width: wide - 6, height: SIDE - 6, rx: 3 }));
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
    for (const [key, cell] of this.squares) cell.classList.toggle(name, keys.has(key));
  }

  move(key, focus = true) {
    const [before, after] = [this.squares.get(this.focus), this.squares.get(key)];
    if (!after) return;
    if (before) before.setAttribute("tabindex", -1);
    this.focus = key;
    after.setAttribute("tabindex", 0);
    if (focus) after.focus({ preventScroll: true });
  }

  walk(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const [row, column] = this.focus.split(",").map(Number);
    const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    if (steps[event.key]) {
      const [down, right] = steps[event.key];
      this.move(`${row + down},${column + right}`);
    } else if (event.key === "Home" || event.key === "End") {
      const own = [...this.squares.keys()].filter((key) => key.startsWith(`${row},`));
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
