//! Par: ordered parallelism. The only user of rayon.
//!
//! In: items, a fixed chunk size, a [`Pool`] passed as a value. Out: results by index, sums folded in order: the same
//! for every thread count. Never here: a global pool, work whose result depends on who finishes first.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Threads that run tasks. A pool of one thread owns no thread: everything runs inline on the caller's.
#[derive(Debug)]
pub struct Pool {
    threads: usize,
    /// The threads besides the caller's, which works too.
    others: Option<rayon::ThreadPool>,
    last_first: bool,
}

impl Pool {
    /// A pool that runs on `threads` threads, the caller's included; 0 = one a core. Where the system refuses more
    /// threads the pool has one: results do not depend on it.
    pub fn new(threads: usize) -> Pool {
        let threads = match threads {
            0 => std::thread::available_parallelism().map_or(1, |count| count.get()),
            _ => threads,
        };
        if threads == 1 {
            return Pool { threads, others: None, last_first: false };
        }
        let name = |index| format!("stillframe-{}", index + 1);
        match rayon::ThreadPoolBuilder::new().num_threads(threads - 1).thread_name(name).build() {
            Ok(others) => Pool { threads, others: Some(others), last_first: false },
            Err(_) => Pool { threads: 1, others: None, last_first: false },
        }
    }

    /// The same pool, but tasks start in reverse order. No result may depend on it: for whoever wants to see that.
    pub fn last_first(self) -> Pool {
        Pool { last_first: true, ..self }
    }

    /// How many threads work, the caller's included.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Runs tasks `0..tasks`, each once, started in that order: put the largest first. A task gets one of `workers` to
    /// itself while it runs; which one is not defined, so nothing of a result may stay in it. At most
    /// `min(threads, workers.len())` tasks run at a time. Returns when all are done; a panic of a task is passed on.
    ///
    /// Errors: none. No workers while there are tasks is a bug and asserts.
    pub fn run<W: Send>(&self, tasks: usize, workers: &mut [W], f: impl Fn(&mut W, usize) + Sync) {
        assert!(tasks == 0 || !workers.is_empty(), "{tasks} tasks for no worker");
        let count = workers.len().min(self.threads).min(tasks);
        let at = |task: usize| if self.last_first { tasks - 1 - task } else { task };
        let others = match &self.others {
            Some(others) if count > 1 => others,
            _ => {
                for task in 0..tasks {
                    f(&mut workers[0], at(task));
                }
                return;
            }
        };
        let next = AtomicUsize::new(0);
        let work = |worker: &mut W| {
            debug_assert!(crate::math::ops::subnormals_are_kept(), "this thread flushes subnormal numbers");
            loop {
                let task = next.fetch_add(1, Ordering::Relaxed);
                if task >= tasks {
                    return;
                }
                f(worker, at(task));
            }
        };
        let work = &work;
        let (mine, theirs) = workers[..count].split_first_mut().expect("count > 1");
        others.in_place_scope(|scope| {
            for worker in theirs {
                scope.spawn(move |_| work(worker));
            }
            work(mine);
        });
    }

    /// `f(index of the chunk, chunk)` for each chunk of `chunk_len` items (the last may be shorter); results by index.
    pub fn map_chunks<T: Sync, R: Send>(
        &self,
        items: &[T],
        chunk_len: usize,
        f: impl Fn(usize, &[T]) -> R + Sync,
    ) -> Vec<R> {
        assert!(chunk_len > 0, "chunks of no items");
        let chunk = |index: usize| &items[index * chunk_len..items.len().min((index + 1) * chunk_len)];
        self.map(items.len().div_ceil(chunk_len), |index| f(index, chunk(index)))
    }

    /// `f(index)` for `0..count`; results by index.
    pub fn map<R: Send>(&self, count: usize, f: impl Fn(usize) -> R + Sync) -> Vec<R> {
        if (self.threads == 1 && !self.last_first) || count < 2 {
            return (0..count).map(f).collect();
        }
        let mut found: Vec<Vec<(usize, R)>> = (0..self.threads).map(|_| Vec::new()).collect();
        self.run(count, &mut found, |found, index| found.push((index, f(index))));
        let mut slots: Vec<Option<R>> = (0..count).map(|_| None).collect();
        for (index, result) in found.into_iter().flatten() {
            slots[index] = Some(result);
        }
        slots.into_iter().map(|slot| slot.expect("each task runs once")).collect()
    }

