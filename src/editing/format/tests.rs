//! What laying out must keep, over texts at random and over all rule files of the project.

use super::{format, once};
use crate::directives::{Folder, NoFiles};
use crate::reading::Reading;
use proptest::prelude::*;
use rustc_hash::FxHashSet;
use std::path::{Path, PathBuf};
use zug_syntax::{Operators, WriteOptions, term_to_string};
use zug_term::source::Source;
use zug_term::symbol::Symbols;

fn check(text: &str, expect: &str) {
    let source = Source::new("test", text);
    assert_eq!(format(&source, &NoFiles), expect, "{text}");
    assert_eq!(format(&Source::new("test", expect), &NoFiles), expect, "laid out twice");
}

/// All that a text says: its clauses as terms without operators, and its comments.
fn said(source: &Source, files: &dyn crate::Files) -> (Vec<String>, Vec<String>) {
    let mut clauses = Vec::new();
    let plain = Operators::standard(&mut Symbols::new());
    let options = WriteOptions { quoted: true, ignore_ops: true, ..WriteOptions::default() };
    let reading = Reading::with(source, files, |room, term, _| {
        let names: Vec<_> = term.variables.iter().map(|(name, _)| name.to_string()).collect();
        let shown = term_to_string(room.heap, room.symbols, &plain, term.root, &options);
        clauses.push(format!("{shown} {names:?}"));
    });
    let all = reading.clauses.iter().flat_map(|clause| &clause.tokens).chain(&reading.comments);
    let mut comments: Vec<_> = all.filter(|token| token.kind.is_comment()).collect();
    comments.sort_by_key(|token| token.start);
    let shown = |token: &&zug_syntax::Token| token.text(&source.text).trim_end().to_owned();
    let comments = comments.iter().map(shown).collect();
    for clause in reading.clauses.iter().filter(|clause| clause.roles.is_none()) {
        let span = clause.span;
        clauses.push(source.text[span.start as usize..span.end as usize].to_owned());
    }
    (clauses, comments)
}

fn keeps_what_is_said(source: &Source, files: &dyn crate::Files) {
    let text = format(source, files);
    let new = Source::new(&source.name, &text);
    assert_eq!(said(source, files), said(&new, files), "{}", source.name);
    assert_eq!(format(&new, files), text, "{} laid out twice", source.name);
}

fn rule_files(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            rule_files(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "pl") {
            found.push(path);
        }
    }
}

#[test]
fn all_files_of_the_project() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Vec::new();
    for folder in ["rules", "tests", "src", "benches"] {
        rule_files(&root.join(folder), &mut files);
    }
    assert!(files.len() > 400, "{}", files.len());
    for path in files {
        let bytes = std::fs::read(&path).expect("read");
        let (text, _) = zug_syntax::decode(&bytes);
        let source = Source::new(&path.to_string_lossy(), &text);
        let files = Folder(path.parent().expect("in a folder").to_owned());
        keeps_what_is_said(&source, &files);
        let shipped = !path.components().any(|part| part.as_os_str() == "tests");
        assert!(!shipped || format(&source, &files) == *text, "{} is not laid out", source.name);
        // Nothing has to be put right: once is enough, and no clause reads as another.
        let reading = Reading::of(&source, &files);
        let kept = FxHashSet::default();
        let first = once(&source, &reading, &kept);
        assert!(super::changed(&source, &reading, &first, &files).is_empty(), "{}", source.name);
        let next = Source::new(&source.name, &first);
        assert_eq!(once(&next, &Reading::of(&next, &files), &kept), first, "{}", source.name);
    }
}

#[test]
fn short_clauses_stay_in_a_line() {
    check("a:-b,c.", "a :- b, c.\n");
    check("a(X,Y):-X=Y,!.\n", "a(X, Y) :- X = Y, !.\n");
    check("a( b , [ c,d|E ] ).", "a(b, [c,d|E]).\n");
    check("a:-b,\n c.", "a :-\n    b,\n    c.\n");
    check("X=1.", "X = 1.\n");
    check("f(a=1,- 1,-1,a-1,- a).", "f(a=1, - 1, -1, a-1, - a).\n");
}

