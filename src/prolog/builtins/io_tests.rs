//! Streams that no goal can make.

use super::World;
use super::streams::Options;
use super::testing::Bench;

#[test]
fn byte_order_marks_and_latin_1_are_read() {
    let mut bench = Bench::default();
    let streams = &mut bench.world.streams;
    for text in [&b"\xEF\xBB\xBFa"[..], b"caf\xE9"] {
        let id = streams.add_input(None, text.to_vec(), None, Options::default());
        streams.add_alias(id, if text.len() == 4 && text[0] == 0xEF { "bom" } else { "latin" });
    }
    bench.table(&[("get_char(bom,C)", "C=a"), ("read_line_to_string(latin,S)", "S=\"café\"")]);
}

#[test]
fn a_broken_pipe_is_an_error_and_not_the_end() {
    struct Broken;
    impl std::io::Write for Broken {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut bench = Bench::default();
    let symbols = &mut bench.machine.symbols;
    bench.world = World::with_io(
        symbols,
        Box::new(std::io::empty()),
        Box::new(Broken),
        Box::new(std::io::sink()),
    );
    bench.table(&[
        ("write(a)", "true"),
        ("flush_output", "io_error(write,'$stream'(1))"),
        ("flush_output", "true"),
        ("write(a)", "true"),
    ]);
}
