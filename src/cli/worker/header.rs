//! The header comment of a rule file: title, rules and goal in words.
//!
//! The header is the comment that a file begins with. Its first sentence is the title. Paragraphs up to the
//! first one about the representation (`A state is …`) or suggestions (`Things to try …`) are the rules.
//! Their sentences that speak of winning, losing or reaching are the goal.

use serde::Serialize;

/// Bytes of a header that are read.
const LONGEST: usize = 8000;
/// The beginnings of paragraphs that describe the file rather than the rules.
const ASIDE: &[&str] = &[
    "A state ",
    "A move ",
    "The state ",
    "States ",
    "A model ",
    "Things to try",
    "It runs as it is",
    "To try",
    "How to read",
    "As in ",
    "All choose at once, once",
    "Costs:",
    "The move",
    "Instances",
    "The game is impartial",
];
/// Words of sentences about the goal of a puzzle or the result of a game, in lower case.
const GOAL: &[&str] = &[
    "win",
    "wins",
    "won",
    "lose",
    "loses",
    "lost",
    "a draw",
    "mates",
    "shall",
    "goal",
    "reach",
    "until",
    "game is over",
    "must cross",
    "wants",
    "want to",
    "measure out",
    "soon",
    "shortest",
    "worth of",
    "change places",
    "onto their places",
    "all cross",
    "none attacks",
    "earliest",
    "so that none",
];

/// A paragraph.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Paragraph {
    /// Running text.
    Text(String),
    /// A diagram: lines as they are.
    Lines(String),
}

/// The header of a rule file.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub struct Header {
    /// The first sentence, without its period.
    pub title: String,
    /// The rules in words.
    pub rules: Vec<Paragraph>,
    /// The sentences about the goal.
    pub goal: String,
    /// The other paragraphs: the representation, suggestions.
    pub more: Vec<Paragraph>,
}

impl Header {
    /// Reads the header of a text of this name.
    pub fn of(name: &str, text: &str) -> Header {
        let mut header = Header::default();
        let mut aside = false;
        for (number, paragraph) in paragraphs(&comment(text)).into_iter().enumerate() {
            let Paragraph::Text(words) = paragraph else {
                let to = if aside { &mut header.more } else { &mut header.rules };
                to.push(paragraph);
                continue;
            };
            let mut words = words;
            if number == 0 {
                let file = name.rsplit('/').next().unwrap_or(name);
                let bare = words.strip_prefix(file).and_then(|rest| rest.strip_prefix(": "));
                words = bare.map_or(words.clone(), capitalized);
                let first = sentences(&words).first().map_or(0, |first| first.len());
                header.title = words[..first].trim_end().trim_end_matches('.').to_owned();
                words = words[first..].trim_start().to_owned();
                if words.is_empty() {
                    continue;
                }
            }
            aside |= number > 0 && ASIDE.iter().any(|start| words.starts_with(start));
            let to = if aside { &mut header.more } else { &mut header.rules };
            to.push(Paragraph::Text(words));
        }
        header.split_goal();
        header
    }

    /// The first diagram.
    pub fn diagram(&self) -> Option<&str> {
        self.rules.iter().chain(&self.more).find_map(|paragraph| match paragraph {
            Paragraph::Lines(lines) => Some(lines.as_str()),
            Paragraph::Text(_) => None,
        })
    }

    /// Takes the sentences about the goal out of the rules, unless these say nothing else.
    fn split_goal(&mut self) {
        let mut goal: Vec<String> = Vec::new();
        for paragraph in &mut self.rules {
            let Paragraph::Text(words) = paragraph else { continue };
            let all = sentences(words);
            let is_goal: Vec<bool> = all.iter().map(|one| is_about_goal(one)).collect();
            let found = all.iter().zip(&is_goal).filter(|(_, is_goal)| **is_goal);
            goal.extend(found.map(|(one, _)| one.trim().to_owned()));
            // Sources in parentheses stay.
            let source =
                all.last().filter(|last| last.starts_with('(')).map(|last| (*last).to_owned());
            let own = &is_goal[..is_goal.len() - usize::from(source.is_some())];
            let kept = all.iter().zip(own).filter(|(_, is_goal)| !**is_goal);
            let mut left: String = kept.map(|(one, _)| *one).collect();
            if left.trim().is_empty() {
                left = words.clone();
            } else {
                left += source.as_deref().unwrap_or_default();
            }
            *words = left.trim_end().to_owned();
        }
        self.rules
            .retain(|paragraph| !matches!(paragraph, Paragraph::Text(words) if words.is_empty()));
        self.goal = goal.join(" ");
        // A title may be all that is said.
        let title = match self.title.ends_with(['?', '!']) {
            true => self.title.clone(),
            false => format!("{}.", self.title),
        };
        if self.goal.is_empty() && is_about_goal(&title) {
            self.goal = title;
        }
    }
}