    /// `f(index of the chunk, chunk)` for each chunk of `chunk_len` items, which it may change.
    pub fn for_chunks_mut<T: Send>(&self, items: &mut [T], chunk_len: usize, f: impl Fn(usize, &mut [T]) + Sync) {
        self.for_chunks_mut_with(items, chunk_len, &mut vec![(); self.threads], |(), index, chunk| f(index, chunk));
    }

    /// The same, with one of `workers` to itself while it works (see [`run`](Pool::run)): room that need not be made
    /// anew for each chunk.
    pub fn for_chunks_mut_with<T: Send, W: Send>(
        &self,
        items: &mut [T],
        chunk_len: usize,
        workers: &mut [W],
        f: impl Fn(&mut W, usize, &mut [T]) + Sync,
    ) {
        assert!(chunk_len > 0, "chunks of no items");
        let count = items.len().div_ceil(chunk_len);
        let chunks = Mutex::new(items.chunks_mut(chunk_len).enumerate());
        self.run(count, workers, |worker, _| {
            let (index, chunk) = chunks.lock().expect("the lock covers no panic").next().expect("a chunk a task");
            f(worker, index, chunk);
        });
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn one_thread_runs_inline_in_order() {
        let caller = std::thread::current().id();
        let mut seen = [Vec::new()];
        Pool::new(1).run(9, &mut seen, |seen, task| {
            assert_eq!(std::thread::current().id(), caller);
            seen.push(task);
        });
        assert_eq!(seen[0], (0..9).collect::<Vec<_>>());
    }

    #[test]
    fn all_threads_take_part_and_each_task_runs_once() {
        let pool = Pool::new(3);
        assert_eq!(pool.threads(), 3);
        let barrier = std::sync::Barrier::new(3);
        let mut seen = vec![Vec::new(); 5];
        // The first three tasks wait for each other: this ends only if three run at a time.
        pool.run(100, &mut seen, |seen, task| {
            if task < 3 {
                barrier.wait();
            }
            seen.push(task);
        });
        assert_eq!(seen.iter().filter(|tasks| !tasks.is_empty()).count(), 3);
        let mut all = seen.concat();
        all.sort_unstable();
        assert_eq!(all, (0..100).collect::<Vec<_>>());
    }

    #[test]
    fn a_panic_is_passed_on_and_the_pool_lives() {
        let pool = Pool::new(2);
        let boom = std::panic::AssertUnwindSafe(|| pool.run(8, &mut [(); 2], |(), task| assert_ne!(task, 5)));
        assert!(std::panic::catch_unwind(boom).is_err());
        assert_eq!(pool.map(4, |index| index * 2), [0, 2, 4, 6]);
    }

    #[test]
    fn runs_inside_a_task() {
        let pool = Pool::new(2);
        let sums = pool.map(6, |i| pool.map(50, |j| i * j).into_iter().sum::<usize>());
        assert_eq!(sums, (0..6).map(|i| i * 1225).collect::<Vec<_>>());
    }

    proptest! {
        #[test]
        fn thread_count_never_shows(items in prop::collection::vec(-1e6f64..1e6, 0..300), chunk in 1usize..40) {
            let want: Vec<(usize, f64)> =
                items.chunks(chunk).enumerate().map(|(i, c)| (i, c.iter().sum())).collect();
            for threads in [1, 2, 5] {
                let pool = Pool::new(threads);
                prop_assert_eq!(&pool.map_chunks(&items, chunk, |i, c| (i, c.iter().sum::<f64>())), &want);
                let mut changed = items.clone();
                pool.for_chunks_mut(&mut changed, chunk, |i, c| c.iter_mut().for_each(|x| *x += i as f64));
                prop_assert!(changed.iter().enumerate().all(|(i, x)| *x == items[i] + (i / chunk) as f64));
            }
        }
    }
}
