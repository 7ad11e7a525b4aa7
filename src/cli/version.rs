//! What `zug --version` says, and what this build was made without.

use std::sync::LazyLock;

/// All features that users choose from, and whether this build has them.
const FEATURES: [(&str, bool); 5] = [
    ("cluster", cfg!(feature = "cluster")),
    ("mcp", cfg!(feature = "mcp")),
    ("native", cfg!(feature = "native")),
    ("png", cfg!(feature = "png")),
    ("serve", cfg!(feature = "serve")),
];

/// Commands that are there with the feature of their name alone.
const COMMANDS: [&str; 2] = ["mcp", "serve"];

/// Options of the feature `cluster`.
const OF_CLUSTERS: [&str; 5] = ["--disk", "--hosts", "--process", "--wait", "--workers"];

/// The features of this build.
fn features() -> Vec<&'static str> {
    FEATURES.into_iter().filter_map(|(name, is_on)| is_on.then_some(name)).collect()
}

/// That a command is not in this build, and how to get it; `None` if it is there, or is none.
pub fn left_out(command: &str) -> Option<String> {
    (COMMANDS.contains(&command) && !is_on(command))
        .then(|| missing(&format!("command `{command}`"), command))
}

/// That an option is not in this build, and how to get it; `None` if it is there, or is none.
pub fn option_left_out(option: &str) -> Option<String> {
    (OF_CLUSTERS.contains(&option) && !is_on("cluster"))
        .then(|| missing(&format!("option `{option}`"), "cluster"))
}

fn missing(what: &str, feature: &str) -> String {
    format!(
        "this build of zug has no {what}; packages have it, and `cargo install --path . --features {feature}` builds it"
    )
}

fn is_on(feature: &str) -> bool {
    FEATURES.contains(&(feature, true))
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
    #[test]
    fn all_features_of_users_are_named() {
        let manifest = include_str!("../../Cargo.toml");
        let (_, behind) = manifest.split_once("[features]\n").expect("features");
        let (own, _) = behind.split_once("\n[").expect("another table");
        let names = own.lines().filter_map(|line| line.split_once(" = ")).map(|(name, _)| name);
        let mut names: Vec<&str> =
            names.filter(|name| !["default", "full", "schema"].contains(name)).collect();
        names.sort_unstable();
        assert_eq!(names, super::FEATURES.map(|(name, _)| name));
    }

    #[test]
    fn what_is_left_out_is_a_command_of_a_feature_that_is_off() {
        for (name, is_on) in super::FEATURES {
            let expected = super::COMMANDS.contains(&name) && !is_on;
            assert_eq!(super::left_out(name).is_some(), expected, "{name}");
        }
        assert_eq!(super::left_out("solve"), None);
        assert_eq!(super::option_left_out("--workers").is_none(), cfg!(feature = "cluster"));
        assert_eq!(super::option_left_out("--nodes"), None);
    }
}
