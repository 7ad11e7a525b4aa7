//! Comparisons of `format/2` with SWI-Prolog 9.0.4. The one difference is `a\tb~t~20|x`, where it takes a tab for one
//! column less than its streams do.

use crate::builtins::World;
use crate::builtins::testing::{Bench, sections};

/// What `format/2` writes behind `before` on the same line, with `\n` and `\t`
/// for line ends and tabs, then the formal term of an error behind `!`.
fn run(before: &str, arguments: &str) -> String {
    let mut bench = Bench::default();
    let (world, output) = World::captured(&mut bench.machine.symbols, "");
    bench.world = world;
    bench.world.streams.put_str(1, before).expect("kept in memory");
    let result = bench.run(&format!("'$format'({arguments})"));
    bench.world.streams.flush_standard().expect("kept in memory");
    let text = output.take();
    let text = text.strip_prefix(before).unwrap_or(&text);
    let text = text.replace('\n', "\\n").replace('\t', "\\t");
    if result == "true" { text } else { format!("{text}!{result}") }
}

#[test]
fn texts() {
    for (row, expected) in sections("format.txt").into_iter().flat_map(|section| section.rows) {
        let (before, arguments) = match row.strip_prefix("after ") {
            Some(row) => row.split_once(": ").expect("arguments"),
            None => ("", &*row),
        };
        assert_eq!(run(before, arguments), expected, "{row}");
    }
    assert_eq!(run("", "\"~70000f\", [1.0]").len(), 70_002);
}
