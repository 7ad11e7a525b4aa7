//! Options of all commands that load rule files: what rules may use, and what they may reach.

use super::units;
use clap::Args;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use zug_code::Specialise;
use zug_prolog::session::Allowance;
use zug_search::Limits;

/// What rules may reach.
#[derive(Args, Debug, Clone, Copy, Default)]
pub struct SandboxArgs {
    /// Keep the rules from files, environment and programs; they may load rule files from the
    /// folder of their own file
    #[arg(long, overrides_with = "no_sandbox")]
    sandbox: bool,
    /// Let the rules do what you may do: the default of commands that run them
    #[arg(long, overrides_with = "sandbox")]
    no_sandbox: bool,
}

impl SandboxArgs {
    /// Whether rules run in a sandbox.
    pub fn wanted(self) -> bool {
        self.sandbox
    }

    /// Whether rules run in a sandbox that is there unless it is taken away.
    fn not_unwanted(self) -> bool {
        !self.no_sandbox
    }
}

/// What rules may use and reach, but for time: for commands whose `--time` is not for all they do.
#[derive(Args, Debug, Clone, Copy, Default)]
pub struct RuleArgs {
    /// Memory that the rules may take, and as much for states, as 512M or 1G [default: half of
    /// what the machine, a container or `ulimit -v` gives, at most 2G]
    #[arg(long, value_name = "SIZE", value_parser = units::size)]
    pub memory: Option<usize>,
    /// Stop after this many calls of predicates, as 100000 or 5M
    #[arg(long, value_name = "N", value_parser = units::count)]
    pub inferences: Option<u64>,
    /// Stop when the rules have written this much, as 10M
    #[arg(long, value_name = "SIZE", value_parser = written)]
    pub output: Option<usize>,
    #[command(flatten)]
    pub sandbox: SandboxArgs,
}

/// An amount of output. Other programs take a file by this name.
fn written(text: &str) -> Result<usize, String> {
    units::size(text).map_err(|why| format!("{why}; a file is named by `--out`"))
}

impl RuleArgs {
    /// How the rules are run.
    pub fn terms(&self, mode: Specialise) -> Terms {
        let allowance = Allowance {
            time: None,
            memory: self.memory,
            inferences: self.inferences,
            output: self.output.map(|bytes| bytes as u64),
        };
        Terms { mode, allowance, sandbox: self.sandbox.wanted() }
    }
}

/// What rules may use and reach.
#[derive(Args, Debug, Clone, Copy, Default)]
pub struct TimedArgs {
    /// Stop after this time, as 10s, 500ms or 2m
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub time: Option<Duration>,
    #[command(flatten)]
    pub rules: RuleArgs,
}

impl TimedArgs {
    /// How the rules are run.
    pub fn terms(&self, mode: Specialise) -> Terms {
        self.rules.terms(mode).time(self.time)
    }

    /// How rules are run that are only to be looked at: in a sandbox, unless told otherwise.
    pub fn careful_terms(&self, mode: Specialise) -> Terms {
        Terms { sandbox: self.rules.sandbox.not_unwanted(), ..self.terms(mode) }
    }

    /// The limits of a search over the rules.
    pub fn limits(&self, flag: &Arc<AtomicBool>) -> Limits {
        Limits {
            time: self.time,
            memory: self.rules.memory,
            cancel: Some(flag.clone()),
            ..Limits::none()
        }
    }
}

/// How rule files are loaded and run.
#[derive(Debug, Clone, Copy, Default)]
pub struct Terms {
    /// How engines run the rules.
    pub mode: Specialise,
    /// What loading may use, and after it a query.
    pub allowance: Allowance,
    /// Rules are kept from everything outside.
    pub sandbox: bool,
}

impl Terms {
    /// Rules that may use so much memory, or what is usual.
    pub fn new(memory: Option<usize>, mode: Specialise) -> Terms {
        Terms { mode, allowance: Allowance { memory, ..Allowance::default() }, sandbox: false }
    }

    /// The same for so long a time.
    pub fn time(mut self, time: Option<Duration>) -> Terms {
        self.allowance.time = time;
        self
    }

    /// The same, in a sandbox if that is wanted.
    pub fn sandbox(mut self, args: SandboxArgs) -> Terms {
        self.sandbox = args.wanted();
        self
    }
}
