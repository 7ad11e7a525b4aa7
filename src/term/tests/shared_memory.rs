//! Threads that share the memory of a process: who holds little waits for who holds much. (In a process of its own, as
//! the limit is on all that the process holds.)

#![cfg(target_os = "linux")]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use zug_term::watchdog::{self, AbortReason, LimitScope, MachineMemory};

/// What a thread may hold.
const LIMIT: usize = 8 << 20;
/// More than all of them may, the allowance for the program included.
const TOO_MUCH: usize = 200 << 20;

/// Works until it is told to end, and is said to hold so much.
fn work(held: usize, end: &AtomicBool) -> Result<(), AbortReason> {
    let machine = MachineMemory::default();
    machine.allows(LIMIT);
    watchdog::holds(held);
    LimitScope::new(None, &Arc::default(), LIMIT).within(|| {
        while !end.load(Ordering::Relaxed) {
            watchdog::step();
        }
    })
}

/// Memory that was written to.
fn much() -> Vec<u8> {
    vec![1; TOO_MUCH]
}

#[test]
fn who_holds_little_waits_for_others_to_give_memory_back() {
    watchdog::watch_process_memory();
    let _first = MachineMemory::default();
    let end = AtomicBool::new(false);
    std::thread::scope(|threads| {
        let little = threads.spawn(|| work(LIMIT / 4, &end));
        let large = threads.spawn(|| {
            let taken = much();
            let found = work(LIMIT, &end);
            drop(taken);
            found
        });
        let large = large.join().expect("it ends");
        // Now there is room again.
        std::thread::sleep(Duration::from_millis(100));
        end.store(true, Ordering::Relaxed);
        let little = little.join().expect("it ends");
        assert_eq!((large, little), (Err(AbortReason::Memory), Ok(())));
    });
    // What nobody gives back ends who holds little as well.
    let taken = much();
    let forever = AtomicBool::new(false);
    assert!(!watchdog::take_process_abort());
    assert_eq!(work(0, &forever), Err(AbortReason::Memory));
    assert!(watchdog::take_process_abort() && !watchdog::take_process_abort());
    // Work alone counts from what is held already.
    let base = watchdog::MemoryBase::default();
    end.store(false, Ordering::Relaxed);
    std::thread::scope(|threads| {
        let alone = threads.spawn(|| work(0, &end));
        std::thread::sleep(Duration::from_millis(100));
        end.store(true, Ordering::Relaxed);
        assert_eq!(alone.join().expect("it ends"), Ok(()));
    });
    drop(base);
    assert_eq!(work(0, &forever), Err(AbortReason::Memory));
    drop(taken);
}
