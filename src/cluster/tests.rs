//! Workers in threads, and processes that are threads of the test.

use crate::*;
use std::io::Write;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

fn next(n: u32) -> [u32; 2] {
    [n.wrapping_mul(5) % 100_003, (n + 7) % 100_003]
}

/// The layers, by one loop.
fn by_loop() -> Vec<u64> {
    let mut known = std::collections::HashSet::from([1]);
    let (mut layer, mut sizes) = (vec![1], Vec::new());
    while !layer.is_empty() {
        sizes.push(layer.len() as u64);
        let all: Vec<u32> = layer.iter().flat_map(|&n| next(n)).collect();
        layer = all.into_iter().filter(|&n| known.insert(n)).collect();
    }
    sizes
}

/// One test at a time has ports that are free.
static PORTS: Mutex<()> = Mutex::new(());

pub(crate) fn alone() -> MutexGuard<'static, ()> {
    PORTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Hosts at free ports of this machine.
pub(crate) fn free_hosts(count: usize) -> Hosts {
    let listeners = (0..count).map(|_| TcpListener::bind("127.0.0.1:0").expect("a free port"));
    let listeners: Vec<_> = listeners.collect();
    let address = |listener: &TcpListener| listener.local_addr().expect("it listens").to_string();
    let text: Vec<String> = listeners.iter().map(address).collect();
    Hosts::parse(Path::new("hosts"), &text.join("\n")).expect("addresses")
}

pub(crate) fn connected(hosts: &Hosts, process: usize, rules: &str) -> Result<Links, ClusterError> {
    let facts = [Fact::new("the rule file", rules)];
    let waiting = Waiting { time: Duration::from_secs(20), cancel: None, notice: &|_| {} };
    Links::connect(hosts, process, &facts, &waiting)
}

pub(crate) fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("zug-cluster-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    path
}

#[test]
fn workers_find_what_a_loop_finds() {
    let known = by_loop();
    for others in [0, 1, 3] {
        let search = |peers: Peers<'_>| {
            let bounds = Bounds::default();
            breadth_first(peers, &mut Digits::new(next), &1, &bounds, None, None)
        };
        let mut deepest = None;
        for found in run(Group::alone(), search, vec![search; others]) {
            let found = found.expect("nothing fails");
            assert_eq!(found.by_depth, known);
            assert_eq!((found.expanded, found.generated), (100_003, 200_006));
            assert_eq!((found.terminal, found.stopped), (0, None));
            assert_eq!(deepest.get_or_insert(found.deepest.clone()), &found.deepest);
        }
    }
}

#[test]
fn processes_find_it_too_and_go_on_from_files() {
    let _alone = alone();
    let known = by_loop();
    let folder = folder("layers");
    // The first run ends at a depth, the second goes on from there.
    for depth in [Some(9), None, None] {
        let hosts = free_hosts(3);
        thread::scope(|scope| {
            for process in 0..3 {
                let (hosts, folder, known) = (&hosts, &folder, &known);
                scope.spawn(move || {
                    let links = connected(hosts, process, "rules").expect("all are there");
                    let search = |peers: Peers<'_>| {
                        let path = folder.join(format!("worker-{}", peers.index()));
                        let mut kept = Kept::open(&path, &[Fact::new("the start", "1")])?;
                        let bounds = Bounds { depth, ..Bounds::default() };
                        let mut shard = Digits::new(next);
                        breadth_first(peers, &mut shard, &1, &bounds, Some(&mut kept), None)
                    };
                    for found in run(Group::of(links), search, vec![search]) {
                        let found = found.expect("nothing fails");
                        let all = depth.map_or(known.len(), |depth| depth as usize + 1);
                        assert_eq!(found.by_depth, known[..all]);
                        assert_eq!(found.stopped, depth.map(|_| Stop::Depth));
                        assert_eq!(
                            found.expanded,
                            known[..all - usize::from(depth.is_some())].iter().sum::<u64>()
                        );
                    }
                });
            }
        });
    }
    // A file that was cut is read as far as its layers are whole.
    let path = folder.join("worker-3");
    let facts = [Fact::new("the start", "1")];
    let layers = Kept::open(&path, &facts).expect("a file of layers").layers().len();
    assert_eq!(layers, known.len() + 1);
    let file = std::fs::OpenOptions::new().write(true).open(&path).expect("it is there");
    let length = file.metadata().expect("it is there").len();
    file.set_len(length - 3).expect("it is cut");
    assert_eq!(Kept::open(&path, &facts).expect("a file").layers().len(), layers - 1);
    let other = Kept::open(&path, &[Fact::new("the start", "2")]).expect_err("another start");
    assert!(other.to_string().contains("the start was another: 1 there, 2 here"), "{other}");
    std::fs::write(&path, "a letter, and nothing that belongs here").expect("it is written");
    let foreign = Kept::open(&path, &facts).expect_err("no layers");
    assert!(foreign.to_string().contains("is no file of layers"), "{foreign}");
    let _ = std::fs::remove_dir_all(folder);
}

