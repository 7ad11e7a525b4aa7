//! The system around the program: waiting, other programs, the environment.
//!
//! Changes to the environment stay in this session: its own `getenv/2` and the
//! programs it starts see them, the process doesn't.

use super::sandbox::refusal;
use super::{Entry, OrFault, World, args, text};
use std::collections::BTreeMap;
use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, Instant};
use zug_machine::arithmetic::Number;
use zug_machine::{Machine, Outcome};
use zug_term::Cell;

/// The predicates of this group.
pub const TABLE: &[Entry] = &[
    Entry::session("sleep", 1, sleep),
    Entry::outside(
        "shell",
        1,
        |m, w, a| Ok(run(m, w, a[0])? == 0),
        |m, _, a| Err(refusal(m, "run", "program", a)),
    ),
    Entry::outside("shell", 2, shell, |m, _, a| Err(refusal(m, "run", "program", a))),
    Entry::outside("getenv", 2, getenv, |m, _, a| {
        Err(refusal(m, "access", "environment_variable", a))
    }),
    Entry::outside("setenv", 2, setenv, |m, _, a| {
        Err(refusal(m, "modify", "environment_variable", a))
    }),
    Entry::outside("unsetenv", 1, unsetenv, |m, _, a| {
        Err(refusal(m, "modify", "environment_variable", a))
    }),
    Entry::session("char_conversion", 2, char_conversion),
    Entry::session("$char_conversion", 2, converted),
];

/// What a session changed of the system around it.
#[derive(Default)]
pub struct System {
    /// Variables that were set, or unset: `None`.
    environment: BTreeMap<String, Option<String>>,
    /// `char_conversion/2`, of characters other than themselves.
    conversions: BTreeMap<char, char>,
}

/// Longest time between two looks at the interrupt flag.
const SLICE: Duration = Duration::from_millis(20);

/// `sleep(Seconds)`: an interrupt or the time limit ends it early.
fn sleep(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let seconds = match m.number_of(a[0]) {
        Some(Number::Int(value)) => value as f64,
        Some(Number::Float(value)) => value,
        Some(Number::Big(value)) if value.sign() == num_bigint::Sign::Minus => 0.0,
        Some(Number::Big(_)) => f64::MAX,
        Some(number @ Number::Rational(_)) => number.to_float().unwrap_or(f64::MAX),
        None => return Err(m.type_error("float", a[0])),
    };
    let started = Instant::now();
    let wanted = Duration::try_from_secs_f64(seconds.max(0.0)).unwrap_or(Duration::MAX);
    loop {
        let left = wanted.saturating_sub(started.elapsed());
        if left.is_zero() {
            return Ok(true);
        }
        m.keep_going()?;
        std::thread::sleep(left.min(SLICE));
    }
}

/// Runs a command of the shell; its exit status, 128 and more for a signal.
fn run(m: &mut Machine, world: &mut World, command: Cell) -> OrFault<i64> {
    let text = text::any(m, command, "text")?;
    // What was written so far comes before what the command writes.
    let _ = world.streams.flush_standard();
    let (shell, option) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
    let mut child = Command::new(shell);
    child.args([option, &*text]).current_dir(world.path("."));
    for (name, value) in &world.system.environment {
        match value {
            Some(value) => child.env(name, value),
            None => child.env_remove(name),
        };
    }
    match child.spawn() {
        Ok(child) => wait(m, child),
        Err(_) => {
            let shell = args::atom_cell(m, shell);
            Err(m.existence_error("program", shell))
        }
    }
}

#[cfg(unix)]
fn ended_by_interrupt(status: ExitStatus) -> bool {
    use std::os::unix::process::ExitStatusExt;
    const SIGINT: i32 = 2;
    status.signal() == Some(SIGINT) || status.code() == Some(128 + SIGINT)
}

#[cfg(not(unix))]
fn ended_by_interrupt(_: ExitStatus) -> bool {
    false
}

/// Waits for a command, as long as the limits let it run; its exit status.
fn wait(m: &mut Machine, mut child: Child) -> OrFault<i64> {
    // Short commands are most commands.
    let mut pause = Duration::from_millis(1);
    loop {
        match child.try_wait() {
            Ok(None) => {}
            Ok(Some(status)) => {
                if ended_by_interrupt(status) {
                    // Ctrl-C goes to both; we may hear of the command's end first.
                    std::thread::sleep(SLICE);
                    m.keep_going()?;
                }
                return Ok(status.code().map_or(128, i64::from));
            }
            Err(_) => return Ok(128),
        }
        if let Err(stopped) = m.keep_going() {
            let _ = child.kill();
            let _ = child.wait();
            return Err(stopped);
        }
        std::thread::sleep(pause);
        pause = (2 * pause).min(SLICE);
    }
}

/// `shell(Command, Status)`.
fn shell(m: &mut Machine, world: &mut World, a: &[Cell]) -> Outcome {
    let status = run(m, world, a[0])?;
    Ok(m.unify(a[1], Cell::small(status)))
}

fn getenv(m: &mut Machine, world: &mut World, a: &[Cell]) -> Outcome {
    let name = text::any(m, a[0], "text")?;
    let value = match world.system.environment.get(&*name) {
        Some(changed) => changed.clone(),
        None => std::env::var_os(&*name).map(|value| value.to_string_lossy().into_owned()),
    };
    Ok(value.is_some_and(|value| text::unify_text(m, a[1], &value, false)))
}

fn setenv(m: &mut Machine, world: &mut World, a: &[Cell]) -> Outcome {
    let (name, value) = (text::any(m, a[0], "text")?, text::any(m, a[1], "text")?);
    if name.is_empty() || name.contains(['=', '\0']) || value.contains('\0') {
        return Err(m.domain_error("environment_variable", a[0]));
    }
    world.system.environment.insert(name.to_string(), Some(value.to_string()));
    Ok(true)
}

fn unsetenv(m: &mut Machine, world: &mut World, a: &[Cell]) -> Outcome {
    let name = text::any(m, a[0], "text")?;
    world.system.environment.insert(name.to_string(), None);
    Ok(true)
}

/// A one-character atom or a code.
fn character(m: &mut Machine, cell: Cell) -> OrFault<char> {
    args::character(m, cell).ok_or_else(|| m.type_error("character", cell))
}

/// `char_conversion(From, To)` (ISO 13211-1, 8.14.14). The reader doesn't convert:
/// the flag of that name is always off.
fn char_conversion(m: &mut Machine, world: &mut World, a: &[Cell]) -> Outcome {
    let (from, to) = (character(m, a[0])?, character(m, a[1])?);
    if from == to {
        world.system.conversions.remove(&from);
    } else {
        world.system.conversions.insert(from, to);
    }
    Ok(true)
}

/// `$char_conversion(From, To)` for a known From.
fn converted(m: &mut Machine, world: &mut World, a: &[Cell]) -> Outcome {
    let from = character(m, a[0])?;
    if !a[1].is_var() {
        character(m, a[1])?;
    }
    let to = world.system.conversions.get(&from).copied().unwrap_or(from);
    let to = Cell::atom(m.symbols.intern_char(to));
    Ok(m.unify(a[1], to))
}
