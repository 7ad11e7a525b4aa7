//! A plan as a page that steps through it: one file, nothing from elsewhere.

use super::svg::{Scene, single};
use crate::render::svg::escaped;
use std::fmt::Write;

const PAGE: &str = include_str!("page.html");

/// A page with all states of a plan. Without scripts it shows one below the other.
pub fn page(title: &str, scenes: &[Scene]) -> String {
    // What users write may not be taken for a place to fill.
    let title = escaped(title).replace('{', "&#123;");
    let mut text = String::new();
    for scene in scenes {
        let caption = escaped(&scene.caption);
        let _ = writeln!(
            text,
            "<div class=\"scene\" data-caption=\"{caption}\">\n{}</div>",
            single(&scene.caption, &scene.picture)
        );
    }
    PAGE.replace("{{title}}", &title).replace("{{scenes}}", &text)
}
