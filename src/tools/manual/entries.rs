//! What is written about predicates: comments in a fixed form.
//!
//! ```text
//! %! append(?List1, ?List2, ?List3), append(+Lists, ?List)
//! %  One or more lines that say what it does.
//! %  ?- append(X, [c], [a,b,c]).
//! %  X = [a,b].
//! ```
//!
//! A head with `//` behind it is that of a grammar rule, which is a predicate of two arguments
//! more; `...` as the last argument stands for any number of them.

/// How a predicate is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// As it is written, modes and all.
    pub text: String,
    /// The predicate's name, without quotes.
    pub name: String,
    /// Its number of arguments, those of a grammar rule included.
    pub arity: usize,
    /// There may be more of them.
    pub open: bool,
}

impl Head {
    /// Whether the predicate is called so.
    pub fn is_for(&self, name: &str, arity: usize) -> bool {
        self.name == name && (self.arity == arity || self.open && arity > self.arity)
    }

    /// `name/arity`.
    pub fn indicator(&self) -> String {
        format!("{}/{}{}", self.name, self.arity, if self.open { ".." } else { "" })
    }
}

/// What is written about a predicate, or about several in one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// How it is called; not empty.
    pub heads: Vec<Head>,
    /// What it does, line by line.
    pub words: Vec<String>,
    /// Queries with their answers, line by line.
    pub examples: Vec<String>,
    /// Where it comes from, as `library(lists)`.
    pub origin: String,
}

impl Entry {
    /// Whether it is about this predicate.
    pub fn is_for(&self, name: &str, arity: Option<usize>) -> bool {
        self.heads.iter().any(|head| match arity {
            Some(arity) => head.is_for(name, arity),
            None => head.name == name,
        })
    }

    /// What it does, in a sentence.
    pub fn summary(&self) -> String {
        sentence(&self.words)
    }
}

/// The first sentence of some lines, without its full stop.
pub fn sentence(lines: &[String]) -> String {
    let text = lines.join(" ");
    let end = text.find(". ").map_or(text.len(), |end| end + 1);
    text[..end].trim_end_matches('.').to_owned()
}

/// The entries of a text.
pub fn parse(text: &str, origin: &str) -> Vec<Entry> {
    let mut entries = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let Some(header) = line.strip_prefix("%!") else { continue };
        let mut entry = Entry {
            heads: heads(header),
            words: Vec::new(),
            examples: Vec::new(),
            origin: origin.to_owned(),
        };
        let comment = |line: &&str| line.starts_with('%') && !line.starts_with("%!");
        while let Some(line) = lines.next_if(comment) {
            let line = line.strip_prefix("%  ").unwrap_or(line[1..].trim_start());
            if line.starts_with("?-") || !entry.examples.is_empty() {
                entry.examples.push(line.to_owned());
            } else {
                entry.words.push(line.to_owned());
            }
        }
        if !entry.heads.is_empty() {
            entries.push(entry);
        }
    }
    entries
}

/// The heads in the first line of a comment.
fn heads(line: &str) -> Vec<Head> {
    split(line).into_iter().filter_map(head).collect()
}

/// What stands between the commas outside brackets and quotes.
fn split(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start, mut quoted) = (Vec::new(), 0usize, 0, false);
    for (i, c) in text.char_indices() {
        match c {
            '\'' => quoted = !quoted,
            _ if quoted => {}
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(&text[start..i]);
                start = i + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

fn head(text: &str) -> Option<Head> {
    let text = text.trim();
    let (call, extra) = match text.strip_suffix("//0").or_else(|| text.strip_suffix("//")) {
        Some(call) => (call, 2),
        None => (text, 0),
    };
    // A name may itself be a bracket or a comma, in quotes.
    let name_end = match call.strip_prefix('\'') {
        Some(rest) => rest.find('\'')? + 2,
        None => call.find('(').unwrap_or(call.len()),
    };
    let (name, arguments) = call.split_at(name_end);
    let name = name.trim_matches('\'');
    let arguments = match arguments.strip_prefix('(') {
        Some(inside) => split(inside.strip_suffix(')')?),
        None => Vec::new(),
    };
    let open = arguments.last().is_some_and(|last| last.trim() == "...");
    (!name.is_empty()).then(|| Head {
        text: text.to_owned(),
        name: name.to_owned(),
        arity: arguments.len() - usize::from(open) + extra,
        open,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_heads_of_all_kinds() {
        let indicators =
            |line| heads(line).iter().map(Head::indicator).collect::<Vec<_>>().join(" ");
        assert_eq!(indicators(" repeat"), "repeat/0");
        assert_eq!(indicators(" a(?X, [Y,Z]), a(?X, -Y, f(A,B))"), "a/2 a/3");
        assert_eq!(indicators(" digits(?Codes)//"), "digits/3");
        assert_eq!(indicators(" blank//0"), "blank/2");
        assert_eq!(indicators(" >>(+Parameters, :Lambda, ?A1, ...)"), ">>/3..");
        assert_eq!(indicators(" ','(:A, :B), ;(:A, :B), !"), ",/2 ;/2 !/0");
    }

    #[test]
    fn words_come_before_examples() {
        let text = "%! a(X)\n%  One\n%  two. Three.\n%  ?- a(X).\n%  X = 1.\na(1).\n% no\n";
        let entries = parse(text, "here");
        assert_eq!(entries.len(), 1);
        assert_eq!(entries[0].words, ["One", "two. Three."]);
        assert_eq!(entries[0].examples, ["?- a(X).", "X = 1."]);
        assert_eq!(entries[0].summary(), "One two");
        assert!(entries[0].is_for("a", Some(1)) && entries[0].is_for("a", None));
        assert!(!entries[0].is_for("a", Some(2)));
    }
}
