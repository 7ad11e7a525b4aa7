//! Certificates, as clap sees them.

use super::args::Format;
use super::rule_args::TimedArgs;
use clap::Args;
use std::path::PathBuf;

/// `zug verify`.
#[derive(Args, Debug)]
pub struct CheckCertificateArgs {
    /// The rule file
    pub file: PathBuf,
    /// The certificate that `zug solve --certificate` wrote; `-` reads it from the standard input
    pub certificate: PathBuf,
    /// How to print the result
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
    #[command(flatten)]
    pub limits: TimedArgs,
}
