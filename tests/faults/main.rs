//! Faults.
#[path = "../mixed/mod.rs"]
mod mixed;

#[test]
fn dump() {
    let folder = std::path::PathBuf::from(std::env::var("DUMP").unwrap());
    let files = mixed::files(1, mixed::Size { files: 310, clocked: Some(100), huge: false });
    mixed::write(&folder.join("files"), &files);
    for way in [mixed::Way::Solve, mixed::Way::Ask] {
        let out = folder.join("out");
        let _ = std::fs::remove_file(&out);
        let o = std::process::Command::new("/work/wt/faults/target/debug/zug").arg("batch").arg(folder.join("files")).args(way.options()).arg("--out").arg(&out).output().unwrap();
        eprintln!("{}", String::from_utf8_lossy(&o.stderr));
        let text = std::fs::read_to_string(&out).unwrap();
        let groups = mixed::groups(&text);
        for (file, group) in files.iter().zip(&groups) {
            assert_eq!(file.name, group.name());
            if let Some(f) = file.due(way).fault(group) {
                eprintln!("{way:?} {}: {f}\n{}\n{}\n", file.name, String::from_utf8_lossy(&file.text).chars().take(600).collect::<String>(), group.lines.chars().take(900).collect::<String>());
            }
        }
    }
}
