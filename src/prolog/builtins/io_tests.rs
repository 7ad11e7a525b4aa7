//! Streams, reading and writing, goal by goal.

use super::World;
use super::streams::{Options, SharedBuffer};
use super::testing::Bench;

/// A bench whose `user_input` holds this text.
fn bench(input: &str) -> (Bench, SharedBuffer) {
    let mut bench = Bench::default();
    let (world, output) = World::captured(&mut bench.machine.symbols, input);
    bench.world = world;
    (bench, output)
}

/// Runs goals over an input: what each gives, and what all wrote.
#[track_caller]
fn check(input: &str, goals: &[(&str, &str)], written: &str) {
    let (mut bench, output) = bench(input);
    bench.table(goals);
    bench.world.streams.flush_standard().expect("kept in memory");
    assert_eq!(output.take(), written, "output of {goals:?}");
}

#[test]
fn characters_are_read_and_peeked_at() {
    check(
        "aé\nb",
        &[
            ("peek_char(C)", "C=a"),
            ("get_char(C)", "C=a"),
            ("peek_code(C)", "C=233"),
            ("get_char(C)", "C=é"),
            ("get_code(C)", "C=10"),
            ("at_end_of_stream", "false"),
            ("get_char(user_input,C)", "C=b"),
            ("at_end_of_stream", "true"),
            ("peek_char(C)", "C=end_of_file"),
            ("get_char(C)", "C=end_of_file"),
            ("get_code(C)", "C=-1"),
            ("line_count(user_input,L)", "L=2"),
            ("line_position(user_input,L)", "L=1"),
            ("character_count(user_input,L)", "L=4"),
            ("byte_count(user_input,L)", "L=5"),
        ],
        "",
    );
    check("  x y", &[("get(C)", "C=120"), ("skip(0'y)", "true"), ("get0(C)", "C=-1")], "");
}

#[test]
fn lines_are_read_whole() {
    check(
        "one\r\ntwo\n\nfour",
        &[
            ("read_line_to_string(user_input,S)", "S=\"one\""),
            ("read_line_to_codes(user_input,S)", "S=[116,119,111]"),
            ("read_line_to_codes(user_input,S,T)", "S=[10|T]"),
            ("read_line_to_string(user_input,S)", "S=\"four\""),
            ("read_line_to_string(user_input,S)", "S=end_of_file"),
            ("read_line_to_codes(user_input,S)", "S=-1"),
        ],
        "",
    );
    check("ab", &[("read_stream_to_codes(user_input,S)", "S=[97,98]")], "");
    check(
        "abc",
        &[
            ("read_string(user_input,2,S)", "S=\"ab\""),
            ("read_string(user_input,L,S)", "L=1 S=\"c\""),
        ],
        "",
    );
}

#[test]
fn arguments_of_character_predicates_are_checked() {
    check(
        "abc",
        &[
            ("get_char(user_output,C)", "permission_error(input,stream,user_output)"),
            ("put_char(user_input,a)", "permission_error(output,stream,user_input)"),
            ("get_char(nostream,C)", "existence_error(stream,nostream)"),
            ("get_char(S,C)", "instantiation_error"),
            ("get_char(3,C)", "domain_error(stream_or_alias,3)"),
            ("get_char(f(x),C)", "domain_error(stream_or_alias,f(x))"),
            ("get_char('$stream'(99),C)", "existence_error(stream,'$stream'(99))"),
            ("get_char(1)", "type_error(in_character,1)"),
            ("get_char(ab)", "type_error(in_character,ab)"),
            ("get_code(a)", "type_error(integer,a)"),
            ("get_code(-5)", "representation_error(in_character_code)"),
            ("get_byte(C)", "permission_error(input,text_stream,'$stream'(0))"),
            ("put_byte(1)", "permission_error(output,text_stream,'$stream'(1))"),
            ("put_char(C)", "instantiation_error"),
            ("put_char(ab)", "type_error(character,ab)"),
            ("put_char(1)", "type_error(character,1)"),
            ("put_code(a)", "type_error(integer,a)"),
            ("put_code(-1)", "representation_error(character_code)"),
            ("nl(S)", "instantiation_error"),
            ("nl(foo)", "existence_error(stream,foo)"),
            ("set_input(user_output)", "permission_error(input,stream,user_output)"),
            ("set_output(user_input)", "permission_error(output,stream,user_input)"),
            ("flush_output(user_input)", "permission_error(output,stream,user_input)"),
            ("current_output(a)", "domain_error(stream,a)"),
            ("current_input('$stream'(77))", "existence_error(stream,'$stream'(77))"),
            ("current_input(S)", "S='$stream'(0)"),
            ("close(foo)", "existence_error(stream,foo)"),
            ("close(user_input,[force(maybe)])", "domain_error(close_option,force(maybe))"),
        ],
        "",
    );
}

