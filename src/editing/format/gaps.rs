//! How many blanks stand between two tokens in one line.

use super::clause::{FrameKind, Laid, Part};
use zug_syntax::{Role, TokenKind, tokenize};

/// The blanks before each item of a clause, where no line is broken.
pub fn gaps(laid: &Laid<'_>) -> Vec<usize> {
    (0..laid.items.len()).map(|item| if item == 0 { 0 } else { gap(laid, item) }).collect()
}

fn gap(laid: &Laid<'_>, item: usize) -> usize {
    let wanted = wanted(laid, item);
    if wanted == 0 && !may_touch(laid, item) { 1 } else { wanted }
}

/// The blanks that look best.
fn wanted(laid: &Laid<'_>, item: usize) -> usize {
    let (before, this) = (&laid.items[item - 1], &laid.items[item]);
    let kind = this.token.kind;
    if this.is_comment() {
        return this.place.gap.max(1);
    }
    if kind == TokenKind::End || kind == TokenKind::Comma {
        return 0;
    }
    if before.is_comment() && !matches!(this.part, Part::Close(_)) {
        return 1;
    }
    // The bracket right behind a name opens its arguments.
    if matches!(before.part, Part::Name(Role::Functor | Role::Sign)) {
        return 0;
    }
    match (before.part, this.part) {
        (Part::Close(_), Part::Open(_)) if kind == TokenKind::OpenCt => 0,
        (Part::Open(frame), Part::Close(_)) if frame == laid.frames.len() => 0,
        (Part::Open(frame), _) | (_, Part::Close(frame)) => padding(laid, frame, item),
        (Part::Separator, _) => behind_separator(laid, item - 1),
        (_, Part::Separator) => usize::from(laid.frames[this.frame].spaced_bar),
        (Part::Name(Role::Prefix { priority }), _) => behind_prefix(laid, item, priority),
        (Part::Name(Role::Infix { .. }), _) => usize::from(is_spaced(laid, item - 1)),
        (_, Part::Name(Role::Infix { .. })) => usize::from(is_spaced(laid, item)),
        (_, Part::Name(Role::Postfix)) => this.place.gap.min(1),
        _ => 1,
    }
}

/// Inside of a bracket, at its ends.
fn padding(laid: &Laid<'_>, number: usize, item: usize) -> usize {
    let frame = &laid.frames[number];
    if frame.open + 1 == frame.close && item == frame.close {
        return 0;
    }
    match frame.kind {
        FrameKind::Group if frame.control && !frame.nested => 1,
        FrameKind::Group if frame.conjunction || frame.neck || frame.control => {
            usize::from(frame.padded)
        }
        FrameKind::Braces => usize::from(frame.padded),
        FrameKind::List if frame.broken => usize::from(frame.padded),
        _ => 0,
    }
}

fn behind_separator(laid: &Laid<'_>, separator: usize) -> usize {
    let frame = &laid.frames[laid.items[separator].frame];
    match (frame.kind, laid.items[separator].token.kind) {
        (_, TokenKind::Bar) => usize::from(frame.spaced_bar),
        (FrameKind::Arguments, _) if !frame.nested => 1,
        // Data is written closely or not, and in groups.
        _ => match laid.items.get(separator + 1).map(|next| next.place) {
            Some(place) if place.breaks == 0 => place.gap.min(1),
            _ => usize::from(frame.spaced_commas),
        },
    }
}

fn behind_prefix(laid: &Laid<'_>, item: usize, priority: u16) -> usize {
    let (operator, this) = (laid.shown(item - 1), &laid.items[item]);
    let is_word = operator.chars().any(char::is_alphanumeric);
    let number = this.token.kind.is_number();
    let group = matches!(this.part, Part::Open(_)) && this.token.kind == TokenKind::Open;
    if is_word || priority >= 700 || number || group {
        return 1;
    }
    this.place.gap.min(1)
}

/// Whether blanks stand on both sides of an infix operator.
fn is_spaced(laid: &Laid<'_>, operator: usize) -> bool {
    let item = &laid.items[operator];
    let Some(priority) = item.infix() else { return true };
    let frame = &laid.frames[item.frame];
    if item.token.kind == TokenKind::Comma {
        let place = laid.items.get(operator + 1).map(|next| next.place);
        let close = place.is_some_and(|place| place.gap == 0 && place.breaks == 0);
        return !(frame.nested && close);
    }
    let is_word = laid.shown(operator).chars().any(char::is_alphanumeric);
    let data = frame.nested || matches!(frame.kind, FrameKind::Arguments | FrameKind::List);
    if is_word || priority >= 700 && !data {
        return true;
    }
    item.place.is_spaced()
        || laid.items.get(operator + 1).is_some_and(|next| next.place.is_spaced())
}

/// Whether two tokens are still two when nothing stands between them.
fn may_touch(laid: &Laid<'_>, item: usize) -> bool {
    let (before, this) = (&laid.items[item - 1].token, &laid.items[item].token);
    #[rustfmt::skip]
    const NEVER_JOIN: [TokenKind; 8] = [
        TokenKind::OpenCt, TokenKind::Open, TokenKind::Close, TokenKind::OpenList,
        TokenKind::CloseList, TokenKind::OpenCurly, TokenKind::CloseCurly, TokenKind::Comma,
    ];
    let never_joins = |kind| NEVER_JOIN.contains(&kind);
    if never_joins(before.kind) || never_joins(this.kind) && this.kind != TokenKind::Open {
        return true;
    }
    if this.kind == TokenKind::Open {
        // Behind a name it would open arguments.
        return !before.kind.is_name();
    }
    let joined = format!("{}{}", before.text(laid.text), this.text(laid.text));
    let tokens = tokenize(&joined);
    let split = before.end - before.start;
    matches!(&tokens[..], [one, other]
        if one.kind == before.kind && other.kind == this.kind && one.end == split)
}
