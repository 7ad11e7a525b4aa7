//! A validator for the JSON Schema of `docs/schema` (draft 2020-12): the keywords that it uses,
//! and no others. A schema with another one is refused, so that nothing is taken for granted.
//!
//! A general validator costs some fifty crates and half a minute of every fresh build of the
//! tests; all that is needed of it is below.

use serde_json::{Map, Value};

/// Keywords that say something for people.
const ANNOTATIONS: [&str; 4] = ["$schema", "$id", "title", "description"];

/// A schema that is understood.
pub struct Schema {
    root: Value,
}

/// Where in a value something is wrong, and what.
#[derive(Debug)]
struct Wrong {
    path: String,
    why: String,
}

impl Schema {
    /// A schema whose keywords are all known and well formed, and whose references lead somewhere.
    ///
    /// # Errors
    /// What is wrong with it, and where.
    pub fn new(root: Value) -> Result<Schema, String> {
        let schema = Schema { root };
        schema.examine(&schema.root, "#")?;
        Ok(schema)
    }

    /// Whether a value is as the schema says.
    ///
    /// # Errors
    /// Where it is not, and why.
    pub fn validate(&self, value: &Value) -> Result<(), String> {
        self.check(&self.root, value, "")
            .map_err(|wrong| format!("at {}/: {}", wrong.path, wrong.why))
    }

    fn examine(&self, schema: &Value, place: &str) -> Result<(), String> {
        let Value::Object(keywords) = schema else {
            return match schema {
                Value::Bool(_) => Ok(()),
                _ => Err(format!("{place} is no schema")),
            };
        };
        for (keyword, value) in keywords {
            let place = format!("{place}/{keyword}");
            let well = match keyword.as_str() {
                "$defs" | "properties" => {
                    let Value::Object(inner) = value else { return Err(place) };
                    for (name, schema) in inner {
                        self.examine(schema, &format!("{place}/{name}"))?;
                    }
                    true
                }
                "anyOf" | "allOf" | "oneOf" | "prefixItems" => {
                    let Value::Array(inner) = value else { return Err(place) };
                    for (at, schema) in inner.iter().enumerate() {
                        self.examine(schema, &format!("{place}/{at}"))?;
                    }
                    !inner.is_empty()
                }
                "items" | "additionalProperties" | "if" | "then" | "else" => {
                    self.examine(value, &place)?;
                    true
                }
                "$ref" => value.as_str().is_some_and(|to| self.target(to).is_some()),
                "type" => match value {
                    Value::Array(names) => names.iter().all(is_type),
                    name => is_type(name),
                },
                "required" => list(value).all(Value::is_string) && value.is_array(),
                "enum" => value.is_array(),
                "minimum" | "maximum" => value.is_number(),
                "minItems" => value.is_u64(),
                "pattern" => value.as_str().is_some_and(|text| Pattern::new(text).is_ok()),
                "const" => true,
                keyword => ANNOTATIONS.contains(&keyword) && value.is_string(),
            };
            if !well {
                return Err(format!("{place}: not known, or not well formed: {value}"));
            }
        }
        Ok(())
    }

    fn target(&self, reference: &str) -> Option<&Value> {
        self.root.pointer(reference.strip_prefix('#')?)
    }

