//! What `zug serve` takes, as clap sees it.

use super::rule_args::SandboxArgs;
use clap::Args;
use std::net::IpAddr;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;
use zug_options::units;

/// What to do with it.
pub const SERVING: &str = "\
  zug serve                    the rules/ of this folder, else its rule files
  zug serve rules/taquin.pl    one file
  zug serve --open             opens the page in the browser too

The page is for this machine alone; with --host 0.0.0.0 others reach it too. The address has a token, without
which nothing is answered. Rules run in processes of their own, in a sandbox, within
--time and --memory. Ctrl-C ends the server.";

/// `zug serve`.
#[derive(Args, Debug)]
pub struct ServeArgs {
    /// The rule file, or a folder of them [default: rules/ if it is there, else this folder]
    #[arg(value_name = "PATH")]
    pub path: Option<PathBuf>,
    /// The port; 0 takes one that is free [default: 7340, or one that is free if that is taken]
    #[arg(long, value_name = "N")]
    pub port: Option<u16>,
    /// The address to be reached by
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1")]
    pub host: IpAddr,
    /// A name that this machine is called by, besides its addresses; may be given several times
    #[arg(long, value_name = "NAME")]
    pub name: Vec<String>,
    /// Answer on this machine without the token of the address: other users of the machine can then read and save
    /// the rule files
    #[arg(long)]
    pub no_token: bool,
    /// Open the page in the browser
    #[arg(long)]
    pub open: bool,
    /// Time for a search or a query, at most, as 30s or 5m
    #[arg(long, value_name = "TIME", value_parser = units::duration, default_value = "1m")]
    pub time: Duration,
    /// Memory for each of them, as 512M [default: its share of half of what the machine, a container or `ulimit -v` gives]
    #[arg(long, value_name = "SIZE", value_parser = units::size)]
    pub memory: Option<usize>,
    /// Searches and queries that run at once; others wait [default: as many as there are processors]
    #[arg(long, value_name = "N")]
    pub jobs: Option<NonZeroUsize>,
    #[command(flatten)]
    pub sandbox: SandboxArgs,
    /// Answer one question of the page: the way in which the server runs rules
    #[arg(long, hide = true)]
    pub worker: bool,
}
