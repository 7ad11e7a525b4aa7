//! A document of a rule file, as a page or as Markdown.

use super::number::counted;
use super::svg::escaped;
use std::fmt::Write as _;
use zug_domain::DomainKind;
use zug_syntax::{TokenKind, tokenize};
use zug_usecases::doc::{Document, PredicateDoc};

const PAGE: &str = include_str!("doc.html");

/// An instance as it is shown.
pub struct InstanceView {
    /// Its name.
    pub name: String,
    /// The board as text.
    pub board: String,
    /// The board as an SVG document.
    pub picture: Option<String>,
}

/// A piece of a comment.
enum Piece<'a> {
    /// Running text.
    Words(Vec<&'a str>),
    /// Lines that are indented, or stand in columns: as they are.
    Lines(Vec<&'a str>),
}

/// A comment in paragraphs, with what is indented kept as it is.
fn pieces(comment: &[String]) -> Vec<Piece<'_>> {
    let mut pieces: Vec<Piece<'_>> = Vec::new();
    let mut fresh = true;
    for line in comment.iter().map(String::as_str) {
        let kept = line.starts_with(' ') || line.contains("   ");
        match pieces.last_mut() {
            _ if line.is_empty() => {
                if let Some(Piece::Lines(lines)) = pieces.last_mut() {
                    lines.push("");
                }
                fresh = true;
                continue;
            }
            Some(Piece::Lines(lines)) if kept => lines.push(line),
            Some(Piece::Words(lines)) if !kept && !fresh => lines.push(line),
            _ if kept => pieces.push(Piece::Lines(vec![line])),
            _ => pieces.push(Piece::Words(vec![line])),
        }
        fresh = false;
    }
    for piece in &mut pieces {
        let (Piece::Words(lines) | Piece::Lines(lines)) = piece;
        while lines.last().is_some_and(|line| line.is_empty()) {
            lines.pop();
        }
    }
    pieces
}

fn kind(document: &Document) -> &'static str {
    match document.kind {
        DomainKind::Puzzle => "A puzzle",
        DomainKind::Game => "A game",
        DomainKind::Simultaneous => "A game in which all choose at once",
        DomainKind::Model => "A model",
        DomainKind::Program => "A program for queries",
    }
}

/// The groups of predicates with their titles; empty ones are left out.
fn groups(document: &Document) -> Vec<(&'static str, &[PredicateDoc])> {
    let own = match document.kind {
        DomainKind::Program => "Predicates",
        _ => "Other predicates",
    };
    let groups = [("The rules", &document.contract[..]), (own, &document.own[..])];
    groups.into_iter().filter(|(_, group)| !group.is_empty()).collect()
}

fn starts(boards: &[InstanceView]) -> &'static str {
    if boards.len() == 1 { "The start" } else { "Instances" }
}

fn place(one: &PredicateDoc) -> String {
    let count = counted(one.count as u64, "clause");
    match &one.elsewhere {
        Some(file) => format!("{count}, {file} line {}", one.line),
        None => format!("{count}, line {}", one.line),
    }
}

/// The document as a page that needs nothing else.
pub fn html(document: &Document, boards: &[InstanceView]) -> String {
    let mut body = format!("<h1>{}</h1>\n", escaped(&document.file));
    let _ = writeln!(body, "<p class=\"meaning\">{}.</p>", kind(document));
    body += &comment_html(&document.heading);
    let groups = groups(document);
    let _ = write!(body, "<nav>");
    for one in groups.iter().flat_map(|(_, group)| group.iter()) {
        let _ = writeln!(
            body,
            "<a href=\"#{}\"><code>{}</code></a>",
            escaped(&anchor(one)),
            escaped(&one.indicator())
        );
    }
    body += "</nav>\n";
    if !boards.is_empty() {
        let _ = writeln!(body, "<h2>{}</h2>\n<div class=\"boards\">", starts(boards));
        for shown in boards {
            let _ = write!(body, "<figure>");
            match &shown.picture {
                Some(picture) => body += picture.trim_end(),
                None => {
                    let _ = write!(body, "<pre>{}</pre>", escaped(&shown.board));
                }
            }
            let _ = writeln!(body, "<figcaption>{}</figcaption></figure>", escaped(&shown.name));
        }
        body += "</div>\n";
        if !document.others.is_empty() {
            let _ = writeln!(body, "<p>Others: {}.</p>", escaped(&document.others.join(", ")));
        }
    }
    for (title, group) in &groups {
        let _ = writeln!(body, "<h2>{title}</h2>");
        for one in *group {
            body += &predicate_html(one, document);
        }
    }
    if document.kind != DomainKind::Program {
        body += "<h2>Engines</h2>\n";
        if !document.heuristics.is_empty() {
            let names = escaped(&document.heuristics.join(", "));
            let _ = writeln!(body, "<p>Heuristics, the default first: {names}.</p>");
        }
        body += "<table>\n";
        for (name, summary) in &document.engines {
            let _ = writeln!(body, "<tr><td><code>{name}</code></td><td>{summary}</td></tr>");
        }
        body += "</table>\n";
    }
    // What users write may not be taken for a place to fill.
    let title = escaped(&document.file).replace('{', "&#123;");
    PAGE.replacen("{{title}}", &title, 1).replacen("{{body}}", body.trim_end(), 1)
}