    fn check(&self, schema: &Value, value: &Value, path: &str) -> Result<(), Wrong> {
        let wrong = |why: String| Err(Wrong { path: path.to_owned(), why });
        let Value::Object(keywords) = schema else {
            return if *schema == Value::Bool(true) {
                Ok(())
            } else {
                wrong("nothing may stand here".into())
            };
        };
        for (keyword, said) in keywords {
            let well = match keyword.as_str() {
                "$ref" => {
                    let target = said.as_str().and_then(|to| self.target(to));
                    self.check(target.expect("it was looked at"), value, path)?;
                    true
                }
                "type" => match said {
                    Value::Array(names) => names.iter().any(|name| is_of(value, name)),
                    name => is_of(value, name),
                },
                "const" => same(value, said),
                "enum" => list(said).any(|one| same(value, one)),
                "minimum" => number(value).is_none_or(|found| Some(found) >= number(said)),
                "maximum" => number(value).is_none_or(|found| Some(found) <= number(said)),
                "minItems" => value
                    .as_array()
                    .is_none_or(|items| items.len() as u64 >= said.as_u64().unwrap_or(0)),
                "pattern" => value.as_str().is_none_or(|text| {
                    Pattern::new(said.as_str().unwrap_or_default())
                        .is_ok_and(|pattern| pattern.matches(text))
                }),
                "required" => {
                    let missing =
                        |name: &&Value| value.get(name.as_str().unwrap_or_default()).is_none();
                    match list(said).find(missing) {
                        Some(name) if value.is_object() => {
                            return wrong(format!("{name} is missing"));
                        }
                        _ => true,
                    }
                }
                "properties" | "additionalProperties" | "prefixItems" | "items" => {
                    self.check_inside(keywords, keyword, said, value, path)?;
                    true
                }
                "allOf" => {
                    list(said).try_for_each(|inner| self.check(inner, value, path))?;
                    true
                }
                "anyOf" => {
                    let results: Vec<_> =
                        list(said).map(|inner| self.check(inner, value, path)).collect();
                    if results.iter().all(Result::is_err) {
                        // The one that got furthest is the one that was meant.
                        let wrongs = results.into_iter().filter_map(Result::err);
                        let furthest = wrongs.max_by_key(|wrong| wrong.path.len());
                        return Err(furthest.expect("there is an alternative"));
                    }
                    true
                }
                "oneOf" => {
                    list(said).filter(|inner| self.check(inner, value, path).is_ok()).count() == 1
                }
                "if" => {
                    let branch =
                        if self.check(said, value, path).is_ok() { "then" } else { "else" };
                    if let Some(inner) = keywords.get(branch) {
                        self.check(inner, value, path)?;
                    }
                    true
                }
                _ => true,
            };
            if !well {
                let said = format!("{said:.300}");
                return wrong(format!("{value:.300} breaks `{keyword}`: {said}"));
            }
        }
        Ok(())
    }

    /// Keywords about the parts of a value.
    fn check_inside(
        &self,
        keywords: &Map<String, Value>,
        keyword: &str,
        said: &Value,
        value: &Value,
        path: &str,
    ) -> Result<(), Wrong> {
        let known =
            |name: &str| keywords.get("properties").is_some_and(|own| own.get(name).is_some());
        let first = keywords.get("prefixItems").map_or(0, |first| list(first).count());
        match (keyword, value) {
            ("properties" | "additionalProperties", Value::Object(fields)) => {
                for (name, field) in fields {
                    let path = format!("{path}/{name}");
                    match keyword {
                        "properties" => {
                            if let Some(inner) = said.get(name) {
                                self.check(inner, field, &path)?;
                            }
                        }
                        _ if !known(name) => self.check(said, field, &path)?,
                        _ => {}
                    }
                }
            }
            ("prefixItems", Value::Array(items)) => {
                for (at, (inner, item)) in list(said).zip(items).enumerate() {
                    self.check(inner, item, &format!("{path}/{at}"))?;
                }
            }
            ("items", Value::Array(items)) => {
                for (at, item) in items.iter().enumerate().skip(first) {
                    self.check(said, item, &format!("{path}/{at}"))?;
                }
            }
            _ => {}
        }
        Ok(())
    }
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn number(value: &Value) -> Option<f64> {
    value.as_f64()
}

/// Equal, numbers by what they are worth.
fn same(a: &Value, b: &Value) -> bool {
    a == b || number(a).is_some() && number(a) == number(b)
}

fn is_type(name: &Value) -> bool {
    let names = ["object", "array", "string", "number", "integer", "boolean", "null"];
    name.as_str().is_some_and(|name| names.contains(&name))
}

fn is_of(value: &Value, name: &Value) -> bool {
    match name.as_str() {
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("number") => value.is_number(),
        Some("integer") => number(value).is_some_and(|number| number.fract() == 0.0),
        Some("boolean") => value.is_boolean(),
        Some("null") => value.is_null(),
        _ => false,
    }
}

/// A pattern from `^` to `$`: characters, classes `[a-z]`, groups with alternatives, and `?`,
/// `+`, `*`, `{n}`, `{n,}`, `{n,m}` behind them.
struct Pattern {
    alternatives: Vec<Vec<Piece>>,
}

/// What stands in a pattern, how often at least and at most.
struct Piece {
    what: What,
    least: usize,
    most: usize,
}

enum What {
    Class(Vec<(char, char)>),
    Group(Pattern),
}

impl Pattern {
    fn new(text: &str) -> Result<Pattern, String> {
        let inner = text.strip_prefix('^').and_then(|text| text.strip_suffix('$'));
        let mut rest = inner.ok_or("a pattern goes from ^ to $")?;
        let pattern = Pattern::parse(&mut rest)?;
        if rest.is_empty() { Ok(pattern) } else { Err(format!("what is `{rest}`?")) }
    }

