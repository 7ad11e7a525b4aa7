//! Any text reads to terms and findings, and ends.

#![no_main]

use libfuzzer_sys::fuzz_target;
use zug::source::Source;
use zug::symbol::Symbols;
use zug::syntax::{Operators, ReadOptions, Reader};
use zug::term::Heap;

fuzz_target!(|text: &str| {
    let mut symbols = Symbols::new();
    let operators = Operators::standard(&mut symbols);
    let mut heap = Heap::new();
    let mut reader = Reader::new(Source::new("fuzz", text));
    let options = ReadOptions::default();
    // Each turn takes at least a token from the text, faults too.
    for _ in 0..=text.len() {
        heap.cells.clear();
        if let Ok(None) = reader.next(&mut heap, &mut symbols, &operators, &options) {
            return;
        }
    }
    panic!("the reader does not come to the end");
});