#[test]
fn the_limit_of_nodes_is_exact() {
    for workers in [1, 3] {
        let search = |peers: Peers<'_>| {
            let bounds = Bounds { nodes: Some(5000), ..Bounds::default() };
            breadth_first(peers, &mut Digits::new(next), &1, &bounds, None, None)
        };
        for found in run(Group::alone(), search, vec![search; workers - 1]) {
            let found = found.expect("nothing fails");
            assert_eq!((found.expanded, found.stopped), (5000, Some(Stop::Nodes)));
        }
    }
}

/// A shard whose process does something after some states.
struct Ends<F> {
    shard: Digits<fn(u32) -> [u32; 2]>,
    left: u32,
    end: F,
}

impl<F: FnMut() -> Result<(), &'static str>> Shard for Ends<F> {
    type State = u32;
    type Error = &'static str;

    fn len(&self) -> usize {
        self.shard.len()
    }
    fn bytes(&self) -> usize {
        self.shard.bytes()
    }
    fn hash(&mut self, state: &u32) -> u64 {
        self.shard.hash(state)
    }
    fn write(&mut self, state: &u32, out: &mut Vec<u8>) {
        self.shard.write(state, out);
    }
    fn read(&mut self, bytes: &[u8]) -> Option<u32> {
        self.shard.read(bytes)
    }
    fn number(&mut self, state: &u32) -> usize {
        Shard::number(&mut self.shard, state)
    }
    fn intern(&mut self, states: &mut Vec<u32>) {
        self.shard.intern(states);
    }
    fn state(&self, number: usize) -> u32 {
        self.shard.state(number)
    }
    fn successors(&mut self, state: &u32, out: &mut Vec<u32>) -> Result<(), &'static str> {
        self.left = self.left.saturating_sub(1);
        if self.left == 0 {
            (self.end)()?;
        }
        self.shard.successors(state, out).map_err(|never| match never {})
    }
}

/// Numbers with costs: of some states estimates say more than of others, and not in step.
struct Priced(Digits<fn(u32) -> [u32; 2]>);

fn price(n: u32) -> [u64; 2] {
    [u64::from(n % 3), u64::from(n % 7) + 1]
}

impl Shard for Priced {
    type State = u32;
    type Error = std::convert::Infallible;

    fn len(&self) -> usize {
        self.0.len()
    }
    fn bytes(&self) -> usize {
        self.0.bytes()
    }
    fn hash(&mut self, state: &u32) -> u64 {
        self.0.hash(state)
    }
    fn write(&mut self, state: &u32, out: &mut Vec<u8>) {
        self.0.write(state, out);
    }
    fn read(&mut self, bytes: &[u8]) -> Option<u32> {
        self.0.read(bytes)
    }
    fn number(&mut self, state: &u32) -> usize {
        Shard::number(&mut self.0, state)
    }
    fn intern(&mut self, states: &mut Vec<u32>) {
        self.0.intern(states);
    }
    fn state(&self, number: usize) -> u32 {
        self.0.state(number)
    }
    fn successors(&mut self, state: &u32, out: &mut Vec<u32>) -> Result<(), Self::Error> {
        self.0.successors(state, out)
    }
}

/// The goal.
const GOAL: u32 = 54_321;

impl PathShard for Priced {
    fn is_goal(&mut self, state: &u32) -> Result<bool, Self::Error> {
        Ok(*state == GOAL)
    }
    fn estimate(&mut self, state: &u32) -> Result<Option<u64>, Self::Error> {
        // The last move to the goal costs one at least where it adds seven, and of others nothing is known.
        Ok(Some(u64::from(*state == GOAL - 7)))
    }
    fn moves(&mut self, state: &u32, out: &mut Vec<(u64, u32)>) -> Result<(), Self::Error> {
        out.extend(price(*state).into_iter().zip(next(*state)));
        Ok(())
    }
}

