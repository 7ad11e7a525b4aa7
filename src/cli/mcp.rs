//! `zug mcp`: tools for language models.

use super::rule_args::SandboxArgs;
use super::{Exit, fail, memory, own_program, serve};
use clap::Args;
use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use zug_mcp::Config;
use zug_options::units;

/// How clients are told of it.
pub const CLIENTS: &str = "\
A client starts it, as a line of its settings says:
  { \"mcpServers\": { \"zug\": { \"command\": \"zug\", \"args\": [\"mcp\", \"RULES\"] } } }

Tools: check, query, solve, play, why, manual. Rules come with a call as text, or are a file of the folder.";

/// Calls at once. Long ones give way to short ones, so that these do not wait for them; others wait for a place.
const JOBS: NonZeroUsize = NonZeroUsize::new(16).unwrap();
/// Calls among which memory is shared: few need all that they may take.
const SHARES: NonZeroUsize = NonZeroUsize::new(4).unwrap();

/// `zug mcp`.
#[derive(Args, Debug)]
pub struct McpArgs {
    /// The rule file that may be named, or a folder of them [default: this folder]
    #[arg(value_name = "PATH", default_value = ".", hide_default_value = true)]
    pub path: PathBuf,
    /// Time for a call, at most, as 30s or 5m
    #[arg(long, value_name = "TIME", value_parser = units::duration, default_value = "30s")]
    pub time: Duration,
    /// Memory for each of them, as 512M [default: its share of half of what the machine, a container or `ulimit -v` gives]
    #[arg(long, value_name = "SIZE", value_parser = units::size)]
    pub memory: Option<usize>,
    #[command(flatten)]
    pub sandbox: SandboxArgs,
}

/// Runs the command: until the client leaves.
pub fn run(args: &McpArgs, flag: &Arc<AtomicBool>) -> Exit {
    let Some(library) = serve::library(&args.path) else { return Exit::Usage };
    let program = match own_program() {
        Ok(program) => program,
        Err(error) => {
            fail("io", &error.to_string());
            return Exit::Error;
        }
    };
    let unwanted = args.sandbox.unwanted();
    let mut sandbox: Vec<OsString> =
        vec![if unwanted { "--no-sandbox" } else { "--sandbox" }.into()];
    sandbox.extend(args.sandbox.iso().then(|| "--iso".into()));
    let config = Config {
        program,
        library,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        time: args.time,
        memory: args.memory.unwrap_or_else(|| memory::share(SHARES)),
        jobs: JOBS.get(),
        sandbox,
    };
    match zug_mcp::serve(config, flag) {
        Ok(()) => Exit::Success,
        Err(error) => {
            fail("protocol", &error.to_string());
            Exit::Error
        }
    }
}
