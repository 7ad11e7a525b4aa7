//! The lines of a proof, taken apart.

use super::ensure;
use super::known::Relation;

/// The last line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Conclusion {
    Unsatisfiable,
    /// The atom of this code.
    Bound(i64),
}

/// The words of a line.
pub(super) struct Steps<'t> {
    words: std::iter::Peekable<std::str::SplitAsciiWhitespace<'t>>,
}

fn integer(word: &str) -> Result<i64, String> {
    let digits = word.strip_prefix('-').unwrap_or(word);
    let is_plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let value =
        word.parse().ok().filter(|value| is_plain && (-(1 << 32)..=1 << 32).contains(value));
    value.ok_or_else(|| format!("`{word}` is no number of 32 bits"))
}

/// Reads `a CODE [NAME RELATION VALUE]`.
pub(super) fn definition(text: &str) -> Result<(i64, &str, Relation, i64), String> {
    let wrong = || "an atom is `a CODE [NAME RELATION VALUE]`".to_owned();
    let text = text.trim().strip_prefix('a').ok_or_else(wrong)?;
    let (code, atom) = text.split_once('[').ok_or_else(wrong)?;
    let code = integer(code.trim())?;
    ensure(code > 0, "the code of an atom is above 0")?;
    let mut words = atom.strip_suffix(']').ok_or_else(wrong)?.split_ascii_whitespace();
    let (Some(name), Some(relation), Some(value), None) =
        (words.next(), words.next(), words.next(), words.next())
    else {
        return Err(wrong());
    };
    let relation = match relation {
        ">=" => Relation::AtLeast,
        "<=" => Relation::AtMost,
        "==" => Relation::Equal,
        "!=" => Relation::NotEqual,
        _ => return Err(format!("`{relation}` is none of >=, <=, ==, !=")),
    };
    Ok((code, name, relation, integer(value)?))
}

impl<'t> Steps<'t> {
    pub fn of(text: &'t str) -> Self {
        Steps { words: text.split_ascii_whitespace().peekable() }
    }

    pub fn next(&mut self) -> Option<&'t str> {
        self.words.next()
    }

    pub fn number(&mut self) -> Result<i64, String> {
        let number = integer(self.next().ok_or("a number is missing")?)?;
        ensure(number > 0, "a number of a step is above 0")?;
        Ok(number)
    }

    /// Codes of atoms up to `0`.
    pub fn codes(&mut self) -> Result<Vec<i64>, String> {
        let mut codes = Vec::new();
        loop {
            match integer(self.next().ok_or("`0` is missing")?)? {
                0 => return Ok(codes),
                code => codes.push(code),
            }
        }
    }

    /// Numbers of steps up to the end.
    pub fn numbers(&mut self) -> Result<Vec<i64>, String> {
        let mut numbers = Vec::new();
        while self.words.peek().is_some() {
            numbers.push(self.number()?);
        }
        Ok(numbers)
    }

    /// The code of a consequent, the number of a constraint, and the label.
    pub fn hints(&mut self) -> Result<(Option<i64>, Option<i64>, &'t str), String> {
        let (mut consequent, mut constraint, mut label) = (None, None, None);
        let mut is_first = true;
        while let Some(word) = self.next() {
            if let Some(number) = word.strip_prefix("c:") {
                let before = constraint.replace(integer(number)?);
                ensure(before.is_none(), "it names two constraints")?;
            } else if let Some(name) = word.strip_prefix("l:") {
                ensure(label.replace(name).is_none(), "it has two labels")?;
            } else if is_first {
                consequent = Some(integer(word)?);
                ensure(consequent != Some(0), "no atom is 0")?;
            } else {
                return Err(format!("`{word}` is no hint"));
            }
            is_first = false;
        }
        Ok((consequent, constraint, label.ok_or("it has no label")?))
    }

    pub fn conclusion(&mut self) -> Result<Conclusion, String> {
        let word = self.next().ok_or("the conclusion is missing")?;
        ensure(self.next().is_none(), "a conclusion is one word")?;
        if word == "UNSAT" {
            return Ok(Conclusion::Unsatisfiable);
        }
        integer(word).map(Conclusion::Bound).map_err(|_| {
            format!("`{word}` is no conclusion: `c UNSAT`, or `c CODE` with the code of the atom that is a bound")
        })
    }
}
