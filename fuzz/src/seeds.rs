//! Writes the seeds of every format to `corpus/FORMAT/`.

fn main() -> std::io::Result<()> {
    for format in zug_fuzz::formats::FORMATS {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(format.name);
        std::fs::create_dir_all(&folder)?;
        for (number, seed) in (format.seeds)().iter().enumerate() {
            std::fs::write(folder.join(format!("seed-{number}")), seed)?;
        }
    }
    zug_fuzz::formats::tidy();
    Ok(())
}
