//! All workers of this process: [`run`].

use crate::control::Control;
use crate::links::Links;
use crate::peers::Peers;
use crate::stream::Watched;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;
use timely::communication::Hooks;
use timely::communication::allocator::zero_copy::allocator::TcpBuilder;
use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely::communication::allocator::{Allocator, ProcessBuilder, Thread};

/// The processes of a run.
pub struct Group {
    control: Arc<Control>,
    links: Option<Links>,
}

impl Group {
    /// This process alone.
    pub fn alone() -> Group {
        Group::cancelled_by(None)
    }

    /// This process alone, which stops when a flag is set.
    pub fn cancelled_by(cancel: Option<Arc<AtomicBool>>) -> Group {
        Group { control: Arc::new(Control::alone(cancel)), links: None }
    }

    /// This process and others.
    pub fn of(links: Links) -> Group {
        Group { control: links.control.clone(), links: Some(links) }
    }

    /// One builder for each worker of this process; none for a worker alone.
    fn builders(&mut self, workers: usize) -> io::Result<Vec<TcpBuilder>> {
        let (process, sockets, control) = match self.links.take() {
            None if workers == 1 => return Ok(Vec::new()),
            None => (0, vec![None], self.control.clone()),
            Some(Links { process, sockets, control }) => (process, sockets, control),
        };
        let watched = sockets.into_iter().enumerate().map(|(process, stream)| {
            stream.map(|stream| Watched::new(stream, process, workers, control.clone()))
        });
        let hooks = Hooks::default();
        // Within the process nothing is made bytes.
        let refill = hooks.refill.clone();
        let inside = ProcessBuilder::new_typed_vector(workers, refill, hooks.spill.clone());
        let (builders, guard) =
            initialize_networking_from_sockets(inside, watched.collect(), process, workers, hooks)?;
        // It waits for threads that end by themselves, and panics where a connection broke.
        std::mem::forget(guard);
        Ok(builders)
    }
}

impl Drop for Group {
    /// Tells the others, if nothing was run.
    fn drop(&mut self) {
        if self.links.take().is_some() {
            self.control.leave("it could not begin");
            self.control.close();
        }
    }
}

fn built(builder: Option<TcpBuilder>) -> Allocator {
    match builder {
        Some(builder) => Allocator::Tcp(builder.build()),
        None => Allocator::Thread(Thread::default()),
    }
}

/// Tells the others, should a worker panic.
fn guarded<T>(control: &Control, work: impl FnOnce() -> T) -> thread::Result<T> {
    let ended = catch_unwind(AssertUnwindSafe(work));
    if ended.is_err() {
        control.leave("it could not go on");
    }
    ended
}

/// Runs the workers of this process, the main one in this thread and each of the others in one of its own: what each
/// of them comes to, the main one's first. Every process has as many workers.
///
/// # Panics
/// A worker panics.
pub fn run<T: Send, M, O>(mut group: Group, main: M, others: Vec<O>) -> Vec<T>
where
    M: FnOnce(Peers<'_>) -> T,
    O: FnOnce(Peers<'_>) -> T + Send,
{
    let workers = others.len() + 1;
    let control = group.control.clone();
    let mut builders = match group.builders(workers) {
        Ok(builders) => builders.into_iter(),
        Err(error) => {
            control.leave(&error.to_string());
            control.close();
            panic!("threads for connections can't be started: {error}");
        }
    };
    let first = builders.next();
    let ended = thread::scope(|scope| {
        let control = &*control;
        let peers = |builder| Peers::new(control, workers, built(builder));
        let others: Vec<_> = others.into_iter().zip(builders).collect();
        let others: Vec<_> = others
            .into_iter()
            .map(|(other, builder)| {
                scope.spawn(move || guarded(control, || other(peers(Some(builder)))))
            })
            .collect();
        let main = guarded(control, || main(peers(first)));
        let others = others.into_iter().map(|other| other.join().and_then(|ended| ended));
        std::iter::once(main).chain(others).collect::<Vec<_>>()
    });
    if ended.iter().all(Result::is_ok) {
        control.goodbye();
    }
    control.close();
    ended.into_iter().map(|ended| ended.unwrap_or_else(|panic| resume_unwind(panic))).collect()
}