#[test]
fn open_checks_its_arguments() {
    check(
        "",
        &[
            ("open(F,read,S)", "instantiation_error"),
            ("open(f(x),read,S)", "domain_error(source_sink,f(x))"),
            ("open(f,M,S)", "instantiation_error"),
            ("open(f,1,S)", "type_error(atom,1)"),
            ("open(f,foo,S)", "domain_error(io_mode,foo)"),
            ("open(f,read,s)", "uninstantiation_error(s)"),
            ("open(f,read,S,O)", "instantiation_error"),
            ("open(f,read,S,[O])", "instantiation_error"),
            ("open(f,read,S,[type(text)|O])", "instantiation_error"),
            ("open(f,read,S,[foo])", "domain_error(stream_option,foo)"),
            ("open(f,read,S,[type(x)])", "domain_error(stream_option,type(x))"),
            ("open(f,read,S,foo)", "type_error(list,foo)"),
            (
                "open(f,read,S,[alias(user_input)])",
                "permission_error(open,source_sink,alias(user_input))",
            ),
            ("open('/no/such/file',read,S)", "existence_error(source_sink,'/no/such/file')"),
            ("open('/no/such/file',write,S)", "existence_error(source_sink,'/no/such/file')"),
            ("open('/',read,S)", "permission_error(open,source_sink,/)"),
        ],
        "",
    );
}