/// The least cost, by a loop.
fn least_cost() -> u64 {
    let mut known = std::collections::HashMap::from([(1, 0)]);
    let mut open = std::collections::BTreeSet::from([(0, 1)]);
    while let Some((g, n)) = open.pop_first() {
        if n == GOAL {
            return g;
        }
        for (cost, to) in price(n).into_iter().zip(next(n)) {
            if known.get(&to).is_none_or(|&before| g + cost < before) {
                known.insert(to, g + cost);
                open.insert((g + cost, to));
            }
        }
    }
    panic!("the goal can be reached")
}

#[test]
fn workers_find_a_cheapest_path() {
    let least = least_cost();
    for others in [0, 1, 3] {
        let search = |peers: Peers<'_>| {
            let mut shard = Priced(Digits::new(next as fn(u32) -> [u32; 2]));
            cheapest(peers, &mut shard, &1, &Bounds::default(), None)
        };
        for found in run(Group::alone(), search, vec![search; others]) {
            let found = found.expect("nothing fails");
            assert_eq!((found.cost, found.lower_bound), (Some(least), least));
            let number = |bytes: &Vec<u8>| u32::from_le_bytes(bytes[..].try_into().expect("four"));
            let path: Vec<u32> = found.states.iter().map(number).collect();
            assert_eq!((path.first(), path.last()), (Some(&1), Some(&GOAL)));
            let cost = path.windows(2).map(|step| {
                let moves = price(step[0]).into_iter().zip(next(step[0]));
                moves.filter(|(_, to)| *to == step[1]).map(|(cost, _)| cost).min().expect("a move")
            });
            assert_eq!(cost.sum::<u64>(), least);
        }
    }
    let bounds = Bounds { depth: Some(3), ..Bounds::default() };
    let search = |peers: Peers<'_>| {
        cheapest(peers, &mut Priced(Digits::new(next as fn(u32) -> [u32; 2])), &1, &bounds, None)
    };
    for found in run(Group::alone(), search, vec![search]) {
        let found = found.expect("nothing fails");
        assert_eq!((found.cost, found.stopped), (None, Some(Stop::Depth)));
    }
}

#[test]
fn what_fails_in_one_process_is_told_to_all() {
    let _alone = alone();
    let hosts = free_hosts(2);
    thread::scope(|scope| {
        for process in 0..2 {
            let hosts = &hosts;
            scope.spawn(move || {
                let links = connected(hosts, process, "rules").expect("all are there");
                let search = |peers: Peers<'_>| {
                    let left = if process == 1 { 1000 } else { u32::MAX };
                    let shard = Digits::new(next as fn(u32) -> [u32; 2]);
                    let mut shard = Ends { shard, left, end: || Err("no way") };
                    breadth_first(peers, &mut shard, &1, &Bounds::default(), None, None)
                };
                let others: Vec<fn(Peers<'_>) -> _> = Vec::new();
                let ended = run(Group::of(links), search, others).swap_remove(0);
                match ended.expect_err("one fails") {
                    SearchEnd::Failed(error) => assert_eq!((process, error), (1, "no way")),
                    SearchEnd::Ended(ended) => {
                        let said = ended.to_string();
                        assert!(process == 0 && said.starts_with("process 1 ("), "{said}");
                        assert!(said.ends_with("ended: a state can't be expanded"), "{said}");
                    }
                    SearchEnd::Kept(error) => panic!("{error}"),
                }
            });
        }
    });
}

#[test]
fn others_must_be_started_alike() {
    let _alone = alone();
    let hosts = free_hosts(2);
    let ended = thread::scope(|scope| {
        let hosts = &hosts;
        let started = ["rules", "other rules"];
        let ended = [0, 1]
            .map(|process| scope.spawn(move || connected(hosts, process, started[process]).err()));
        ended.map(|ended| ended.join().expect("no panic").expect("they differ").to_string())
    });
    assert!(ended[0].starts_with("the rule file of process 1 (127.0.0.1:"), "{}", ended[0]);
    assert!(ended[0].ends_with("other rules there, rules here"), "{}", ended[0]);
    assert!(ended[1].ends_with("rules there, other rules here"), "{}", ended[1]);
}