#[test]
fn long_clauses_are_broken() {
    let goal = "some_goal(With, Arguments)";
    let text = format!("head(X) :- {}.", [goal; 4].join(", "));
    check(&text, &format!("head(X) :-\n    {}.\n", [goal; 4].join(",\n    ")));
    let number = "a_long_argument_of_a_fact";
    check(
        &format!("fact({}).", [number; 5].join(",")),
        &format!("fact({},\n     {}).\n", [number; 3].join(", "), [number; 2].join(", ")),
    );
}

#[test]
fn if_then_else_has_columns() {
    check("a :- ( b -> c\n ; d, e ), f.", "a :-\n    (   b -> c\n    ;   d, e\n    ),\n    f.\n");
    check(
        "a :-\n ( b,\n c\n -> d\n ; % why\n e\n ).",
        "a :-\n    (   b,\n        c\n    ->  d\n    ; % why\n        e\n    ).\n",
    );
    check("a :- b\n ; c.", "a :-\n    b\n;   c.\n");
}

#[test]
fn columns_of_tables_stay() {
    let table = "p(a,   1).\np(bcd, 10) :- q.\np(e,   2).\n";
    check(table, table);
    check("p(a,   1).\np(b,      2).\n", "p(a, 1).\np(b, 2).\n");
    check("n(a,   1).\nn(b,  10).\nn(c, 100).\n", "n(a,   1).\nn(b,  10).\nn(c, 100).\n");
    let board = "b([[ 1, 2],\n   [10,-3]]).\n";
    check(board, board);
    check("a.   b.\nccc. d.\n", "a.   b.\nccc. d.\n");
    // A sign belongs to its number.
    let table = "u(a,  10) :- b.\nu(a, -10) :- c.\nd([-1,-1]).\nd([ 0,-1]).\n";
    check(table, table);
    // What is first in a bracket is lined up if it is a number.
    check("a :-\n  b( X,\n     c).\n", "a :-\n    b(X,\n      c).\n");
    check("a :- b([X]>>( X == 0 ), Y).\n", "a :- b([X]>>(X == 0), Y).\n");
    check("abc :- q( X ).\nabc :- q( Y ), b.\n", "abc :- q(X).\nabc :- q(Y), b.\n");
    check("a.      % one\nbcd(e). % two\n", "a.      % one\nbcd(e). % two\n");
}

#[test]
fn comments_and_groups_stay() {
    check("% a\n\n\n\n\na.\n\nb. % c\n   % d\n", "% a\n\n\na.\n\nb. % c\n   % d\n");
    check("a :- % why\n b, /* x */ c.", "a :- % why\n    b, /* x */ c.\n");
    check("a :-\n b,\n\n\n % two\n c.", "a :-\n    b,\n\n    % two\n    c.\n");
    check("#!/usr/bin/env zug\n:-  a.", "#!/usr/bin/env zug\n:- a.\n");
    check("% fmt: off\na:-b.\n% fmt: on\na:-b.\n", "% fmt: off\na:-b.\n% fmt: on\na :- b.\n");
    check("% fmt: off\n%  c  \n% fmt: on\n% d  \n", "% fmt: off\n%  c  \n% fmt: on\n% d\n");
    check("a:-b.\r\nc:-d.\r\n", "a :- b.\r\nc :- d.\r\n");
}

#[test]
fn operators_are_the_texts_own() {
    check(":- op(700,xfx,===>).\na:-b===>c.", ":- op(700, xfx, ===>).\na :- b ===> c.\n");
    check("a:-b===>c.\nd:-e.", "a:-b===>c.\nd :- e.\n");
    check(
        ":- use_module(library(clpfd)).\na:-X#=1.",
        ":- use_module(library(clpfd)).\na :- X #= 1.\n",
    );
    check("a:- X=(b,c),\\+(d),\\+ (d),- (1).", "a :- X = (b,c), \\+(d), \\+ (d), - (1).\n");
}

#[test]
fn what_can_not_be_read_stays() {
    check("a:-b.\nc(  :-  d.\ne:-f.\n", "a :- b.\nc(  :-  d.\ne :- f.\n");
    check("  a(b c)  .\nd:-e.", "  a(b c)  .\nd :- e.\n");
    check("a:-b.\nfoo(  'x", "a :- b.\nfoo(  'x");
    check("", "");
    check("\n\n% x  \n\n", "% x\n");
}

