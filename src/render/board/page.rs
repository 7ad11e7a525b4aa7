//! A plan as a page that steps through it: one file, nothing from elsewhere.

use super::svg::{Scene, single};
use crate::svg::{dark, escaped, in_page};
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
            in_page(&single(&scene.caption, &scene.picture))
        );
    }
    let page = PAGE.replace("{{dark}}", &dark("svg")).replace("{{title}}", &title);
    page.replace("{{scenes}}", &text)
}
