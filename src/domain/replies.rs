//! Replies of code, as the adapters read them.

use zug_code::Reply;
use zug_state::Number;

/// The answer to a question, if code has it.
#[inline]
pub(crate) fn truth(reply: Option<Reply>) -> Option<bool> {
    match reply? {
        Reply::True => Some(true),
        Reply::Done => Some(false),
        _ => None,
    }
}

/// The number that code computed, if it did.
#[inline]
pub(crate) fn number(reply: Option<Reply>) -> Option<Number> {
    match reply? {
        Reply::Int(value) => Some(Number::Int(value)),
        Reply::Float(value) => Some(Number::Float(value)),
        _ => None,
    }
}
