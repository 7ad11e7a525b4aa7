//! One answer for each of several questions, on several threads.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// What a function makes of each item, in their order, on N threads at most.
pub(crate) fn map<T: Sync, R: Send>(
    items: &[T],
    threads: usize,
    make: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let taken = AtomicUsize::new(0);
    let work = || {
        let mut made = Vec::new();
        while let at = taken.fetch_add(1, Relaxed)
            && let Some(item) = items.get(at)
        {
            made.push((at, make(item)));
        }
        made
    };
    let mut made = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads.min(items.len())).map(|_| scope.spawn(work)).collect();
        let mut made = work();
        for other in others {
            made.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        made
    });
    made.sort_unstable_by_key(|&(at, _)| at);
    made.into_iter().map(|(_, made)| made).collect()
}

#[cfg(test)]
mod tests {
    use super::map;

    #[test]
    fn answers_come_in_the_order_of_the_questions() {
        let items: Vec<u64> = (0..1000).collect();
        let squares: Vec<u64> = items.iter().map(|item| item * item).collect();
        for threads in [1, 2, 7] {
            assert_eq!(map(&items, threads, |item| item * item), squares);
        }
        assert!(map(&[] as &[u64], 4, |item| item + 1).is_empty());
    }
}
