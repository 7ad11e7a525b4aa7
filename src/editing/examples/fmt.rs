fn main() {
    for f in std::env::args().skip(1) {
        let s = zug_term::source::Source::new(&f, &std::fs::read_to_string(&f).unwrap());
        let t = std::time::Instant::now();
        let out = zug_editing::format(&s, &zug_editing::directives::Folder(std::path::Path::new(&f).parent().unwrap().to_owned()));
        eprintln!("{f} {:?}", t.elapsed());
        print!("{out}");
    }
}