fn is_about_goal(sentence: &str) -> bool {
    let lower = sentence.to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric() && c != '\'')
        .filter(|word| !word.is_empty())
        .collect();
    // What a diagram goes on with is no sentence.
    let is_whole = sentence.trim_end().ends_with(['.', '!', '?', ')']);
    is_whole
        && GOAL.iter().any(|phrase| {
            let phrase: Vec<&str> = phrase.split(' ').collect();
            words.windows(phrase.len()).any(|window| window == phrase)
        })
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// The lines of the comment at the beginning of a text, without comment signs.
fn comment(text: &str) -> Vec<String> {
    let end = (0..=text.len().min(LONGEST)).rev().find(|&at| text.is_char_boundary(at));
    let text = &text[..end.unwrap_or(0)];
    let mut lines =
        text.lines().skip_while(|line| line.trim().is_empty() || line.starts_with("#!"));
    let Some(first) = lines.next() else { return Vec::new() };
    let all = std::iter::once(first).chain(lines);
    if let Some(inside) = first.trim_start().strip_prefix("/*") {
        let whole: Vec<&str> =
            std::iter::once(inside.trim_start_matches('*')).chain(all.skip(1)).collect();
        let whole = whole.join("\n");
        let inside = whole.split("*/").next().unwrap_or_default();
        let bare = |line: &str| line.trim_start().strip_prefix("* ").unwrap_or(line).to_owned();
        return inside
            .lines()
            .map(bare)
            .map(|line| if line.trim() == "*" { String::new() } else { line })
            .collect();
    }
    let lines = all.map_while(|line| line.trim_start().strip_prefix('%'));
    lines.map(|line| line.trim_start_matches(['%', '!']).to_owned()).collect()
}

/// The paragraphs of lines. What is indented is a diagram; commands of zug are left out.
fn paragraphs(lines: &[String]) -> Vec<Paragraph> {
    let mut found = Vec::new();
    let mut text: Vec<&str> = Vec::new();
    let mut diagram: Vec<&str> = Vec::new();
    let end_text = |text: &mut Vec<&str>, found: &mut Vec<Paragraph>| {
        if !text.is_empty() {
            found.push(Paragraph::Text(
                text.join(" ").split_whitespace().collect::<Vec<_>>().join(" "),
            ));
            text.clear();
        }
    };
    let end_diagram = |diagram: &mut Vec<&str>, found: &mut Vec<Paragraph>| {
        let is_command = diagram.iter().any(|line| line.trim_start().starts_with("zug "));
        if !diagram.is_empty() && !is_command {
            let spaces = |line: &&str| line.chars().take_while(|c| *c == ' ').count();
            let indent = diagram.iter().map(spaces).min().unwrap_or(0);
            // Spaces have one byte each.
            let bare: Vec<&str> = diagram.iter().map(|line| &line[indent..]).collect();
            found.push(Paragraph::Lines(bare.join("\n")));
        }
        diagram.clear();
    };
    for line in lines {
        let line = line.trim_end();
        if line.trim().is_empty() {
            end_text(&mut text, &mut found);
            end_diagram(&mut diagram, &mut found);
        } else if line.starts_with("   ") {
            end_text(&mut text, &mut found);
            diagram.push(line);
        } else {
            end_diagram(&mut diagram, &mut found);
            text.push(line.trim());
        }
    }
    end_text(&mut text, &mut found);
    end_diagram(&mut diagram, &mut found);
    found
}

/// The sentences of a text, each with the spaces after it.
fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let (mut begin, mut depth) = (0, 0_i32);
    for (at, sign) in text.char_indices() {
        match sign {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            '.' | '!' | '?' if depth <= 0 => {
                let rest = &text[at + 1..];
                let next = rest.trim_start();
                let word = text[begin..at].rsplit([' ', '(', '"']).next().unwrap_or_default();
                let is_initial = sign == '.'
                    && word.chars().count() == 1
                    && word.chars().all(char::is_uppercase);
                let ends = rest.starts_with(' ')
                    && !is_initial
                    && next.starts_with(|c: char| !c.is_lowercase());
                if ends {
                    let end = text.len() - next.len();
                    found.push(&text[begin..end]);
                    begin = end;
                }
            }
            _ => {}
        }
    }
    if begin < text.len() {
        found.push(&text[begin..]);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(words: &str) -> Paragraph {
        Paragraph::Text(words.to_owned())
    }

    #[test]
    fn a_header_has_a_title_rules_and_a_goal() {
        let header = Header::of(
            "rules/four.pl",
            "% Connect Four (H. Wexler, 1974).\n%\n% Two players drop discs.  Who has four\n% in a row wins.\n%\n\
             %     x o\n%     o x\n%\n%     zug solve four.pl\n%\n% A state is a list.\n%\n% More.\n\n% Not this.\np.\n",
        );
        assert_eq!(header.title, "Connect Four (H. Wexler, 1974)");
        assert_eq!(
            header.rules,
            [text("Two players drop discs."), Paragraph::Lines("x o\no x".to_owned())]
        );
        assert_eq!(header.goal, "Who has four in a row wins.");
        assert_eq!(header.more, [text("A state is a list."), text("More.")]);
    }

    #[test]
    fn other_ways_to_begin() {
        let header =
            Header::of("a/golomb.pl", "% golomb.pl: the shortest ruler. It has marks.\np.\n");
        assert_eq!(header.title, "The shortest ruler");
        assert_eq!(header.rules, [text("It has marks.")]);
        assert_eq!(header.goal, "The shortest ruler.");
        let header = Header::of("a.pl", "\n/* A block.\n * Of S. Loyd.\n */\np.\n");
        assert_eq!((header.title.as_str(), header.rules), ("A block", vec![text("Of S. Loyd.")]));
        for empty in ["", "p.\n", "%\np.\n", "/*", "%é"] {
            let header = Header::of("a.pl", empty);
            assert!(header.rules.is_empty() && header.goal.is_empty(), "{empty}");
        }
    }
}