/// A folder that is removed at the end of a test.
struct Folder(std::path::PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("zug-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a temporary folder");
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn files_are_written_and_read_back() {
    let folder = Folder::new("files");
    let (mut bench, _) = bench("");
    bench.world.directory = Some(folder.0.clone());
    bench.table(&[
        ("open('a.txt',write,S,[alias(out)])", "S='$stream'(3)"),
        ("write(out,'hallo '),put_char(out,ä),nl(out)", "true"),
        ("open('b.txt',write,S,[alias(out)])", "permission_error(open,source_sink,alias(out))"),
        ("close(out)", "true"),
        ("put_char(out,a)", "existence_error(stream,out)"),
        ("exists_file('a.txt')", "true"),
        ("exists_directory('a.txt')", "false"),
        ("open('a.txt',read,S,[eof_action(error),alias(in)])", "S='$stream'(4)"),
        ("put_char(in,a)", "permission_error(output,stream,in)"),
        ("get_char(in,C)", "C=h"),
        ("set_stream_position(in,'$stream_position'(0,1,0,0))", "true"),
        ("read_line_to_string(in,L)", "L=\"hallo ä\""),
        ("get_char(in,C)", "C=end_of_file"),
        ("get_char(in,C)", "permission_error(input,past_end_of_stream,in)"),
        ("close(in)", "true"),
        ("open('a.txt',read,S,[type(binary),alias(in)])", "S='$stream'(5)"),
        ("get_char(in,C)", "permission_error(input,binary_stream,in)"),
        ("peek_byte(in,B)", "B=104"),
        ("get_byte(in,B)", "B=104"),
        ("close(in,[force(true)])", "true"),
        ("tell('c.txt'),write(x),told,append('c.txt'),write('. y. '),told", "true"),
        ("see('c.txt'),read(X),see('c.txt'),read(Y),seen", "X=x Y=y"),
        ("delete_file('c.txt')", "true"),
        ("delete_file('c.txt')", "existence_error(file,'c.txt')"),
        ("see('c.txt')", "existence_error(source_sink,'c.txt')"),
        ("seeing(S)", "S=user"),
        ("file_base_name('x/y.pl',B)", "B='y.pl'"),
        ("file_directory_name('x/y.pl',B)", "B=x"),
        ("file_name_extension(B,E,'y.pl')", "B=y E=pl"),
        ("file_name_extension(y,pl,N)", "N='y.pl'"),
    ]);
}

#[test]
fn byte_order_marks_and_latin_1_are_read() {
    let (mut bench, _) = bench("");
    let streams = &mut bench.world.streams;
    for text in [&b"\xEF\xBB\xBFa"[..], b"caf\xE9"] {
        let id = streams.add_input(None, text.to_vec(), None, Options::default());
        streams.add_alias(id, if text.len() == 4 && text[0] == 0xEF { "bom" } else { "latin" });
    }
    bench.table(&[("get_char(bom,C)", "C=a"), ("read_line_to_string(latin,S)", "S=\"café\"")]);
}

#[test]
fn byte_order_marks_are_written_and_told() {
    let folder = Folder::new("marks");
    let (mut bench, _) = bench("");
    bench.world.directory = Some(folder.0.clone());
    bench.table(&[
        ("open('m.txt',write,_,[alias(s),bom(true)]),write(s,a),'$stream_properties'(s,[_,_,_,_,_,bom(B)|_]),close(s)", "B=true"),
        ("open('m.txt',read,_,[alias(s),type(binary)]),get_byte(s,B),close(s)", "B=239"),
        ("open('m.txt',read,_,[alias(s)]),get_char(s,C),'$stream_properties'(s,[_,_,_,_,_,bom(B)|_]),close(s)", "C=a B=true"),
        ("open('m.txt',read,_,[alias(s),bom(false)]),get_code(s,C),close(s)", "C=65279"),
        ("open('n.txt',write,_,[alias(s)]),write(s,a),'$stream_properties'(s,[_,_,_,_,_,bom(B)|_]),close(s)", "B=false"),
        ("open('n.txt',read,_,[alias(s),type(binary)]),get_byte(s,B),close(s)", "B=97"),
    ]);
}

#[test]
fn streams_go_back_only_where_they_may() {
    let folder = Folder::new("positions");
    let (mut bench, _) = bench("");
    bench.world.directory = Some(folder.0.clone());
    let again = "get_char(s,_),set_stream_position(s,'$stream_position'(0,1,0,0)),get_char(s,C)";
    bench.table(&[
        ("open('p.txt',write,_,[alias(s)]),write(s,ab),close(s)", "true"),
        (&format!("open('p.txt',read,_,[alias(s)]),{again},close(s)"), "C=a"),
        (
            &format!("open('p.txt',read,_,[alias(s),reposition(false)]),{again}"),
            "permission_error(reposition,stream,s)",
        ),
    ]);
}

#[test]
fn terms_are_read_one_by_one() {
    check(
        "foo. bar.\nbaz(X,Y,_,X,_Z). % x\n'q. r'.",
        &[
            ("read(X),get_char(C)", "X=foo C=' '"),
            ("read(X)", "X=bar"),
            (
                "read_term(T,[variable_names(N),variables(V),singletons(S)])",
                "T=baz(_,_,_,_,_) N=['X'=_,'Y'=_,'_Z'=_] V=[_,_,_,_] S=['Y'=_,'_Z'=_]",
            ),
            ("read(X)", "X='q. r'"),
            ("read(X)", "X=end_of_file"),
        ],
        "",
    );
}

#[test]
fn syntax_errors_skip_the_clause() {
    check(
        "foo bar.\nok. f(",
        &[
            ("read(X)", "syntax_error(operator_expected)"),
            ("read(X)", "X=ok"),
            ("read(X)", "syntax_error(end_of_clause)"),
            ("read(X)", "X=end_of_file"),
            ("read_term(X,[foo])", "domain_error(read_option,foo)"),
            ("read_term(X,O)", "instantiation_error"),
        ],
        "",
    );
    check("a b. c.", &[("read_term(X,[syntax_errors(fail)])", "false"), ("read(X)", "X=c")], "");
}

#[test]
fn terms_are_read_from_text() {
    check(
        "",
        &[
            ("term_to_atom(T,'foo(X,Y,X)')", "T=foo(_,_,_)"),
            ("term_to_atom(T,'foo. ')", "T=foo"),
            ("term_to_atom(T,'foo. bar')", "syntax_error(end_of_clause_expected)"),
            ("term_to_atom(T,'')", "T=end_of_file"),
            ("term_to_atom(T,'1 % one')", "T=1"),
            ("term_to_atom(T,A)", "instantiation_error"),
            ("term_to_atom(f('A b',\"s\",[1]),A)", "A='f(\\'A b\\',\"s\",[1])'"),
            ("term_to_atom(a+b,'a+b')", "true"),
            ("term_string(T,\"p(X,y)\")", "T=p(_,y)"),
            ("term_string(p('A'),S)", "S=\"p('A')\""),
            ("atom_to_term('foo(X,Y,X)',T,B)", "T=foo(_,_,_) B=['X'=_,'Y'=_]"),
        ],
        "",
    );
}

#[test]
fn terms_are_written() {
    check(
        "",
        &[
            ("write('A b'),write(\"s\"),nl", "true"),
            ("writeq('A b'),writeq(\"s\"),writeln(x)", "true"),
            ("writeq(f(1,-1,- 1,1-(-1),[a|b],{x},'$VAR'(1))),nl", "true"),
            ("write_canonical([1+2,'B','$VAR'(1),f(X,Y,X)]),nl", "true"),
            (
                "write_term(f(X,'a b',1+2),[quoted(true),ignore_ops(true),variable_names(['Foo'=X])]),nl",
                "true",
            ),
            (
                "write_term([1,2,3],[spacing(next_argument),max_depth(0),fullstop(true),nl(true)])",
                "true",
            ),
            ("write_term(+,[fullstop(true)]),nl", "true"),
            ("write_term((a:-b),[priority(999)]),nl", "true"),
            ("'$tab'(3),'$tab'(-1),write(x),nl", "true"),
            ("write_length(f(x),L,[])", "L=4"),
            ("write_length(f(x),L,[max_length(3)])", "false"),
            ("write_term(a,O)", "instantiation_error"),
            ("write_term(a,[foo])", "domain_error(write_option,foo)"),
            ("write_term(a,[quoted(x)])", "domain_error(write_option,quoted(x))"),
            ("write_term(a,[quoted(B)])", "instantiation_error"),
            ("write_term(a,[quoted(true)|T])", "instantiation_error"),
            ("write_term(a,foo)", "type_error(list,foo)"),
            ("write(nowhere,a)", "existence_error(stream,nowhere)"),
        ],
        "A bs\n'A b'\"s\"x\nf(1,-1,- 1,1- -1,[a|b],{x},B)\n[+(1,2),'B','$VAR'(1),f(A,_,A)]\nf(Foo,'a b',+(1,2))\n\
         [1, 2, 3].\n+ . \n(a:-b)\n   x\n",
    );
}

#[test]
fn output_is_captured() {
    check(
        "",
        &[
            (
                "'$push_output'(D),write(a),'$push_output'(E),write(b),'$pop_output'(E,T),'$pop_output'(D,U)",
                "D=0 E=1 T=\"b\" U=\"a\"",
            ),
            ("'$fill_sink'(atom(A),\"ab\")", "A=ab"),
            ("'$fill_sink'(codes(A,T),\"ab\")", "A=[97,98|T]"),
            ("'$fill_sink'(chars(A),\"ab\")", "A=[a,b]"),
            ("'$check_sink'(S)", "instantiation_error"),
            ("'$check_sink'(foo(_))", "domain_error(output_sink,foo(_))"),
            ("'$is_sink'(string(S))", "true"),
            ("'$is_sink'(user_output)", "false"),
            ("'$is_sink'('$stream'(1))", "false"),
        ],
        "",
    );
}

#[test]
fn operators_are_defined_with_the_standards_errors() {
    check(
        "",
        &[
            ("op(P,xfx,a)", "instantiation_error"),
            ("op(1201,xfx,a)", "domain_error(operator_priority,1201)"),
            ("op(-1,xfx,a)", "domain_error(operator_priority,-1)"),
            ("op(a,xfx,a)", "type_error(integer,a)"),
            ("op(100,T,a)", "instantiation_error"),
            ("op(100,foo,a)", "domain_error(operator_specifier,foo)"),
            ("op(100,1,a)", "type_error(atom,1)"),
            ("op(100,xfx,N)", "instantiation_error"),
            ("op(100,xfx,1)", "type_error(list,1)"),
            ("op(100,xfx,[a,1])", "type_error(atom,1)"),
            ("op(100,xfx,[a,B])", "instantiation_error"),
            ("op(100,xfx,[a|B])", "instantiation_error"),
            ("op(100,xfx,',')", "permission_error(modify,operator,',')"),
            ("op(100,xfx,'|')", "permission_error(create,operator,'|')"),
            ("op(100,xfx,[])", "permission_error(create,operator,[])"),
            ("op(700,xfx,[good,','])", "permission_error(modify,operator,',')"),
            ("'$ops'(good,L)", "L=[]"),
            ("op(700,xfx,[===>,is_bigger])", "true"),
            ("'$ops'(is_bigger,L)", "L=[op(700,xfx,is_bigger)]"),
            ("'$ops'(-,L)", "L=[op(200,fy,-),op(500,yfx,-)]"),
            ("'$check_op'(1201,T,N)", "domain_error(operator_priority,1201)"),
            ("'$check_op'(P,foo,N)", "domain_error(operator_specifier,foo)"),
            ("'$check_op'(P,T,1)", "type_error(atom,1)"),
        ],
        "",
    );
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
