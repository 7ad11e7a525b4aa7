//! Certificates: what became of one, and what a check found.

use super::number::grouped;
use zug_usecases::certificate::{CertificateReport, VerifyReport};

/// What a check found, in a line.
pub fn text(report: &VerifyReport) -> String {
    match (&report.proves, &report.reason) {
        (Some(proves), _) => format!("accepted: {proves}\n"),
        (None, reason) => {
            let line = report.line.map_or(String::new(), |line| format!("line {line}: "));
            format!("rejected: {line}{}\n", reason.as_deref().unwrap_or("it proves nothing"))
        }
    }
}

/// What became of a certificate, in a line.
pub fn made(report: &CertificateReport) -> String {
    match (&report.certificate, &report.certificate_reason) {
        (Some(made), _) => {
            let mut text = format!(
                "certificate of kind `{}` in `{}`: {} records\n",
                made.kind,
                made.file,
                grouped(made.records)
            );
            if let (Some(model), Some(proof)) = (&made.flatzinc, &made.proof) {
                let bytes = grouped(proof.bytes);
                text += &format!(
                    "model in FlatZinc in `{}`, proof in DRCP in `{}`: {bytes} bytes\n",
                    model.file, proof.file
                );
            }
            text
        }
        (None, reason) => {
            format!("no certificate: {}\n", reason.as_deref().unwrap_or("nothing is proved"))
        }
    }
}
