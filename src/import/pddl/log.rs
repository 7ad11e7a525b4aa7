//! Faults of a definition, and expressions that are read with them: what is not as it has to be is reported, and reading
//! goes on.

use super::types::{OBJECT, Typed, Types};
use crate::sexpr::Node;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use zug_term::diagnostic::Diagnostic;
use zug_term::source::{Source, Span};
use zug_term::{spelling, watchdog};

/// Findings up to which names that may be meant are looked for.
const MOST_HINTS: usize = 50;

/// What is found in a definition.
pub struct Log<'a> {
    pub source: &'a Source,
    findings: RefCell<Vec<Diagnostic>>,
    warned: RefCell<BTreeSet<String>>,
    /// Requirements of what is used, and where that is used first.
    uses: RefCell<BTreeMap<&'static str, Span>>,
}

/// A name with its types.
pub struct Item<'n> {
    pub name: &'n str,
    pub span: Span,
    /// Its types: one, or several of which it may be any; without them it may be anything.
    pub types: Vec<(&'n str, Span)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum What {
    Type,
    Object,
    Variable,
}

impl<'a> Log<'a> {
    pub fn new(source: &'a Source) -> Log<'a> {
        let (findings, warned, uses) = Default::default();
        Log { source, findings, warned, uses }
    }

    /// Adds all findings, in the order of the text, and warnings of requirements that are used and not `named`: this
    /// is common, and harmless.
    pub fn close(self, named: &BTreeSet<&'static str>, findings: &mut Vec<Diagnostic>) {
        let mut own = self.findings.into_inner();
        own.sort_by_key(|finding| finding.primary.as_ref().map_or(0, |label| label.span.start));
        findings.append(&mut own);
        let uses = self.uses.into_inner();
        for (requirement, span) in uses.iter().filter(|(known, _)| !named.contains(*known)) {
            let message =
                format!("this needs `{requirement}`, which `:requirements` does not name");
            findings.push(Diagnostic::warning("W0820", message).at(self.source, *span, ""));
        }
    }

    pub fn count(&self) -> usize {
        self.findings.borrow().len()
    }

    /// Something that needs a requirement is used.
    pub fn uses(&self, requirement: &'static str, span: Span) {
        self.uses.borrow_mut().entry(requirement).or_insert(span);
    }

    pub fn add(&self, finding: Diagnostic, span: Span) {
        self.findings.borrow_mut().push(finding.at(self.source, span, ""));
    }

    pub fn error(&self, code: &'static str, span: Span, message: impl Into<String>) {
        self.add(Diagnostic::error(code, message), span);
    }

    /// A warning, once in these words.
    pub fn warn(&self, code: &'static str, span: Span, message: String) {
        if self.warned.borrow_mut().insert(message.clone()) {
            self.add(Diagnostic::warning(code, message), span);
        }
    }

    /// What can't be read.
    pub fn fault(&self, span: Span, message: impl Into<String>) {
        self.error("E0821", span, message);
    }

    /// What is not supported.
    pub fn unsupported(&self, span: Span, what: &str) {
        self.error("E0822", span, format!("{what} is not supported"));
    }

    /// A word that is not supported, and which may be meant.
    pub fn unknown<'n>(&self, span: Span, word: &str, known: impl IntoIterator<Item = &'n str>) {
        let finding = Diagnostic::error("E0822", format!("`{word}` is not supported"));
        self.meant(finding, span, word, known);
    }

