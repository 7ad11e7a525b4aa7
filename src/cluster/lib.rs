//! Searches by several workers, which are threads of one process or of several, on timely dataflow (F. McSherry,
//! D. Murray, R. Isaacs, M. Isard, *Naiad: A Timely Dataflow System*, SOSP 2013).
//!
//! Every state has an *owner*, the worker that its hash says, and no other stores it. All workers search in *rounds*:
//! each expands some of its states, sends what they lead to to the owners, and takes what others send; the round is
//! over when the dataflow has nothing of it left, and then all know the summary that each worker gave. So all of them
//! decide alike, from the same numbers, whether a layer is complete and whether to go on.
//!
//! | module | what it is |
//! |---|---|
//! | `hosts` `links` | the processes by name, and their connections |
//! | `control` | who is there still: signs of life, and reasons of those who leave |
//! | `stream` | the connections as timely reads and writes them |
//! | `peers` `run` | a worker among the others; all workers of this process |
//! | `shard` `limits` `rounds` | the states of a worker; what it may use; what workers say at the end of a round |
//! | `breadth` | breadth-first enumeration |
//! | `costs` | cheapest paths |
//! | `games` `positions` `follow` | games of two, from the ends backwards; what is known of their positions; best play |
//! | `kept` | complete layers in files |
//!
//! ```
//! use zug_cluster::{Bounds, Digits, Group, Peers, breadth_first, run};
//!
//! // Numbers below 1000, from each of which two others are reached.
//! let next = |n: u32| [n * 3 % 1000, (n + 7) % 1000];
//! let search = |peers: Peers<'_>| {
//!     breadth_first(peers, &mut Digits::new(next), &1, &Bounds::default(), None, None)
//! };
//! let layers = run(Group::alone(), search, vec![search; 2]);
//! let [a, b, c] = <[_; 3]>::try_from(layers).ok().expect("three workers").map(|found| {
//!     found.ok().expect("nothing fails").by_depth
//! });
//! assert!(a == b && b == c);
//! assert_eq!(a[..4], [1, 2, 4, 8]);
//! ```
//!
//! # Invariants
//!
//! - What a worker decides about the course of the search comes from summaries alone, which are the same to all.
//! - A process that is lost ends the search of all others, with its number as the reason; nothing waits for it.
//! - Bytes of states mean the same to all workers: who packs states sees to it.

mod breadth;
mod bytes;
mod control;
mod costs;
mod digits;
mod error;
mod follow;
mod games;
mod hosts;
mod kept;
mod limits;
mod links;
mod peers;
mod positions;
mod rounds;
mod run;
mod shard;
mod stream;

pub use breadth::{Layers, breadth_first};
pub use control::Ended;
pub use costs::{CheapestPath, PathShard, cheapest};
pub use digits::Digits;
pub use error::{ClusterError, KeptError, SearchEnd};
pub use games::{SolvedGame, retrograde};
pub use hosts::Hosts;
pub use kept::Kept;
pub use limits::{Bounds, Observer, Progress, Stop};
pub use links::{Fact, Links, Waiting};
pub use peers::Peers;
pub use run::{Group, run};
pub use shard::{GameShard, Shard};

#[cfg(test)]
mod game_tests;
#[cfg(test)]
mod tests;
