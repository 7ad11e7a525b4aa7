//! Calls as a tree: text for the terminal, a page that folds for the browser.

use super::number::{counted, grouped};
use super::style::{Theme, paint};
use super::svg::escaped;
use std::fmt::Write;
use zug_prolog::builtins::tracer::tree::{CallNode, CallOutcome, CallTree};

/// Levels that are indented; deeper ones tell their number.
const INDENTED: u32 = 40;
/// Levels that are nested in a page; deeper ones stand beside each other.
const NESTED: u32 = 150;
/// Levels that are open when a page is opened.
const OPEN: u32 = 3;

/// What came of a call, in words.
fn outcome(node: &CallNode) -> (String, bool) {
    let mut parts = Vec::new();
    if !node.answers.is_empty() {
        let more = node.answer_count > node.answers.len() as u64;
        let mut answers = node.answers.clone();
        // The same answer again and again is said once.
        if node.answers.iter().all(|answer| answer == "true") {
            answers.truncate(1);
        }
        parts.push(answers.join("; ") + if more { "; …" } else { "" });
        if node.answer_count > 1 {
            parts.push(format!("{} answers", grouped(node.answer_count)));
        }
    }
    match node.outcome {
        CallOutcome::Failed => parts.push("failed".to_owned()),
        CallOutcome::Raised => {
            parts.push(format!("raised {}", node.raised.as_deref().unwrap_or("an exception")));
        }
        CallOutcome::Running => parts.push("not finished".to_owned()),
        CallOutcome::Answered | CallOutcome::Done => {}
    }
    if node.redone > 0 {
        parts.push(format!("redone ×{}", grouped(node.redone)));
    }
    let well = matches!(node.outcome, CallOutcome::Answered | CallOutcome::Done);
    (parts.join(", "), well)
}

fn times(node: &CallNode) -> String {
    if node.times > 1 { format!(" ×{}", grouped(node.times)) } else { String::new() }
}

/// A row to print: a node, or calls that are not in the tree.
enum Row {
    Node(u32),
    Hidden(u64),
}

/// The tree as text of at most so many lines.
pub fn text(tree: &CallTree, lines: usize, theme: &Theme) -> String {
    let mut text = String::new();
    let mut shown = 0u64;
    let mut left = lines.max(1);
    // What stands before a row, whether it is the last of its caller, and its level.
    let mut todo: Vec<(Row, String, bool, u32)> = Vec::new();
    push_rows(&mut todo, tree, 0, "", 0);
    while let Some((row, prefix, last, level)) = todo.pop() {
        if left == 0 {
            break;
        }
        left -= 1;
        let branch = match (level, last) {
            (0, _) => "",
            (_, true) => "└─ ",
            (_, false) => "├─ ",
        };
        let _ = write!(text, "{}", paint(theme.dim, &format!("{prefix}{branch}")));
        match row {
            Row::Hidden(calls) => {
                let more = format!("… {}", counted(calls, "more call"));
                let _ = writeln!(text, "{}", paint(theme.dim, &more));
            }
            Row::Node(at) => {
                let node = &tree.nodes[at as usize];
                shown += 1;
                if level > INDENTED {
                    let _ = write!(text, "({level}) ");
                }
                let (words, well) = outcome(node);
                let style = if well { theme.good } else { theme.error };
                let _ = write!(text, "{}{}", node.goal, paint(theme.strong, &times(node)));
                if !words.is_empty() {
                    let _ = write!(text, "  {}", paint(style, &words));
                }
                if let Some(place) = &node.place {
                    let _ = write!(text, "  {}", paint(theme.dim, &format!("at {place}")));
                }
                text.push('\n');
                let below = match (level, last) {
                    (0, _) => String::new(),
                    (INDENTED.., _) => prefix,
                    (_, true) => prefix + "   ",
                    (_, false) => prefix + "│  ",
                };
                push_rows(&mut todo, tree, at, &below, level + 1);
            }
        }
    }
    let all = tree.nodes.len() as u64 - 1;
    if shown < all {
        let more = format!("… {} more of {} in the tree\n", grouped(all - shown), grouped(all));
        text += &paint(theme.dim, &more);
    }
    text
}

