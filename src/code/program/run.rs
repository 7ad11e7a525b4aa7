//! Runs a program, value by value.

use super::{BlockId, End, NOTHING, Op, Program, Step, ValueId, shift};
use crate::frame::{Frame, Leaves, Reply};
use crate::moves::{Form, NO_WORD};
use zug_state::Word;
use zug_symbolic::{FloatOperation, computed};

impl Program {
    /// As [`Program::run`], on the words of the frame.
    pub fn run_on_words(&self, forms: &[Form], frame: &mut Frame) -> Reply {
        let words = std::mem::take(&mut frame.words);
        let reply = self.run(forms, frame, &words[..]);
        frame.words = words;
        reply
    }

    /// Runs it on the leaves of a state. Its moves are put down in the frame, in these forms.
    pub fn run(&self, forms: &[Form], frame: &mut Frame, leaves: &(impl Leaves + ?Sized)) -> Reply {
        frame.begin(self.values.len());
        let mut loops: Vec<(u64, BlockId)> = Vec::new();
        let mut at: BlockId = 0;
        loop {
            let block = &self.blocks[at as usize];
            frame.count(1 + block.steps.len());
            for step in &block.steps {
                match *step {
                    Step::Let(value) => {
                        match self.computed(value, (&frame.temps, frame.chosen), leaves) {
                            Some(result) => frame.temps[value as usize] = result,
                            None => return Reply::Deopt(None),
                        }
                    }
                    Step::Move(number) => {
                        frame.put_move(number, &forms[number as usize], leaves.packed());
                    }
                }
            }
            let get = |value: ValueId| frame.temps[value as usize];
            at = match &block.end {
                End::Goto(next) => *next,
                End::If(value, then, other) => {
                    if get(*value) != 0 {
                        *then
                    } else {
                        *other
                    }
                }
                End::Each { plane, .. } => {
                    loops.push((get(*plane) as u64, at));
                    self.next(&mut loops)
                }
                End::Only { plane, at, none, several } => {
                    let plane = get(*plane) as u64;
                    let place = plane.trailing_zeros() as u8;
                    let block = at.iter().find(|&&(known, _)| known == place);
                    match block {
                        _ if plane & plane.wrapping_sub(1) != 0 => *several,
                        Some(&(_, block)) => block,
                        None => *none,
                    }
                }
                End::Next => self.next(&mut loops),
                End::Done => return Reply::Done,
                End::True => return Reply::True,
                End::Int(value) => return Reply::Int(get(*value)),
                End::Float(value) => return Reply::Float(f64::from_bits(get(*value) as u64)),
                End::Deopt(reason) => return Reply::Deopt(Some(*reason)),
                End::Planes(planes) => {
                    frame.put_planes(planes);
                    return Reply::Done;
                }
                End::Enter(blocks) => match blocks.get(frame.chosen) {
                    Some(&block) => block,
                    None => return Reply::Deopt(None),
                },
            };
        }
    }

    fn next(&self, loops: &mut Vec<(u64, BlockId)>) -> BlockId {
        let (left, at) = loops.last_mut().expect("it is in a loop");
        let End::Each { at: places, then, .. } = &self.blocks[*at as usize].end else {
            unreachable!("a loop goes through places")
        };
        if *left == 0 {
            loops.pop();
            return *then;
        }
        let place = left.trailing_zeros() as u8;
        *left &= *left - 1;
        let block = places.iter().find(|&&(known, _)| known == place);
        block.expect("there is a block for every place").1
    }

    /// A value, of those that were computed before, for a number that was given; `None` if it has none there.
    pub(crate) fn computed(
        &self,
        value: ValueId,
        (values, chosen): (&[i64], usize),
        leaves: &(impl Leaves + ?Sized),
    ) -> Option<i64> {
        let get = |value: ValueId| values[value as usize];
        let plane = |value: ValueId| values[value as usize] as u64;
        let float = |value: ValueId| f64::from_bits(values[value as usize] as u64);
        let word = |leaf| Word(leaves.word(leaf));
        Some(match self.op(value) {
            Op::Int(value) => *value,
            Op::Word(word) => word.0,
            Op::Leaf(leaf) => leaves.word(*leaf),
            Op::Number(leaf) => {
                let word = word(*leaf);
                if word.is_int() { word.int_value() } else { 0 }
            }
            Op::Float(bits) => *bits as i64,
            Op::Floating(FloatOperation::OfInteger, operands) => {
                (get(operands[0]) as f64).to_bits() as i64
            }
            Op::Floating(operation, operands) => {
                let result = match operands[..] {
                    [one] => operation.of(&[float(one)]),
                    [one, other] => operation.of(&[float(one), float(other)]),
                    _ => return None,
                };
                result.to_bits() as i64
            }
            Op::Rounded(rounding, of) => rounding.of(float(*of)) as i64,
            Op::CompareFloats(relation, one, other) => {
                i64::from(relation.holds(float(*one), float(*other)))
            }
            Op::Table(leaf, table) | Op::FloatTable(leaf, table) => {
                let found = self.tables[*table as usize].get(leaves.word(*leaf) as usize).copied();
                found.filter(|&found| found != NOTHING)?
            }
            Op::Integer(operation, operands) => match operands[..] {
                [one] => computed(*operation, &[get(one)]).ok()?,
                [one, other] => computed(*operation, &[get(one), get(other)]).ok()?,
                _ => return None,
            },
            Op::Within(value, low, high) => {
                let value = get(*value);
                Word::int(value).filter(|_| (*low..=*high).contains(&value))?.0
            }
            Op::Fitting(value, low, high) => {
                let value = get(*value);
                let word = Word::int(value).filter(|_| (*low..=*high).contains(&value));
                word.map_or(NO_WORD, |word| word.0)
            }
            Op::Choose(holds, then, other) => get(if get(*holds) != 0 { *then } else { *other }),
            Op::In(leaf, set) => {
                i64::from(self.sets[*set as usize].binary_search(&word(*leaf)).is_ok())
            }
            Op::Compare(relation, one, other) => i64::from(relation.holds(get(*one), get(*other))),
            Op::All(parts) => i64::from(parts.iter().all(|&part| get(part) != 0)),
            Op::Any(parts) => i64::from(parts.iter().any(|&part| get(part) != 0)),
            Op::Not(value) => i64::from(get(*value) == 0),
            Op::Cells(set, first) => {
                let words = &self.sets[*set as usize];
                let cells = words.iter().map(|&word| leaves.which(word, *first));
                cells.fold(0, |all, some| all | some) as i64
            }
            Op::Ones(bits) => *bits as i64,
            Op::Spread(holds) => -i64::from(get(*holds) != 0),
            Op::Shift(of, by) => shift(plane(*of), *by) as i64,
            Op::Meet(planes) => planes.iter().fold(u64::MAX, |all, &of| all & plane(of)) as i64,
            Op::Join(planes) => planes.iter().fold(0, |all, &of| all | plane(of)) as i64,
            Op::Flip(of) => !plane(*of) as i64,
            Op::Has(of, at) => (plane(*of) >> at & 1) as i64,
            Op::Some(of) => i64::from(plane(*of) != 0),
            Op::Count(of) => i64::from(plane(*of).count_ones()),
            Op::First(of, table) => {
                self.tables[*table as usize][plane(*of).trailing_zeros() as usize]
            }
            Op::OfMove(table) => *self.by_move[*table as usize].get(chosen)?,
        })
    }
}
