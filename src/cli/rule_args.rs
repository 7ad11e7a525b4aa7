//! Options of all commands that load rule files: what rules may use, and what they may reach.

use super::given::{Given, option_set};
use clap::Args;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use zug_code::Specialise;
use zug_options::{Row, Rows, Within, row};
use zug_prolog::session::Allowance;
use zug_search::Limits;
use zug_search::options::{MEMORY, TIME};

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
    /// Follow ISO/IEC 13211-1 where SWI-Prolog differs: the flag iso from the start, and text in
    /// double quotes as codes
    #[arg(long)]
    iso: bool,
}

impl SandboxArgs {
    /// Whether rules run in a sandbox.
    pub fn wanted(self) -> bool {
        self.sandbox
    }

    /// Whether a sandbox is taken away that is there otherwise.
    pub fn unwanted(self) -> bool {
        self.no_sandbox
    }

    /// Whether the standard is followed.
    #[cfg(feature = "serve")]
    pub fn iso(self) -> bool {
        self.iso
    }
}

/// What rules may use.
#[derive(Clone, Debug, Default)]
pub struct RuleLimits {
    /// Time and memory.
    pub limits: Limits,
    /// Calls of predicates.
    pub inferences: Option<u64>,
    /// Bytes that they write.
    pub output: Option<usize>,
}

/// Calls of predicates.
pub const INFERENCES: Row<RuleLimits> = row!(
    count("inferences", "N", "Stop after this many calls of predicates, as 100000 or 5M") => Some(RuleLimits.inferences)
);

/// What rules may write. Other programs take a file by this name.
const OUTPUT: Row<RuleLimits> = row!(
    size("output", "SIZE", "Stop when the rules have written this much, as 10M") => Some(RuleLimits.output)
)
.besides("a file is named by `--out`");

static MEMORY_ALONE: [Row<Limits>; 1] = [MEMORY];
static OWN: [Row<RuleLimits>; 2] = [INFERENCES, OUTPUT];

option_set! {
    /// The options about memory, calls and output.
    Use: RuleLimits = [Within(&MEMORY_ALONE, |used: &mut RuleLimits| &mut used.limits), Rows(&OWN)]
}

static TIME_ALONE: [Row<Limits>; 1] = [TIME];

option_set! {
    /// The option about time.
    Time: Limits = [Rows(&TIME_ALONE)]
}

/// What rules may use and reach, but for time: for commands whose `--time` is not for all they do.
#[derive(Args, Debug, Clone, Default)]
pub struct RuleArgs {
    #[command(flatten)]
    pub used: Given<Use>,
    #[command(flatten)]
    pub sandbox: SandboxArgs,
}

impl RuleArgs {
    /// How the rules are run.
    pub fn terms(&self, mode: Specialise) -> Terms {
        let allowance = Allowance {
            time: None,
            memory: self.used.limits.memory,
            inferences: self.used.inferences,
            output: self.used.output.map(|bytes| bytes as u64),
        };
        Terms { mode, allowance, ..Terms::default() }.sandbox(self.sandbox)
    }
}

/// What rules may use and reach.
#[derive(Args, Debug, Clone, Default)]
pub struct TimedArgs {
    #[command(flatten)]
    pub timed: Given<Time>,
    #[command(flatten)]
    pub rules: RuleArgs,
}

impl TimedArgs {
    /// How the rules are run.
    pub fn terms(&self, mode: Specialise) -> Terms {
        self.rules.terms(mode).time(self.timed.time)
    }

    /// How rules are run that are only to be looked at: in a sandbox, unless told otherwise.
    pub fn careful_terms(&self, mode: Specialise) -> Terms {
        Terms { sandbox: !self.rules.sandbox.unwanted(), ..self.terms(mode) }
    }

    /// The limits of a search over the rules.
    pub fn limits(&self, flag: &Arc<AtomicBool>) -> Limits {
        Limits {
            memory: self.rules.used.limits.memory,
            cancel: Some(flag.clone()),
            ..self.timed.0.clone()
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
    /// The standard is followed where common practice differs.
    pub iso: bool,
}

impl Terms {
    /// Rules that may use so much memory, or what is usual.
    pub fn new(memory: Option<usize>, mode: Specialise) -> Terms {
        let allowance = Allowance { memory, ..Allowance::default() };
        Terms { mode, allowance, ..Terms::default() }
    }

    /// The same for so long a time.
    pub fn time(mut self, time: Option<Duration>) -> Terms {
        self.allowance.time = time;
        self
    }

    /// The same, in a sandbox or by the standard if that is wanted.
    pub fn sandbox(mut self, args: SandboxArgs) -> Terms {
        self.sandbox = args.wanted();
        self.iso = args.iso;
        self
    }
}
