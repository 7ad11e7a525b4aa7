//! How much is done to find out whether a plan is really a cheapest one, as clap sees it.

use super::given::{Given, option_set};
use zug_domain::Effort;
use zug_domain::options::EFFORT;
use zug_options::Rows;

/// How far claims that rest on a heuristic are checked.
pub type VerifyArgs = Given<Verify>;

option_set! {
    /// The options about that.
    Verify: Effort = [Rows(&EFFORT)]
}
