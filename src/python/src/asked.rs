//! What Python asks for: objects of JSON, read by the tables of options that the command line has.

use crate::errors::Trouble;
use serde_json::{Map, Value as Json};
use std::time::Duration;
use zug_options::{Kind, NameMatch, Named, OptionInfo, Table, Value};

/// A request as it was given: options by name.
pub(crate) type Asked = Map<String, Json>;

/// Reads a request.
///
/// # Errors
/// It is no object of JSON.
pub(crate) fn read(request: &str) -> Result<Asked, Trouble> {
    serde_json::from_str(request).map_err(|error| refused(error.to_string()))
}

/// A request that makes no sense.
pub(crate) fn refused(why: impl Into<String>) -> Trouble {
    Trouble::new("RequestError", why)
}

/// Puts what was given where a table says; `what` has these options.
///
/// # Errors
/// There is no such option, or it does not take the value.
pub(crate) fn take<U>(
    asked: &Asked,
    what: &str,
    table: &Table<U>,
    to: &mut U,
) -> Result<(), Trouble> {
    for (name, given) in asked {
        let Some(found) = table.find(name) else { return Err(unknown(name, what, table)) };
        let info = found.info();
        let mut others = info.conflicts.iter().map(|other| other.replace('-', "_"));
        let other = others.find(|other| asked.contains_key(other));
        if let Some(other) = other {
            return Err(refused(format!("`{name}` and `{other}` can't be given together")));
        }
        if !info.requires.is_empty() && !asked.contains_key(&info.requires.replace('-', "_")) {
            return Err(refused(format!("`{name}` goes with `{}`", info.requires)));
        }
        let wrong = |why| refused(format!("`{name}`: {why}"));
        let value = value(info, given).map_err(wrong)?;
        found.take(to, value).map_err(|rejected| wrong(info.refusal(rejected)))?;
    }
    Ok(())
}

/// That there is no such option, and which was meant, or which there are.
fn unknown(name: &str, what: &str, table: &dyn Named) -> Trouble {
    let names: Vec<String> = table.infos().iter().map(|info| info.atom()).collect();
    let advice = match NameMatch::of(name, names.iter().map(String::as_str)) {
        NameMatch::Nearly(meant) => format!("did you mean `{meant}`?"),
        _ => format!("its options are {}", names.join(", ")),
    };
    refused(format!("`{name}` is no option of {what}; {advice}"))
}

/// The value of an option: numbers and lists as they are, times in seconds, memory in bytes, and text as on a
/// command line.
fn value(info: &OptionInfo, given: &Json) -> Result<Value, String> {
    let whole = "a whole number that is not negative is wanted";
    let names = |items: &[Json]| -> Option<Vec<String>> {
        items.iter().map(|item| item.as_str().map(str::to_owned)).collect()
    };
    match (info.kind, given) {
        (Kind::Word(words), Json::String(text)) => {
            // As Python and option lists write it.
            let same = |word: &str| word.replace('-', "_") == text.replace('-', "_");
            match words.iter().find(|(word, _)| same(word)) {
                Some((word, _)) => Ok(Value::Word((*word).to_owned())),
                None => info.read(text),
            }
        }
        (Kind::Flag, Json::Bool(on)) => Ok(Value::Flag(*on)),
        (Kind::Flag, _) => Err("True or False is wanted".to_owned()),
        (_, Json::String(text)) => info.read(text),
        (Kind::Count, _) => given.as_u64().map(Value::Count).ok_or_else(|| whole.to_owned()),
        (Kind::Whole, _) => given.as_u64().map(Value::Whole).ok_or_else(|| whole.to_owned()),
        (Kind::Small, _) => match given.as_u64().map(u32::try_from) {
            Some(Ok(number)) => Ok(Value::Small(number)),
            Some(Err(_)) => Err("this number is too large".to_owned()),
            None => Err(whole.to_owned()),
        },
        (Kind::Size, _) => match given.as_u64().map(usize::try_from) {
            Some(Ok(bytes)) => Ok(Value::Size(bytes)),
            _ => Err("a number of bytes is wanted".to_owned()),
        },
        (Kind::Number, _) => {
            given.as_f64().map(Value::Number).ok_or_else(|| "a number is wanted".to_owned())
        }
        (Kind::Time, _) => match given.as_f64() {
            Some(seconds) if seconds >= 0.0 => {
                Ok(Value::Time(Duration::try_from_secs_f64(seconds).ok()))
            }
            _ => Err("seconds are wanted, and not fewer than 0".to_owned()),
        },
        (Kind::Integers(count), Json::Array(items)) => {
            let numbers: Option<Vec<i64>> = items.iter().map(Json::as_i64).collect();
            let numbers = numbers.filter(|numbers| numbers.len() == count);
            numbers.map(Value::Integers).ok_or_else(|| format!("{count} whole numbers are wanted"))
        }
        (Kind::Names, Json::Array(items)) => {
            names(items).map(Value::Names).ok_or_else(|| "names are wanted".to_owned())
        }
        (Kind::Integers(count), _) => Err(format!("{count} whole numbers are wanted")),
        (Kind::Names, _) => Err("names are wanted".to_owned()),
        _ => Err("text is wanted".to_owned()),
    }
}
