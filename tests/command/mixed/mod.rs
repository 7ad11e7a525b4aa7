//! A generator of mixed rule files, good and bad, and what a batch should find out about each.
//!
//! A file is made from a seed and a number. Puzzles and games differ in size and numbers, and
//! their costs and values are worked out here, by plain programs that know nothing of zug;
//! hostile files have other numbers and names each time and a known way to end. So a batch over
//! a folder of them can be held against what is right, file by file.
//!
//! There are two ways to run them, [`Way`], under the limits of [`LIMITS`]. Which limit ends a
//! hostile file must not depend on how fast the machine is, so all but a few are ended by counts.

mod due;
mod games;
mod hostile;
mod programs;
mod puzzles;
mod random;
mod texts;

pub use due::{Due, faults, kept};
pub use random::Random;

use std::path::Path;

/// Limits under which every file comes to what is said of it.
pub const LIMITS: &[&str] = &[
    "--expect",
    "--timeout",
    "4s",
    "--inferences",
    "100k",
    "--memory",
    "48M",
    "--nodes",
    "5k",
    "--output-limit",
    "64k",
    "--keep-output",
    "2k",
];

/// How a folder is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Instances are solved; queries in the files run while they are loaded.
    Solve,
    /// Queries and unit tests are run: `--queries`.
    Ask,
}

impl Way {
    /// The options.
    pub fn options(self) -> Vec<&'static str> {
        let more: &[&str] = match self {
            Way::Solve => &[],
            Way::Ask => &["--queries"],
        };
        [LIMITS, more].concat()
    }
}

/// A rule file, and what should come of it.
#[derive(Clone, Debug)]
pub struct Mixed {
    /// Its name in the folder.
    pub name: String,
    /// What kind of file it is.
    pub kind: &'static str,
    /// What stands in it.
    pub text: Vec<u8>,
    /// Other files that belong to it: names in the folder, texts.
    pub beside: Vec<(String, String)>,
    /// What comes of it when it is solved.
    pub solve: Due,
    /// What comes of it when its queries are asked.
    pub ask: Due,
}

impl Mixed {
    /// What should come of it.
    pub fn due(&self, way: Way) -> &Due {
        match way {
            Way::Solve => &self.solve,
            Way::Ask => &self.ask,
        }
    }
}

/// What a kind of file makes, before it has a name.
struct Made {
    text: Vec<u8>,
    beside: Vec<(String, String)>,
    solve: Due,
    ask: Due,
}

impl Made {
    fn new(text: impl Into<Vec<u8>>, solve: Due, ask: Due) -> Made {
        Made { text: text.into(), beside: Vec::new(), solve, ask }
    }

    /// A file that comes to the same either way.
    fn same(text: impl Into<Vec<u8>>, due: Due) -> Made {
        Made::new(text, due.clone(), due)
    }

    /// A puzzle or a game: without queries it is a program.
    fn domain(text: impl Into<Vec<u8>>, solve: Due) -> Made {
        Made::new(text, solve, Due::new("program"))
    }

    fn with(mut self, name: String, text: String) -> Made {
        self.beside.push((name, text));
        self
    }
}

/// How a file is made.
struct Recipe {
    kind: &'static str,
    make: fn(&mut Random, &Job<'_>) -> Made,
}

/// What a recipe may know.
struct Job<'a> {
    /// The name of the file without its ending.
    stem: &'a str,
    /// Whether files may be so large that reading them takes a while.
    huge: bool,
}

/// Whether files that only the clock ends come, and huge ones.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// How many files.
    pub files: usize,
    /// One of so many is a file that only the clock ends.
    pub clocked: Option<usize>,
    /// Huge files are huge.
    pub huge: bool,
}

/// The files of a folder.
pub fn files(seed: u64, size: Size) -> Vec<Mixed> {
    let recipes = recipes();
    let clocked = hostile::clocked();
    (0..size.files)
        .map(|number| {
            let mut random = Random::new(seed ^ ((number as u64) << 20));
            let recipe = match size.clocked {
                Some(each) if number % each == each / 2 => random.pick(&clocked),
                // Each kind comes before one comes again.
                _ => &recipes[number % recipes.len()],
            };
            let stem = format!("f{number:05}_{}", recipe.kind);
            let made = (recipe.make)(&mut random, &Job { stem: &stem, huge: size.huge });
            Mixed {
                name: format!("{stem}.pl"),
                kind: recipe.kind,
                text: made.text,
                beside: made.beside,
                solve: made.solve,
                ask: made.ask,
            }
        })
        .collect()
}

/// Writes files into a folder of their own.
pub fn write(folder: &Path, files: &[Mixed]) {
    std::fs::create_dir_all(folder).expect("a folder");
    for file in files {
        std::fs::write(folder.join(&file.name), &file.text).expect("written");
        for (name, text) in &file.beside {
            std::fs::write(folder.join(name), text).expect("written");
        }
    }
}

fn recipes() -> Vec<Recipe> {
    [
        puzzles::recipes(),
        games::recipes(),
        programs::recipes(),
        texts::recipes(),
        hostile::recipes(),
    ]
    .into_iter()
    .flatten()
    .collect()
}
