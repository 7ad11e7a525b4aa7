//! Reads clauses, one of them wrong, and prints them again.

use zug_syntax::printer::{WriteOptions, term_to_string};
use zug_syntax::{OpKind, Operators, ReadOptions, Reader};
use zug_term::Heap;
use zug_term::source::Source;
use zug_term::symbol::Symbols;

const TEXT: &str = "
    likes(ann, X) :- sweet(X), \\+ sour(X).
    wrong(a b).
    tea better coffee.
";

#[expect(clippy::print_stdout, reason = "an example")]
fn main() {
    let (mut heap, mut symbols) = (Heap::new(), Symbols::new());
    let mut operators = Operators::standard(&mut symbols);
    let better = symbols.intern("better");
    operators.define(700, OpKind::Xfx, better).expect("an operator of a name that is free");
    let mut reader = Reader::new(Source::new("example", TEXT));
    loop {
        match reader.next(&mut heap, &mut symbols, &operators, &ReadOptions::default()) {
            Ok(None) => return,
            Ok(Some(clause)) => {
                let names = &clause.variables;
                let options = WriteOptions { variable_names: names, ..WriteOptions::writeq() };
                let text = term_to_string(&heap, &symbols, &operators, clause.root, &options);
                println!("{text}.");
            }
            Err(fault) => println!("{}", fault.diagnostic.message),
        }
    }
}
