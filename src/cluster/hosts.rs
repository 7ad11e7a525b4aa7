//! The processes of a run, by their addresses: [`Hosts`].

use crate::error::ClusterError;
use std::path::{Path, PathBuf};
use zug_files::Access;

/// The addresses of all processes, in the order of their numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hosts {
    path: PathBuf,
    addresses: Vec<String>,
}

impl Hosts {
    /// Reads a file with an address in each line, HOST:PORT; empty lines, and what is behind a `#`, are left out.
    ///
    /// # Errors
    /// It can't be read, a line is no address, or there is none.
    pub fn read(path: &Path) -> Result<Hosts, ClusterError> {
        let text = Access::FREE.read_text(path);
        let text = text.map_err(|error| ClusterError::Unreadable(path.to_owned(), error))?;
        Hosts::parse(path, &text)
    }

    /// As [`Hosts::read`], of what was read.
    ///
    /// # Errors
    /// A line is no address, or there is none.
    pub fn parse(path: &Path, text: &str) -> Result<Hosts, ClusterError> {
        let mut addresses: Vec<String> = Vec::new();
        for (at, line) in text.lines().enumerate() {
            let address = line.split('#').next().unwrap_or_default().trim();
            if address.is_empty() {
                continue;
            }
            let bad = |why: String| ClusterError::BadLine {
                path: path.to_owned(),
                line: at + 1,
                text: address.to_owned(),
                why,
            };
            let (host, port) =
                address.rsplit_once(':').ok_or_else(|| bad("it has no port".to_owned()))?;
            let is_bare = host.contains(':') && !(host.starts_with('[') && host.ends_with(']'));
            match port.parse::<u16>() {
                _ if host.is_empty() => return Err(bad("it has no host".to_owned())),
                _ if host.contains(char::is_whitespace) => {
                    return Err(bad("there is a space in it".to_owned()));
                }
                _ if is_bare => {
                    return Err(bad("an address of IPv6 stands in brackets".to_owned()));
                }
                Ok(1..) => {}
                _ => return Err(bad(format!("`{port}` is no port, which is 1 to 65535"))),
            }
            if let Some(other) = addresses.iter().position(|known| known == address) {
                return Err(bad(format!("process {other} has the same one")));
            }
            addresses.push(address.to_owned());
        }
        if addresses.is_empty() {
            return Err(ClusterError::NoHosts(path.to_owned()));
        }
        Ok(Hosts { path: path.to_owned(), addresses })
    }

    /// How many processes there are.
    pub fn count(&self) -> usize {
        self.addresses.len()
    }

    /// The address of a process.
    pub fn address(&self, process: usize) -> &str {
        &self.addresses[process]
    }

    /// # Errors
    /// There is no process of this number.
    pub fn must_have(&self, process: usize) -> Result<(), ClusterError> {
        if process < self.count() {
            return Ok(());
        }
        let (count, path) = (self.count(), self.path.clone());
        Err(ClusterError::NoSuchProcess { process, count, path })
    }
}
