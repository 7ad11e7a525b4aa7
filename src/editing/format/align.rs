//! Columns that the author lined up are lined up again.
//!
//! Two pieces in lines one below the other are linked if they began (numbers: ended) in one column
//! and more blanks than needed stood before one of them. Pieces go as far to the left as the gaps
//! before them and their links let them: that is the least solution of a system of inequalities,
//! found by going over the lines until nothing moves.
//!
//! Text that was laid out by this has the same links where they matter (a piece with more blanks
//! than needed is held by one in the same column that has none), so it is not changed again.

use super::lines::{Line, Piece, Spot};

/// Times that all lines are gone over; more are never needed but in texts made for that.
const ROUNDS: usize = 200;

/// The columns of all pieces.
pub fn align(lines: &[Line]) -> Vec<Vec<usize>> {
    let mut links = Links::of(lines);
    loop {
        let mut targets = vec![0; links.groups];
        let mut moving = Vec::new();
        for round in 0..ROUNDS {
            let before = targets.clone();
            let columns = place(lines, &links, &mut targets);
            if before == targets && round > 0 {
                return columns;
            }
            moving = before.iter().zip(&targets).map(|(one, other)| one != other).collect();
        }
        // A line that is indented from a piece to the right of which it is held: held by nothing.
        links.drop(&moving);
    }
}

/// Puts all pieces as far to the left as they may, and moves the targets of groups to the right.
fn place(lines: &[Line], links: &Links, targets: &mut [usize]) -> Vec<Vec<usize>> {
    let mut columns: Vec<Vec<usize>> = Vec::with_capacity(lines.len());
    for (line, groups) in lines.iter().zip(&links.of) {
        let mut behind = column_of(&columns, line.indent);
        let mut placed = Vec::with_capacity(line.pieces.len());
        for (piece, group) in line.pieces.iter().zip(groups) {
            let mut column = behind + piece.gap;
            if let Some(group) = *group {
                let target = &mut targets[group.number];
                let edge = if group.by_end { piece.width } else { 0 };
                *target = (*target).max(column + edge);
                column = *target - edge;
            }
            placed.push(column);
            behind = column + piece.width;
        }
        columns.push(placed);
    }
    columns
}

fn column_of(columns: &[Vec<usize>], spot: Spot) -> usize {
    let at = spot.piece.and_then(|(line, piece)| columns.get(line)?.get(piece).copied());
    at.unwrap_or(0) + spot.add
}

/// A group of linked pieces.
#[derive(Clone, Copy)]
struct Group {
    number: usize,
    by_end: bool,
}

/// The groups of all pieces, by line.
struct Links {
    of: Vec<Vec<Option<Group>>>,
    groups: usize,
}

impl Links {
    fn of(lines: &[Line]) -> Links {
        let mut links = Links {
            of: lines.iter().map(|line| vec![None; line.pieces.len()]).collect(),
            groups: 0,
        };
        for number in 1..lines.len() {
            for piece in 1..lines[number].pieces.len() {
                if lines[number].pieces[piece - 1].long {
                    break;
                }
                if let Some((above, edge)) = held_by(lines, number, piece) {
                    links.join(above, (number, piece), edge == Edge::End);
                }
            }
        }
        links
    }

    /// Forgets groups.
    fn drop(&mut self, gone: &[bool]) {
        for group in self.of.iter_mut().flatten() {
            if group.is_some_and(|group| gone[group.number]) {
                *group = None;
            }
        }
    }

    /// Puts the lower piece into the group of the upper one. A piece is held by one edge.
    fn join(&mut self, upper: (usize, usize), lower: (usize, usize), by_end: bool) {
        let group = match self.of[upper.0][upper.1] {
            Some(group) if group.by_end == by_end => group,
            Some(_) => return,
            None => {
                self.groups += 1;
                Group { number: self.groups - 1, by_end }
            }
        };
        self.of[upper.0][upper.1] = Some(group);
        self.of[lower.0][lower.1] = Some(group);
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Edge {
    Start,
    End,
}

/// Lines that are looked at above a piece.
const REACH: usize = 16;

/// The piece above with which a piece was lined up: in the line above, or over lines that have
/// nothing in that place, or over the further lines of a clause.
fn held_by(lines: &[Line], number: usize, piece: usize) -> Option<((usize, usize), Edge)> {
    let this = &lines[number].pieces[piece];
    for up in 1..=REACH.min(number) {
        if lines[number + 1 - up].empty > 0 {
            return None;
        }
        let above = &lines[number - up];
        let column = this.place.column + this.width;
        let end = above.pieces.partition_point(|other| other.place.column <= column);
        let cut = above.pieces.iter().position(|other| other.long).map_or(end, |long| long + 1);
        let near = (1..end.min(cut)).rev().take_while(|&other| {
            let other = &above.pieces[other];
            other.place.column + other.width >= this.place.column
        });
        for other in near {
            if let Some(edge) = linked(&above.pieces[other], this, up) {
                return Some(((number - up, other), edge));
            }
        }
        let covers = |other: &Piece| {
            other.place.column < column && other.place.column + other.width > this.place.column
        };
        let passes = above.continues && !lines[number].continues;
        if !passes && above.pieces.iter().any(covers) {
            return None;
        }
    }
    None
}

/// Whether two pieces were lined up, one this many lines below the other, and by which edge.
fn linked(above: &Piece, below: &Piece, apart: usize) -> Option<Edge> {
    let loose = |piece: &Piece| piece.place.gap > piece.gap;
    // Where a gap is what the author made it, or numbers end below each other, one that differs tells.
    let tells = above.keeps && below.keeps || above.number && below.number;
    let differ = tells && above.place.gap != below.place.gap;
    if above.fixed || below.fixed {
        return None;
    }
    let as_before = above.place.line + apart == below.place.line
        && above.place.breaks == 0
        && below.place.breaks == 0;
    if !as_before || !(differ || loose(above) || loose(below)) {
        return None;
    }
    let end = |piece: &Piece| piece.place.column + piece.width;
    if above.number && below.number && end(above) == end(below) {
        return Some(Edge::End);
    }
    (above.place.column == below.place.column).then_some(Edge::Start)
}
