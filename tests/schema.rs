//! `docs/schema/zug-2.json` is what the types say. `ZUG_SCHEMA=overwrite` writes it anew.

use std::path::Path;

#[test]
fn the_schema_is_that_of_the_types() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/schema/zug-2.json");
    let made = zug::cli::schema::text();
    if std::env::var("ZUG_SCHEMA").is_ok_and(|what| what == "overwrite") {
        std::fs::write(&path, &made).expect("the schema is written");
    }
    let link = made.lines().find(|line| line.contains("::"));
    assert_eq!(link, None, "a path of Rust in a description");
    let kept = std::fs::read_to_string(&path).expect("there is a schema");
    let other = made.lines().zip(kept.lines()).position(|(made, kept)| made != kept);
    assert!(
        made == kept,
        "docs/schema/zug-2.json is not that of the types, from line {} on; \
         `ZUG_SCHEMA=overwrite cargo test --features cluster,mcp,schema --test all schema` writes it",
        other.map_or(0, |line| line + 1),
    );
}