fn comment_html(comment: &[String]) -> String {
    let mut text = String::new();
    for piece in pieces(comment) {
        let _ = match piece {
            Piece::Words(lines) => writeln!(text, "<p>{}</p>", prose(&lines.join("\n"))),
            Piece::Lines(lines) => writeln!(text, "<pre>{}</pre>", escaped(&lines.join("\n"))),
        };
    }
    text
}

fn predicate_html(one: &PredicateDoc, document: &Document) -> String {
    let mut text = format!(
        "<section id=\"{}\">\n<h3>{}</h3>\n",
        escaped(&anchor(one)),
        escaped(&one.indicator())
    );
    if !one.meaning.is_empty() {
        let _ = writeln!(text, "<p class=\"meaning\">{}</p>", prose(&one.meaning.join(" ")));
    }
    text += &comment_html(&one.comment);
    let _ = writeln!(
        text,
        "<details><summary>{}</summary>\n<pre>{}</pre></details>\n</section>",
        escaped(&place(one)),
        coloured(&one.clauses, document)
    );
    text
}

/// The place of a predicate in its document. Names may be any text; arities tell them apart.
fn anchor(one: &PredicateDoc) -> String {
    let name: String = one
        .name
        .chars()
        .map(|c| {
            if c.is_alphanumeric() || c == '_' {
                c.to_string()
            } else {
                format!("-{:x}", u32::from(c))
            }
        })
        .collect();
    format!("{name}-{}", one.arity)
}

/// Clauses with colours, and calls of other predicates of the file as links.
fn coloured(clauses: &str, document: &Document) -> String {
    let mut out = String::with_capacity(clauses.len() * 2);
    let mut at = 0;
    let tokens = tokenize(clauses);
    for (number, token) in tokens.iter().enumerate() {
        let (start, end) = (token.start as usize, token.end as usize);
        out += &escaped(&clauses[at..start]);
        at = end;
        let text = &clauses[start..end];
        let class = match token.kind {
            TokenKind::Variable => "v",
            TokenKind::Quoted | TokenKind::String | TokenKind::BackQuoted => "s",
            TokenKind::Integer
            | TokenKind::Float
            | TokenKind::SpecialFloat
            | TokenKind::Rational
            | TokenKind::CharacterCode
            | TokenKind::Hexadecimal
            | TokenKind::Octal
            | TokenKind::Binary
            | TokenKind::Radix => "n",
            TokenKind::LineComment | TokenKind::BlockComment => "c",
            TokenKind::Name => {
                let call = tokens.get(number + 1).is_some_and(|t| t.kind == TokenKind::OpenCt);
                match called(text, call, document) {
                    Some(one) => {
                        let anchor = escaped(&anchor(one));
                        let _ = write!(out, "<a href=\"#{anchor}\">{}</a>", escaped(text));
                    }
                    None => out += &escaped(text),
                }
                continue;
            }
            _ => {
                out += &escaped(text);
                continue;
            }
        };
        let _ = write!(out, "<span class=\"{class}\">{}</span>", escaped(text));
    }
    out + &escaped(&clauses[at..])
}

/// The predicate of the file that has this name, if it is one that takes arguments.
fn called<'d>(name: &str, call: bool, document: &'d Document) -> Option<&'d PredicateDoc> {
    let mut all = document.contract.iter().chain(&document.own);
    all.find(|one| one.name == name && call == (one.arity > 0))
}

/// The document as Markdown.
pub fn markdown(document: &Document, boards: &[InstanceView]) -> String {
    let mut text = format!("# {}\n\n{}.\n", plain(&document.file), kind(document));
    comment_markdown(&mut text, &document.heading);
    if !boards.is_empty() {
        let _ = writeln!(text, "\n## {}", starts(boards));
        for shown in boards {
            if !shown.name.is_empty() {
                let _ = write!(text, "\n{}:\n", plain(&shown.name));
            }
            fenced(&mut text, "text", &shown.board);
        }
        if !document.others.is_empty() {
            let _ = writeln!(text, "\nOthers: {}.", plain(&document.others.join(", ")));
        }
    }
    for (title, group) in groups(document) {
        let _ = writeln!(text, "\n## {title}");
        for one in group {
            let _ = writeln!(text, "\n### {}", plain(&one.indicator()));
            if !one.meaning.is_empty() {
                let _ = writeln!(text, "\n*{}*", plain(&one.meaning.join("\n")));
            }
            comment_markdown(&mut text, &one.comment);
            let _ = writeln!(text, "\n{}:", plain(&place(one)));
            fenced(&mut text, "prolog", &one.clauses);
        }
    }
    if document.kind != DomainKind::Program {
        text += "\n## Engines\n\n";
        if !document.heuristics.is_empty() {
            let names = plain(&document.heuristics.join(", "));
            let _ = writeln!(text, "Heuristics, the default first: {names}.\n");
        }
        text += "| engine | finds |\n|---|---|\n";
        for (name, summary) in &document.engines {
            let _ = writeln!(text, "| `{name}` | {summary} |");
        }
    }
    text
}

