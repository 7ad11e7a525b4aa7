//! Nine men's morris.

use super::Game;
use zug_search::Fork;

/// The lines of three points, the one in the middle second.
const LINES: [[usize; 3]; 16] = [
    [0, 1, 2],
    [3, 4, 5],
    [6, 7, 8],
    [9, 10, 11],
    [12, 13, 14],
    [15, 16, 17],
    [18, 19, 20],
    [21, 22, 23],
    [0, 9, 21],
    [3, 10, 18],
    [6, 11, 15],
    [1, 4, 7],
    [16, 19, 22],
    [8, 12, 17],
    [5, 13, 20],
    [2, 14, 23],
];

/// The points, men in the two hands, and who is to move, 1 or 2; an empty point is 0.
#[derive(Clone)]
pub struct Morris {
    points: [u8; 24],
    hands: [u8; 2],
    player: u8,
}

/// A man put down, or brought from a point to another, and the point of a man that is taken.
#[derive(Clone)]
pub struct Move {
    from: Option<usize>,
    to: usize,
    taken: Option<usize>,
}

impl Morris {
    /// All men in hand.
    pub fn new() -> Self {
        Morris { points: [0; 24], hands: [9; 2], player: 1 }
    }

    fn hand(&self) -> u8 {
        self.hands[usize::from(self.player) - 1]
    }

    fn men(&self) -> usize {
        self.points.iter().filter(|&&man| man == self.player).count()
    }

    fn is_in_mill(&self, point: usize) -> bool {
        let man = self.points[point];
        LINES
            .iter()
            .any(|line| line.contains(&point) && line.iter().all(|&at| self.points[at] == man))
    }

    /// All that a man can do, without who is taken.
    fn each(&self, mut found: impl FnMut(Option<usize>, usize)) {
        let empty = |&at: &usize| self.points[at] == 0;
        if self.hand() > 0 {
            (0..24).filter(empty).for_each(|to| found(None, to));
            return;
        }
        let may_jump = self.men() == 3;
        for from in (0..24).filter(|&at| self.points[at] == self.player) {
            if may_jump {
                (0..24).filter(empty).for_each(|to| found(Some(from), to));
                continue;
            }
            for [a, b, c] in LINES {
                let beside = match from {
                    _ if from == a || from == c => [b, b],
                    _ if from == b => [a, c],
                    _ => continue,
                };
                let count = if from == b { 2 } else { 1 };
                beside[..count].iter().copied().filter(empty).for_each(|to| found(Some(from), to));
            }
        }
    }

    fn bring(&mut self, from: Option<usize>, to: usize) {
        match from {
            Some(from) => self.points[from] = 0,
            None => self.hands[usize::from(self.player) - 1] -= 1,
        }
        self.points[to] = self.player;
    }
}

impl Fork for Morris {}

impl Game for Morris {
    type Move = Move;

    fn is_over(&self) -> bool {
        let mut can_move = false;
        self.each(|_, _| can_move = true);
        !can_move || usize::from(self.hand()) + self.men() < 3
    }

    fn moves(&self, all: &mut Vec<Move>) {
        self.each(|from, to| {
            let mut next = self.clone();
            next.bring(from, to);
            if !next.is_in_mill(to) {
                all.push(Move { from, to, taken: None });
                return;
            }
            let hostile = |&at: &usize| next.points[at] == 3 - self.player;
            let mut free = (0..24).filter(hostile).filter(|&at| !next.is_in_mill(at)).peekable();
            let push = |at| all.push(Move { from, to, taken: Some(at) });
            if free.peek().is_some() {
                free.for_each(push);
            } else {
                (0..24).filter(hostile).for_each(push);
            }
        });
    }

    fn play(&mut self, mv: &Move) {
        self.bring(mv.from, mv.to);
        if let Some(taken) = mv.taken {
            self.points[taken] = 0;
        }
        self.player = 3 - self.player;
    }
}
