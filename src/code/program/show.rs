//! Programs as text.

use super::{End, Op, Program, Step};
use std::fmt::Write;

impl Program {
    /// The text of a program, block by block.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (at, block) in self.blocks.iter().enumerate() {
            let _ = writeln!(text, "b{at}:");
            for step in &block.steps {
                let _ = match step {
                    Step::Let(value) => writeln!(text, "  v{value} = {}", op_text(self.op(*value))),
                    Step::Move(number) => writeln!(text, "  move {number}"),
                };
            }
            let _ = match &block.end {
                End::Each { plane, at, then } => {
                    let at: Vec<String> =
                        at.iter().map(|(place, block)| format!("{place}: b{block}")).collect();
                    writeln!(text, "  each v{plane} [{}], b{then}", at.join(", "))
                }
                End::If(value, then, other) => {
                    writeln!(text, "  if v{value} b{then} else b{other}")
                }
                End::Goto(next) => writeln!(text, "  goto b{next}"),
                End::Next => writeln!(text, "  next"),
                End::Done => writeln!(text, "  done"),
                End::True => writeln!(text, "  true"),
                End::Int(value) => writeln!(text, "  answer v{value}"),
                End::Float(bits) => writeln!(text, "  answer {}", f64::from_bits(*bits)),
                End::GiveBack(reason) => writeln!(text, "  give back {reason}"),
            };
        }
        text
    }
}

fn op_text(op: &Op) -> String {
    match op {
        Op::Ones(bits) => format!("ones {bits:#x}"),
        op => format!("{op:?}"),
    }
}
