//! `zug verify`: checks a certificate.

use super::args::Format;
use super::rule_args::TimedArgs;
use super::{Exit, ended, fail, report, rules};
use clap::Args;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use zug_code::Specialise;
use zug_render::certificate::text;
use zug_usecases::certificate::verify;

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

/// What certificates begin with.
const BEGINNING: [u8; 12] = *b"certificate(";

/// Runs the command. The machine alone is asked: code made from the rules is part of what is checked.
pub fn run(args: &CheckCertificateArgs, flag: &Arc<AtomicBool>) -> Exit {
    if certificate_comes_first(args) {
        fail(
            "arguments",
            &format!(
                "the rules come first: zug verify {} {}",
                args.certificate.display(),
                args.file.display()
            ),
        );
        return Exit::Usage;
    }
    let terms = args.limits.terms(Specialise::Off);
    let (file, mut session) = match rules::open(&args.file, &terms, flag) {
        Ok(opened) => opened,
        Err(exit) => return exit,
    };
    let checked = verify(&mut session, (&file, &args.certificate), &args.limits.limits(flag));
    let _ = session.world.streams.end_query();
    match checked {
        Ok(checked) => {
            let shown = report(&checked, || text(&checked));
            if shown == Exit::Success { ended(&checked) } else { shown }
        }
        Err(failure) => rules::show_failure(&failure),
    }
}

/// Whether the two files stand in the wrong order.
fn certificate_comes_first(args: &CheckCertificateArgs) -> bool {
    let begin = zug_files::Access::FREE.beginning(&args.file, BEGINNING.len() as u64);
    begin.is_ok_and(|begin| begin == BEGINNING)
}