#[test]
fn who_never_comes_is_named() {
    let _alone = alone();
    let hosts = free_hosts(2);
    let notices = std::cell::RefCell::new(Vec::new());
    let notice = |text: &str| notices.borrow_mut().push(text.to_owned());
    let waiting = Waiting { time: Duration::from_millis(1500), cancel: None, notice: &notice };
    let absent = Links::connect(&hosts, 0, &[], &waiting).err().expect("nobody is there");
    let said = absent.to_string();
    assert!(said.starts_with("1.5 s after the start process 1 (127.0.0.1:"), "{said}");
    assert!(notices.borrow()[0].starts_with("waiting for process 1 ("));
    let cancel = Some(Arc::new(AtomicBool::new(true)));
    let waiting = Waiting { time: Duration::from_secs(9), cancel, notice: &notice };
    let interrupted = Links::connect(&hosts, 1, &[], &waiting).err();
    assert!(matches!(interrupted, Some(ClusterError::Interrupted)));
    let busy = TcpListener::bind(hosts.address(0)).expect("a free port");
    let waiting = Waiting { cancel: None, ..waiting };
    let said = Links::connect(&hosts, 0, &[], &waiting).err().expect("in use").to_string();
    assert!(said.contains("take another port"), "{said}");
    drop(busy);
    let said = Links::connect(&hosts, 7, &[], &waiting).err().expect("no such").to_string();
    assert_eq!(said, "there is no process 7: `hosts` has 2 of them, 0 to 1");
}

#[test]
fn a_process_that_is_gone_is_named() {
    let _alone = alone();
    let hosts = free_hosts(3);
    let began = Instant::now();
    thread::scope(|scope| {
        for process in 0..3 {
            let hosts = &hosts;
            scope.spawn(move || {
                let links = connected(hosts, process, "rules").expect("all are there");
                if process == 1 {
                    // As if it was killed: connections are closed, and nothing is said.
                    for socket in links.sockets.iter().flatten() {
                        let _ = socket.shutdown(std::net::Shutdown::Both);
                    }
                    links.control.close();
                    return;
                }
                let search = |peers: Peers<'_>| {
                    let bounds = Bounds::default();
                    breadth_first(peers, &mut Digits::new(next), &1, &bounds, None, None)
                };
                for ended in run(Group::of(links), search, vec![search]) {
                    let Err(SearchEnd::Ended(ended)) = ended else { panic!("it can't go on") };
                    let said = ended.to_string();
                    assert!(said.starts_with("process 1 (127.0.0.1:"), "{said}");
                    assert!(said.contains(") was lost: its connection "), "{said}");
                }
            });
        }
    });
    assert!(began.elapsed() < Duration::from_secs(5));
}

/// Two processes, of which the second one does something with its connections: what the first one comes to.
fn beside(other: impl FnOnce(Links) + Send) -> Ended {
    let hosts = free_hosts(2);
    thread::scope(|scope| {
        let hosts = &hosts;
        scope.spawn(move || other(connected(hosts, 1, "rules").expect("all are there")));
        let links = connected(hosts, 0, "rules").expect("all are there");
        let search = |peers: Peers<'_>| {
            let bounds = Bounds::default();
            breadth_first(peers, &mut Digits::new(next), &1, &bounds, None, None)
        };
        let others: Vec<fn(Peers<'_>) -> _> = Vec::new();
        match run(Group::of(links), search, others).swap_remove(0) {
            Err(SearchEnd::Ended(ended)) => ended,
            found => panic!("it can't go on: {:?}", found.is_ok()),
        }
    })
}

/// The head of a message of the dataflow.
fn head(numbers: [u64; 6]) -> Vec<u8> {
    numbers.into_iter().flat_map(u64::to_be_bytes).collect()
}

#[test]
fn what_makes_no_sense_ends_the_run() {
    let _alone = alone();
    let sent = |message: Vec<u8>| {
        beside(move |links: Links| {
            let mut data = links.sockets[0].as_ref().expect("a connection");
            data.write_all(&message).expect("it is sent");
            let began = Instant::now();
            while !links.control.is_ended() && began.elapsed() < Duration::from_secs(2) {
                thread::sleep(Duration::from_millis(1));
            }
            links.control.close();
        })
        .to_string()
    };
    // To a worker that there is not, from one that is elsewhere, too long.
    for numbers in
        [[0, 1, 5, 6, 8, 0], [0, 7, 0, 1, 8, 0], [0, 1, 0, 1, 1 << 60, 0], [0, 1, 1, 0, 8, 0]]
    {
        let said = sent([head(numbers), vec![0; 8]].concat());
        assert!(said.starts_with("process 1 (127.0.0.1:"), "{said}");
        assert!(said.ends_with("was lost: it sends what makes no sense"), "{said}");
    }
    // Bytes that are no batches, and no news of how far the dataflow is.
    for channel in [3, 6] {
        let said = sent([head([channel, 1, 0, 1, 24, 0]), vec![0xFF; 24]].concat());
        assert!(said.starts_with("process 0 (127.0.0.1:"), "{said}");
        assert!(said.ends_with("ended: it was sent what makes no sense"), "{said}");
    }
}