    fn parse(rest: &mut &str) -> Result<Pattern, String> {
        let mut alternatives = vec![Vec::new()];
        while let Some(c) = rest.chars().next().filter(|&c| c != ')') {
            let after = &rest[c.len_utf8()..];
            let what = match c {
                '|' => {
                    *rest = after;
                    alternatives.push(Vec::new());
                    continue;
                }
                '(' => {
                    *rest = after;
                    let group = Pattern::parse(rest)?;
                    *rest = rest.strip_prefix(')').ok_or("a group is not closed")?;
                    What::Group(group)
                }
                '[' => {
                    let (class, behind) = after.split_once(']').ok_or("a class is not closed")?;
                    *rest = behind;
                    What::Class(class_of(class)?)
                }
                '\\' | '.' | '^' | '$' | '*' | '+' | '?' | '{' => {
                    return Err(format!("`{c}` is not known here"));
                }
                c => {
                    *rest = after;
                    What::Class(vec![(c, c)])
                }
            };
            let (least, most) = repeats(rest)?;
            alternatives.last_mut().expect("one").push(Piece { what, least, most });
        }
        Ok(Pattern { alternatives })
    }

    fn matches(&self, text: &str) -> bool {
        self.ends(text).contains(&text.len())
    }

    /// Where a match from the start of the text on may end.
    fn ends(&self, text: &str) -> Vec<usize> {
        let mut all = Vec::new();
        for pieces in &self.alternatives {
            let mut at = vec![0];
            for piece in pieces {
                at = piece.ends(text, &at);
            }
            all.extend(at);
        }
        all
    }
}

impl Piece {
    fn ends(&self, text: &str, from: &[usize]) -> Vec<usize> {
        let (mut now, mut found) = (from.to_vec(), Vec::new());
        for round in 0..=self.most.min(text.len() + 1) {
            if round >= self.least {
                found.extend(&now);
            }
            let mut next: Vec<usize> = now.iter().flat_map(|&at| self.once(text, at)).collect();
            next.sort_unstable();
            next.dedup();
            now = next;
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    fn once(&self, text: &str, at: usize) -> Vec<usize> {
        match &self.what {
            What::Group(inner) => inner.ends(&text[at..]).iter().map(|end| at + end).collect(),
            What::Class(ranges) => {
                let next = text[at..].chars().next();
                let fits = |c: &char| ranges.iter().any(|(from, to)| (from..=to).contains(&c));
                next.filter(fits).map(|c| at + c.len_utf8()).into_iter().collect()
            }
        }
    }
}

fn class_of(class: &str) -> Result<Vec<(char, char)>, String> {
    let chars: Vec<char> = class.chars().collect();
    let (mut ranges, mut rest) = (Vec::new(), &chars[..]);
    loop {
        rest = match rest {
            ['^' | '\\', ..] => return Err(format!("the class [{class}] is not known")),
            [from, '-', to, rest @ ..] => {
                ranges.push((*from, *to));
                rest
            }
            [one, rest @ ..] => {
                ranges.push((*one, *one));
                rest
            }
            [] => return Ok(ranges),
        };
    }
}

fn repeats(rest: &mut &str) -> Result<(usize, usize), String> {
    let found = match rest.chars().next() {
        Some('?') => (0, 1),
        Some('*') => (0, usize::MAX),
        Some('+') => (1, usize::MAX),
        Some('{') => {
            let (inner, behind) = rest[1..].split_once('}').ok_or("a number is not closed")?;
            *rest = behind;
            let number = |text: &str| text.parse().map_err(|_| format!("`{text}` is no number"));
            return match inner.split_once(',') {
                None => Ok((number(inner)?, number(inner)?)),
                Some((least, "")) => Ok((number(least)?, usize::MAX)),
                Some((least, most)) => Ok((number(least)?, number(most)?)),
            };
        }
        _ => return Ok((1, 1)),
    };
    *rest = &rest[1..];
    Ok(found)
}
