//! Finds the tokens of the library.

fn main() -> std::io::Result<()> {
    zug_syntax::stored::pack_library()
}