fn push_rows(
    todo: &mut Vec<(Row, String, bool, u32)>,
    tree: &CallTree,
    at: u32,
    prefix: &str,
    level: u32,
) {
    let node = &tree.nodes[at as usize];
    let from = todo.len();
    todo.extend(
        node.children.iter().map(|&child| (Row::Node(child), prefix.to_owned(), false, level)),
    );
    if node.hidden > 0 {
        todo.push((Row::Hidden(node.hidden), prefix.to_owned(), false, level));
    }
    if let Some(last) = todo[from..].last_mut() {
        last.2 = true;
    }
    todo[from..].reverse();
}

const STYLE: &str = "\
body{font:14px/1.5 sans-serif;color:#222;margin:2em}
code{font-family:ui-monospace,monospace}
details details,details p{margin-left:1.4em}
summary{cursor:pointer}
p{margin:0}
.leaf{padding-left:1em}
.ok{color:#006b4f}
.no{color:#b34700}
.at,.more{color:#666}
.times{font-weight:bold}
:root{color-scheme:light dark}
@media screen and (prefers-color-scheme:dark){
body{color:#e8e8e8;background:#1b1c1f}
.ok{color:#4fd0a8}
.no{color:#ffa06b}
.at,.more{color:#b0b0b0}
}
";

/// The tree as a page of its own that folds, without scripts.
pub fn html(tree: &CallTree, goal: &str, file: &str) -> String {
    let goal = escaped(goal);
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <title>{goal}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <h1><code>{goal}</code></h1>\n<p class=\"at\">{}: {}</p>\n",
        escaped(file),
        counted(tree.calls, "call")
    );
    enum Step {
        Row(Row, u32),
        Close,
    }
    let mut todo: Vec<Step> = Vec::new();
    let push = |todo: &mut Vec<Step>, at: u32, level: u32| {
        let mut rows = Vec::new();
        push_rows(&mut rows, tree, at, "", level);
        todo.extend(rows.into_iter().map(|(row, ..)| Step::Row(row, level)));
    };
    push(&mut todo, 0, 0);
    while let Some(step) = todo.pop() {
        match step {
            Step::Close => page.push_str("</details>\n"),
            Step::Row(Row::Hidden(calls), _) => {
                let _ =
                    writeln!(page, "<p class=\"leaf more\">… {}</p>", counted(calls, "more call"));
            }
            Step::Row(Row::Node(at), level) => {
                let node = &tree.nodes[at as usize];
                let leaf = node.children.is_empty() && node.hidden == 0;
                let line = html_line(node, level);
                if leaf || level >= NESTED {
                    let _ = writeln!(page, "<p class=\"leaf\">{line}</p>");
                } else {
                    let open = if level < OPEN { " open" } else { "" };
                    let _ = writeln!(page, "<details{open}><summary>{line}</summary>");
                    todo.push(Step::Close);
                }
                push(&mut todo, at, level + 1);
            }
        }
    }
    page + "</body>\n</html>\n"
}

fn html_line(node: &CallNode, level: u32) -> String {
    let (words, well) = outcome(node);
    let mut line = String::new();
    if level >= NESTED {
        let _ = write!(line, "({level}) ");
    }
    let _ = write!(line, "<code>{}</code>", escaped(&node.goal));
    if node.times > 1 {
        let _ = write!(line, " <span class=\"times\">{}</span>", times(node).trim_start());
    }
    let class = if well { "ok" } else { "no" };
    let _ = write!(line, " <span class=\"{class}\"><code>{}</code></span>", escaped(&words));
    if let Some(place) = &node.place {
        let _ = write!(line, " <span class=\"at\">at {}</span>", escaped(place));
    }
    line
}