/// A term as tokens. A token that begins with a zero byte stands right behind the one before.
fn terms() -> impl Strategy<Value = Vec<String>> {
    let leaf = prop::sample::select(vec![
        "a", "foo", "X", "_Y", "_", "1", "0'a", "0'\\n", "0xFF", "1_000", "1.5e3", "'don''t'",
        "\"s t\"", "`c`", "[]", "{}", "'\\\nq'", "+", "\\+", "-", "dynamic", "!", "=",
    ])
    .prop_map(|leaf| match leaf {
        // An operator by itself is written in brackets.
        "+" | "\\+" | "-" | "dynamic" | "=" => vec!["(".into(), leaf.into(), ")".into()],
        _ => vec![leaf.to_owned()],
    });
    leaf.prop_recursive(5, 40, 4, |inner| {
        let many = prop::collection::vec(inner.clone(), 1..4);
        prop_oneof![
            (prop::sample::select(vec!["f", "'a b'", "-", "=", "\\+"]), many.clone())
                .prop_map(|(name, terms)| bracketed(&[name, "\0("], &terms, ",", ")")),
            many.clone().prop_map(|terms| bracketed(&["["], &terms, ",", "]")),
            many.clone().prop_map(|terms| bracketed(&["("], &terms, ",", ")")),
            many.clone().prop_map(|terms| bracketed(&["("], &terms, ";", ")")),
            many.clone().prop_map(|terms| bracketed(&["("], &terms, "->", ")")),
            many.prop_map(|terms| bracketed(&["{"], &terms, ",", "}")),
            (
                inner.clone(),
                prop::sample::select(vec!["=", "is", "-", "+", "*", "^", ":", "mod", "=..", ">>"]),
                inner.clone(),
            )
                .prop_map(|(left, operator, right)| {
                    bracketed(&["("], &[left, right], operator, ")")
                }),
            (prop::sample::select(vec!["-", "\\+", "\\", "?-"]), inner).prop_map(
                |(operator, term)| {
                    let mut tokens = vec!["(".to_owned(), operator.to_owned(), " ".to_owned()];
                    tokens.extend(term);
                    tokens.push(")".to_owned());
                    tokens
                }
            ),
        ]
    })
}

fn bracketed(open: &[&str], terms: &[Vec<String>], between: &str, close: &str) -> Vec<String> {
    let mut tokens: Vec<String> = open.iter().map(|&token| token.to_owned()).collect();
    for (number, term) in terms.iter().enumerate() {
        if number > 0 {
            tokens.push(between.to_owned());
        }
        tokens.extend(term.iter().cloned());
    }
    tokens.push(close.to_owned());
    tokens
}

fn layouts() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        " ",
        " ",
        " ",
        " ",
        "  ",
        "     ",
        "\n",
        "\n    ",
        "\n\n\n",
        "\t",
        " % c  \n",
        "\n% own\n",
        " /* b */ ",
        "/* two\n lines */",
        "\r\n",
    ])
}

fn texts() -> impl Strategy<Value = String> {
    let clause = prop::collection::vec(terms(), 1..5).prop_map(|terms| {
        let mut tokens = terms[0].clone();
        for (number, goal) in terms[1..].iter().enumerate() {
            tokens.push(if number == 0 { ":-" } else { "," }.to_owned());
            tokens.extend(goal.iter().cloned());
        }
        tokens.push(" .".to_owned());
        tokens
    });
    let clauses = prop::collection::vec(clause, 1..4).prop_map(|clauses| clauses.concat());
    let clauses = (clauses, prop::collection::vec((layouts(), any::<bool>()), 1..60));
    clauses.prop_map(|(tokens, layouts)| {
        let mut text = String::new();
        for (number, token) in tokens.iter().enumerate() {
            let (layout, tight) = layouts[number % layouts.len()];
            let tokens = token.strip_prefix('\0');
            let punctuation = |text: &str| text.ends_with(['(', '[', '{', ',', ')', ']', '}']);
            if tokens.is_none() && !(tight && punctuation(&text)) {
                text += layout;
            }
            text += tokens.unwrap_or(token);
        }
        text + "\n"
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn texts_at_random_say_the_same(text in texts()) {
        keeps_what_is_said(&Source::new("test", &text), &NoFiles);
    }

    #[test]
    fn broken_texts_say_the_same(text in texts(), at in any::<prop::sample::Index>(), put in "[(),.'% a\n]{0,3}") {
        let mut at = at.index(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        let broken = format!("{}{put}{}", &text[..at], &text[at..]);
        keeps_what_is_said(&Source::new("test", &broken), &NoFiles);
    }
}