fn comment_markdown(text: &mut String, comment: &[String]) {
    for piece in pieces(comment) {
        match piece {
            Piece::Words(lines) => {
                let _ = writeln!(text, "\n{}", plain(&lines.join("\n")));
            }
            Piece::Lines(lines) => fenced(text, "text", &lines.join("\n")),
        }
    }
}

/// Lines between fences that are longer than any in them.
fn fenced(text: &mut String, kind: &str, lines: &str) {
    let mut fence = "```".to_owned();
    while lines.contains(&fence) {
        fence.push('`');
    }
    let _ = writeln!(text, "\n{fence}{kind}\n{}\n{fence}", lines.trim_end());
}

/// Text that means itself in Markdown.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut before = '\n';
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let marks = match c {
            '\\' | '`' | '*' | '<' | '[' | ']' | '|' | '&' => true,
            // Inside a word it means nothing.
            '_' => {
                let inside = |c: char| c.is_alphanumeric() || c == '_';
                !inside(before) || !rest.peek().copied().is_some_and(inside)
            }
            '#' | '>' | '-' | '+' | '=' | '~' => before == '\n',
            _ => false,
        };
        if marks {
            out.push('\\');
        }
        out.push(c);
        before = c;
    }
    out
}

/// Words of a comment: what stands between two back quotes is code.
fn prose(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('`') {
        out += &escaped(before);
        match after.split_once('`') {
            Some((code, behind)) if !code.is_empty() && !code.contains('\n') => {
                let _ = write!(out, "<code>{}</code>", escaped(code));
                rest = behind;
            }
            _ => {
                out.push('`');
                rest = after;
            }
        }
    }
    out + &escaped(rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    const RULES: &str = "% A <b>line</b>, *so to say*.\n%\n%   a   b\n\n% Where it begins.\n\
        initial_state([[a,_],[_,'<&']]).\nfinal_state(x).\n% One step: `ab`.\n\
        rule(go, 1, S, T) :- step(S, T). % {{title}}\nstep(_, x).\nstep(x, \"</pre>{{title}}\").\n";

    fn document() -> Document {
        // Tests run beside each other: each has a file of its own.
        static MADE: AtomicUsize = AtomicUsize::new(0);
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let (mut session, _) = zug_tools::language::captured("");
        let name = format!("zug-doc-{}-{number}.pl", std::process::id());
        let file = std::env::temp_dir().join(name);
        std::fs::write(&file, RULES).expect("a file");
        let made = zug_usecases::doc::document(&mut session, &file);
        std::fs::remove_file(&file).expect("the file");
        let mut made = made.unwrap_or_else(|_| panic!("the rules load"));
        made.file = "a_{{body}}.pl".to_owned();
        made
    }

    #[test]
    fn nothing_in_a_page_is_taken_for_marks() {
        let page = html(&document(), &[]);
        assert!(page.contains("A &lt;b&gt;line&lt;/b&gt;"), "{page}");
        assert!(
            page.contains("<pre>  a   b</pre>") || page.contains("<pre> a   b</pre>"),
            "{page}"
        );
        assert!(page.contains("&lt;/pre&gt;") && page.contains("{{title}}"), "{page}");
        assert!(page.contains("<a href=\"#step-2\">step</a>"), "{page}");
        assert!(page.contains("id=\"step-2\"") && page.contains("2 clauses, line 10"), "{page}");
        let opened = page.matches("<section").count();
        assert_eq!(opened, page.matches("</section>").count());
        assert_eq!(opened, 4);
    }

    #[test]
    fn markdown_means_what_it_says() {
        let text = markdown(&document(), &[]);
        assert!(text.contains("# a\\_{{body}}.pl"), "{text}");
        assert!(text.contains("A \\<b>line\\</b>, \\*so to say\\*."), "{text}");
        assert!(text.contains("One step: \\`ab\\`."), "{text}");
        assert!(text.contains("step(_, x).\nstep(x, \"</pre>{{title}}\")."), "{text}");
        assert!(text.contains("| `bfs` |"), "{text}");
    }
}
