//! Numbers that are computed, as text.

use super::Writer;
use super::parts::Part;
use super::write::{ARGUMENT, CALL};
use crate::merging::OPERATIONS;
use zug_symbolic::{FloatOperation, Operation, Rounding, Shape, Term};

impl Writer<'_> {
    pub fn number(&mut self, term: Term, most: u16) -> String {
        let store = self.store;
        match store.shape(term) {
            Shape::Integer(operation, operands) => {
                let name = self.name(Part::Term(term), true);
                name.unwrap_or_else(|| self.computed(*operation, operands, most))
            }
            Shape::Float(operation, operands) => {
                let name = self.name(Part::Term(term), true);
                name.unwrap_or_else(|| self.computed_float(*operation, operands, most))
            }
            _ => self.inner(term),
        }
    }

    pub fn computed(&mut self, operation: Operation, operands: &[Term], most: u16) -> String {
        let (name, priority) = match operation {
            Operation::Round(Rounding::Truncate) => ("truncate", CALL),
            Operation::Round(Rounding::Floor) => ("floor", CALL),
            Operation::Round(Rounding::Ceiling) => ("ceiling", CALL),
            Operation::Round(Rounding::Nearest) => ("round", CALL),
            Operation::Number => return self.number(operands[0], most),
            other => {
                let found = OPERATIONS.iter().find(|&&(.., of)| of == other);
                let &(name, _, priority, _) = found.expect("all others have a name");
                (name, priority)
            }
        };
        self.operation((name, priority), operands, most)
    }

    pub fn computed_float(&mut self, op: FloatOperation, operands: &[Term], most: u16) -> String {
        let form = match op {
            FloatOperation::OfInteger => ("float", CALL),
            FloatOperation::Add => ("+", 500),
            FloatOperation::Subtract => ("-", 500),
            FloatOperation::Multiply => ("*", 400),
            FloatOperation::Divide => ("/", 400),
            FloatOperation::Minimum => ("min", CALL),
            FloatOperation::Maximum => ("max", CALL),
            FloatOperation::Negate => ("-", CALL),
            FloatOperation::Absolute => ("abs", CALL),
            FloatOperation::SquareRoot => ("sqrt", CALL),
        };
        self.operation(form, operands, most)
    }

    /// An operation of a name and a priority, where something of this priority may stand.
    fn operation(&mut self, (name, priority): (&str, u16), operands: &[Term], most: u16) -> String {
        if priority == CALL {
            let operands: Vec<String> =
                operands.iter().map(|&operand| self.number(operand, ARGUMENT)).collect();
            return format!("{name}({})", operands.join(", "));
        }
        let mut text = String::new();
        let is_digit = |byte: u8| byte.is_ascii_digit();
        for (at, &operand) in operands.iter().enumerate() {
            let operand = self.number(operand, if at == 0 { priority } else { priority - 1 });
            match operand.strip_prefix('-') {
                // A number: of an operation the sign would be that of the first operand.
                Some(digits) if at > 0 && name == "+" && digits.bytes().all(is_digit) => {
                    text += &format!(" - {digits}");
                }
                _ if at > 0 => text += &format!(" {name} {operand}"),
                _ => text += &operand,
            }
        }
        if priority > most { format!("({text})") } else { text }
    }
}
