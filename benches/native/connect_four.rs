//! Connect Four by hand: what rules are compared with. Bitboards, fail-soft alpha-beta over
//! win, draw and loss with a transposition table, columns from the middle outwards, and no
//! knowledge beyond the rules.

/// A board: column by column from the lowest square, one bit above each column.
pub struct ConnectFour {
    width: u32,
    height: u32,
    table: Vec<(u64, u8)>,
    order: Vec<u32>,
    full: u64,
    bottom: u64,
    /// Nodes visited.
    pub nodes: u64,
}

const LOWER: u8 = 4;
const UPPER: u8 = 5;

impl ConnectFour {
    /// An empty board.
    pub fn new(width: u32, height: u32) -> Self {
        let bottom = (0..width).fold(0, |bits, column| bits | 1u64 << (column * (height + 1)));
        let mut order: Vec<u32> = (0..width).collect();
        order.sort_by_key(|&column| (2 * column as i32 - (width as i32 - 1)).abs());
        ConnectFour {
            width,
            height,
            table: vec![(0, 0); 1 << 20],
            order,
            full: bottom * ((1u64 << height) - 1),
            bottom,
            nodes: 0,
        }
    }

    /// The value of the empty board to who begins: 1, 0 or -1.
    pub fn solve(&mut self) -> i32 {
        self.value(0, 0, -1, 1)
    }

    fn has_four(&self, discs: u64) -> bool {
        let step = self.height + 1;
        [1, step - 1, step, step + 1].iter().any(|&step| {
            let pairs = discs & discs >> step;
            pairs & pairs >> (2 * step) != 0
        })
    }

    /// `own`: discs of who is to move; `all`: of both.
    fn value(&mut self, own: u64, all: u64, alpha: i32, beta: i32) -> i32 {
        self.nodes += 1;
        let other = own ^ all;
        if self.has_four(other) {
            return -1;
        }
        if all == self.full {
            return 0;
        }
        let key = own + all + self.bottom;
        let slot =
            (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize & (self.table.len() - 1);
        let (mut low, mut high) = (alpha, beta);
        match self.table[slot] {
            (known, entry @ 1..=3) if known == key => return i32::from(entry) - 2,
            (known, LOWER) if known == key => low = low.max(0),
            (known, UPPER) if known == key => high = high.min(0),
            _ => {}
        }
        if low >= high {
            return 0;
        }
        let (first_low, first_high) = (low, high);
        let mut best = -1;
        let free = (all + self.bottom) & self.full;
        for i in 0..self.width as usize {
            let column = self.order[i] * (self.height + 1);
            let mv = free & (((1u64 << self.height) - 1) << column);
            if mv != 0 {
                best = best.max(-self.value(other, all | mv, -high, -low));
                low = low.max(best);
                if low >= high {
                    break;
                }
            }
        }
        let entry = if best >= first_high && first_high < 1 {
            LOWER
        } else if best <= first_low && first_low > -1 {
            UPPER
        } else {
            (best + 2) as u8
        };
        self.table[slot] = (key, entry);
        best
    }
}