#[test]
fn states_and_summaries_that_make_no_sense_end_the_run() {
    let _alone = alone();
    type Lie = fn(&mut Peers<'_>) -> Result<Vec<Vec<u8>>, Ended>;
    let state: Lie = |peers| {
        peers.send(0, |bytes| bytes.extend([3, 1, 2, 3]));
        peers.exchange(vec![0, 0, 0, 0], &mut |_, _| {})
    };
    let summary: Lie = |peers| peers.exchange(vec![0xFF; 40], &mut |_, _| {});
    let unknown: Lie = |peers| peers.exchange(vec![0, 9, 0, 0], &mut |_, _| {});
    for (lie, why) in [
        (state, "process 0 (127.0.0.1:"),
        (summary, "process 1 (127.0.0.1:"),
        (unknown, "process 1 (127.0.0.1:"),
    ] {
        let ended = beside(move |links: Links| {
            let others: Vec<fn(Peers<'_>)> = Vec::new();
            let liar = |mut peers: Peers<'_>| {
                let _ = lie(&mut peers);
                // As a search does that has expanded nothing.
                let _ = peers.exchange(vec![0, 0, 0, 0, 0, 0, 0], &mut |_, _| {});
            };
            run(Group::of(links), liar, others);
        });
        let said = ended.to_string();
        assert!(said.starts_with(why) && said.ends_with("makes no sense"), "{said}");
    }
}

#[test]
fn who_says_nothing_keeps_nobody_waiting() {
    let _alone = alone();
    let hosts = free_hosts(2);
    thread::scope(|scope| {
        let hosts = &hosts;
        let first = scope.spawn(move || connected(hosts, 0, "rules").map(drop));
        let silent = loop {
            match std::net::TcpStream::connect(hosts.address(0)) {
                Ok(stream) => break stream,
                Err(_) => thread::sleep(Duration::from_millis(5)),
            }
        };
        let began = Instant::now();
        let second = connected(hosts, 1, "rules").map(drop);
        assert!(second.is_ok() && first.join().expect("no panic").is_ok());
        assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
        drop(silent);
    });
}

#[test]
fn lines_of_hosts() {
    let parse = |text: &str| Hosts::parse(Path::new("hosts"), text);
    let hosts = parse("# two\n127.0.0.1:4000\n\n[::1]:4001 # here\n").expect("two of them");
    assert_eq!((hosts.count(), hosts.address(1)), (2, "[::1]:4001"));
    for (text, said) in [
        (
            "a:1\nb",
            "line 2 of `hosts` is `b`, and no address: it has no port; an address is HOST:PORT, as `127.0.0.1:4000`",
        ),
        ("a:0", "`0` is no port"),
        ("a:70000", "`70000` is no port"),
        ("::1:40", "stands in brackets"),
        (":40", "it has no host"),
        ("a b:40", "there is a space in it"),
        ("a:1\na:1", "line 2 of `hosts` is `a:1`, and no address: process 0 has the same one"),
        ("\n# none\n", "`hosts` has no address in it"),
    ] {
        let error = parse(text).expect_err("it is wrong").to_string();
        assert!(error.contains(said), "{error}");
    }
}

/// A process that agrees with those that it met learns why the others never come.
#[test]
fn those_who_are_alike_learn_who_is_not() {
    let _alone = alone();
    let hosts = free_hosts(3);
    let ended = thread::scope(|scope| {
        let hosts = &hosts;
        let started = ["rules", "rules", "other rules"];
        let ended = [0, 1, 2]
            .map(|process| scope.spawn(move || connected(hosts, process, started[process]).err()));
        ended.map(|ended| ended.join().expect("no panic").expect("they differ").to_string())
    });
    for said in ended {
        assert!(said.contains("the rule file of process "), "{said}");
    }
}
