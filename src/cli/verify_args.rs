//! How much is done to find out whether a plan is really a cheapest one, as clap sees it.

use super::units;
use clap::Args;
use zug_domain::Effort;

/// How far claims that rest on a heuristic are checked.
#[derive(Args, Debug, Clone, Copy)]
pub struct VerifyArgs {
    /// Look at up to N states without the heuristic to find out whether there is a cheaper plan
    /// than the one found with it [default: 200000, fewer where the rules take long]
    #[arg(long, value_name = "N", value_parser = units::count)]
    pub verify: Option<u64>,
    /// Don't find out: plans are the cheapest if the heuristic never overestimates
    #[arg(long, conflicts_with = "verify")]
    pub no_verify: bool,
}

impl VerifyArgs {
    /// How much may be looked at.
    pub fn effort(self) -> Effort {
        match self.verify {
            _ if self.no_verify => Effort::NONE,
            Some(states) => Effort::states(states),
            None => Effort::default(),
        }
    }
}
