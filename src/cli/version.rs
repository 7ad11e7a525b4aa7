//! What `zug --version` says.

use std::sync::LazyLock;

/// The features of this build.
fn features() -> Vec<&'static str> {
    let all = [
        ("cluster", cfg!(feature = "cluster")),
        ("mcp", cfg!(feature = "mcp")),
        ("native", cfg!(feature = "native")),
        ("png", cfg!(feature = "png")),
        ("serve", cfg!(feature = "serve")),
    ];
    all.into_iter().filter_map(|(name, is_on)| is_on.then_some(name)).collect()
}

/// The version, the commit if it is known, features and target.
pub fn long() -> &'static str {
    static LONG: LazyLock<String> = LazyLock::new(text);
    &LONG
}

fn text() -> String {
    let commit = match env!("ZUG_COMMIT") {
        "" => String::new(),
        commit => format!(" ({commit})"),
    };
    let features = match features().as_slice() {
        [] => "none".to_owned(),
        features => features.join(", "),
    };
    let version = env!("CARGO_PKG_VERSION");
    format!("{version}{commit}\nfeatures: {features}\ntarget: {}", env!("ZUG_TARGET"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_features_of_users_are_named() {
        let manifest = include_str!("../../Cargo.toml");
        let (_, behind) = manifest.split_once("[features]\n").expect("features");
        let (own, _) = behind.split_once("\n[").expect("another table");
        let names = own.lines().filter_map(|line| line.split_once(" = ")).map(|(name, _)| name);
        let mut names: Vec<&str> =
            names.filter(|name| !["default", "schema"].contains(name)).collect();
        names.sort_unstable();
        assert_eq!(names, ["cluster", "mcp", "native", "png", "serve"]);
    }
}