    /// A name that is not declared, and which may be meant.
    pub fn undeclared<'n>(
        &self,
        span: Span,
        what: &str,
        name: &str,
        known: impl IntoIterator<Item = &'n str>,
    ) {
        let finding = Diagnostic::error("E0821", format!("there is no {what} `{name}`"));
        self.meant(finding, span, name, known);
    }

    /// A finding about a name for which another one may be meant.
    pub fn meant<'n>(
        &self,
        mut finding: Diagnostic,
        span: Span,
        name: &str,
        known: impl IntoIterator<Item = &'n str>,
    ) {
        // Each is compared with all names that there are.
        if self.count() < MOST_HINTS {
            let counted = known.into_iter().inspect(|_| watchdog::step());
            let nearest = spelling::nearest(counted, name);
            finding.hint = nearest.map(|name| format!("did you mean `{name}`?"));
        }
        self.add(finding, span);
    }

    /// A name that is declared a second time, and where the first is.
    pub fn twice(&self, what: &str, name: &str, span: Span, first: Span) {
        self.again(format!("the {what} `{name}` is declared twice"), span, first, "here first");
    }

    /// Another value of a function of the same objects, and where the first is.
    pub fn two_values(
        &self,
        (name, args): &(String, Vec<String>),
        [one, other]: [&str; 2],
        span: Span,
        first: Span,
    ) {
        let term = [std::slice::from_ref(name), args].concat().join(" ");
        let message = format!("`({term})` has two values, {one} and {other}");
        self.again(message, span, first, "the first");
    }

    /// A part that there is already.
    pub fn second(&self, word: &str, span: Span, first: Span) {
        self.again(format!("a second `{word}`"), span, first, "the first");
    }

    fn again(&self, message: String, span: Span, first: Span, label: &str) {
        let finding = Diagnostic::error("E0823", message);
        self.add(finding.also(self.source, first, label), span);
    }

    pub fn word<'n>(&self, node: &'n Node) -> Option<&'n str> {
        let word = node.symbol();
        if word.is_none() {
            self.fault(node.span, "a name is expected here");
        }
        word
    }

    pub fn list<'n>(&self, node: &'n Node) -> &'n [Node] {
        if node.list().is_none() {
            self.fault(node.span, "a list is expected here");
        }
        node.list().unwrap_or_default()
    }

    /// The first word of a list and the other items.
    pub fn call<'n>(&self, node: &'n Node) -> Option<(&'n str, &'n [Node])> {
        let call = node.call();
        if call.is_none() {
            self.fault(node.span, "a list that begins with a name is expected here");
        }
        call
    }

    /// `a b - type c`; the space before a type is often missing.
    pub fn typed<'n>(&self, nodes: &'n [Node]) -> Vec<Item<'n>> {
        let mut items: Vec<Item<'n>> = Vec::new();
        let mut untyped = 0;
        let mut nodes = nodes.iter();
        while let Some(node) = nodes.next() {
            watchdog::step();
            let types = match node.symbol().and_then(kind_behind) {
                None => {
                    let name = self.word(node);
                    let item = |name| Item { name, span: node.span, types: Vec::new() };
                    items.extend(name.map(item));
                    continue;
                }
                Some("") => match nodes.next() {
                    Some(kind) => self.types(kind),
                    None => {
                        self.fault(node.span, "a type is missing behind `-`");
                        break;
                    }
                },
                Some(kind) => vec![(kind, Span { start: node.span.start + 1, ..node.span })],
            };
            self.uses(":typing", node.span);
            items[untyped..].iter_mut().for_each(|item| item.types.clone_from(&types));
            untyped = items.len();
        }
        items
    }

    fn types<'n>(&self, node: &'n Node) -> Vec<(&'n str, Span)> {
        match (node.symbol(), node.call()) {
            (Some(word), _) => vec![(word, node.span)],
            (None, Some(("either", types))) if !types.is_empty() => {
                types.iter().filter_map(|kind| Some((self.word(kind)?, kind.span))).collect()
            }
            _ => {
                self.fault(node.span, "a type is expected here");
                Vec::new()
            }
        }
    }

    /// Items that are declared together, of types that there are, and none of them twice but with other types.
    pub fn declared(&self, items: &[Item<'_>], what: What, types: &Types) -> Vec<Typed> {
        let mut first: BTreeMap<&str, &Item<'_>> = BTreeMap::new();
        let word = match what {
            What::Type => "type",
            What::Object => "object",
            What::Variable => "variable",
        };
        for item in items {
            watchdog::step();
            self.check_name(item, what);
            match first.get(item.name) {
                Some(other) if what == What::Variable || is_same(&other.types, &item.types) => {
                    self.twice(word, item.name, item.span, other.span);
                }
                Some(_) if what == What::Type => {}
                Some(other) => {
                    let message = format!("the {word} `{}` has several types", item.name);
                    let finding = Diagnostic::warning("W0822", message);
                    self.add(finding.also(self.source, other.span, "here first"), item.span);
                }
                None => drop(first.insert(item.name, item)),
            }
        }
        if what != What::Type {
            self.check_types(items, types);
        }
        items.iter().map(Item::typed).collect()
    }

    /// Variables have a question mark in front, and nothing else has.
    pub fn check_name(&self, item: &Item<'_>, what: What) {
        let name = item.name;
        let expected = match (name.starts_with('?'), what) {
            (false, What::Variable) => {
                return self.fault(item.span, format!("a variable is expected here, `?{name}`"));
            }
            (true, What::Object) => "an object",
            (true, What::Type) => "a type",
            _ => return,
        };
        self.fault(item.span, format!("{expected} is expected here, and `{name}` is a variable"));
    }

    /// Reports types that there are not.
    pub fn check_types(&self, items: &[Item<'_>], types: &Types) {
        // Names in a row have their types in common.
        let mut checked = None;
        for item in items {
            let place = item.types.first().map(|(_, span)| span.start);
            for (kind, span) in item.types.iter().filter(|_| place != checked) {
                if !types.has(kind) {
                    self.undeclared(*span, "type", kind, types.names());
                }
            }
            checked = place;
        }
    }
}

impl Item<'_> {
    /// The name and its types; without any it may be anything.
    pub fn typed(&self) -> Typed {
        let types = match self.types.as_slice() {
            [] => vec![OBJECT.to_owned()],
            types => types.iter().map(|(kind, _)| (*kind).to_owned()).collect(),
        };
        (self.name.to_owned(), types)
    }
}

/// What stands behind a `-`: nothing, or a type, which is no number.
fn kind_behind(word: &str) -> Option<&str> {
    let kind = word.strip_prefix('-')?;
    (!kind.starts_with(|c: char| c.is_ascii_digit())).then_some(kind)
}

fn is_same(one: &[(&str, Span)], other: &[(&str, Span)]) -> bool {
    one.iter().map(|(kind, _)| kind).eq(other.iter().map(|(kind, _)| kind))
}
