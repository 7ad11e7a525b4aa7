//! Making the changes that findings bring: all that are certain, from the end of a text to its
//! beginning, so that places stay true.

use zug_term::diagnostic::{Diagnostic, Edit};
use zug_term::source::Source;

/// A text with the changes of some findings made.
#[derive(Clone, Debug)]
pub struct Fixed {
    /// The text as it was.
    pub source: Source,
    /// The text as it is to be.
    pub text: String,
    /// The findings whose changes were made, by number.
    pub mended: Vec<usize>,
}

/// The texts that the certain changes of these findings mend. A change that overlaps another is
/// left for the next time.
pub fn fixed(findings: &[Diagnostic]) -> Vec<Fixed> {
    let mut texts: Vec<(Source, Vec<Edit>, Vec<usize>)> = Vec::new();
    for (number, finding) in findings.iter().enumerate() {
        let Some(fix) = finding.fix.as_deref().filter(|fix| fix.certain) else { continue };
        let Some(first) = fix.edits.first() else { continue };
        let source = &first.source;
        // Changes of several texts belong to nobody.
        if fix.edits.iter().any(|edit| edit.source.name != source.name) {
            continue;
        }
        let at = texts.iter().position(|text| text.0.name == source.name).unwrap_or_else(|| {
            texts.push((source.clone(), Vec::new(), Vec::new()));
            texts.len() - 1
        });
        let (_, edits, mended) = &mut texts[at];
        if fix.edits.iter().all(|edit| edits.iter().all(|other| apart(edit, other))) {
            edits.extend(fix.edits.iter().cloned());
            mended.push(number);
        }
    }
    let made = texts.into_iter().map(|(source, mut edits, mended)| {
        edits.sort_by_key(|edit| std::cmp::Reverse((edit.span.start, edit.span.end)));
        let mut text = source.text.to_string();
        for edit in &edits {
            let (start, end) = (edit.span.start as usize, edit.span.end as usize);
            if text.is_char_boundary(start) && text.is_char_boundary(end) && start <= end {
                text.replace_range(start..end, &edit.text);
            }
        }
        Fixed { source, text, mended }
    });
    made.collect()
}

fn apart(one: &Edit, other: &Edit) -> bool {
    one.span.end < other.span.start || other.span.end < one.span.start
}
