//! The `zug` command.
fn main() {
    let mut args = std::env::args().skip(1);
    let mut session = zug::session::Session::new();
    let file = args.next().unwrap();
    for d in session.load_file(std::path::Path::new(&file)).unwrap() { eprintln!("{}", format!("{d:?}").chars().take(300).collect::<String>()); }
    for goal in args {
        let mut q = match session.query(&goal) { Ok(q) => q, Err(e) => { eprintln!("{}", format!("{:?}", e.diagnostic)); continue } };
        loop {
            match session.next(&mut q) {
                Ok(true) => { println!("{}", session.answer(&q)); }
                Ok(false) => { println!("false"); break }
                Err(f) => { println!("ERROR {}", session.describe(&f)); break }
            }
            if !session.has_more(&q) { break }
        }
        session.close(q);
        let _ = session.world.streams.flush_standard();
    }
}
