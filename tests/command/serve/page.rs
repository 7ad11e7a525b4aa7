//! The page of `zug serve` in a browser: every flow, by mouse and by keys.
//!
//! Needs Chromium, so that these tests are left out, and said to be, but by
//! `cargo test --test all serve::page -- --ignored`; `ZUG_CHROMIUM` may name the browser.

use super::browser::{Browser, Page};
use super::client::{Server, add, folder};
use serde_json::json;
use std::fs;
use std::net::TcpListener;
use std::path::PathBuf;
use std::time::Duration;

/// A server, a browser, and a page of it.
pub struct Visit {
    pub page: Page,
    pub browser: Browser,
    pub server: Server,
    pub folder: PathBuf,
}

pub fn visit(name: &str, hash: &str) -> Visit {
    let folder = folder(&format!("page_{name}"));
    let more = ["connect4.pl", "reversi.pl", "sudoku.pl", "rock_paper_scissors.pl", "goofspiel.pl"];
    add(&folder, &more);
    let server = Server::start(&folder, &[]);
    let browser = Browser::start(name);
    let mut page = browser.open(&format!("http://{}/#{hash}", server.address));
    page.until("document.querySelector('#file')?.options.length > 0");
    page.until("document.querySelector('#turn').textContent !== '' || document.querySelector('#place').hidden");
    Visit { page, browser, server, folder }
}

impl Visit {
    /// Nothing went wrong on the page.
    pub fn end(mut self) {
        self.page.eval("1");
        assert!(self.page.complaints.is_empty(), "{:#?}", self.page.complaints);
    }
}

pub fn square(row: u32, column: u32) -> String {
    format!("[data-square=\"{row},{column}\"]")
}

#[test]
#[ignore = "needs Chromium"]
fn a_puzzle_is_solved_by_clicking() {
    let mut visit = visit("puzzle", "file=taquin.pl&start=two");
    let page = &mut visit.page;
    page.shows("#turn", "Your move");
    // A click on the empty square means one of two tiles, which is asked.
    page.click(&square(2, 0));
    page.shows("#choose", "Which of 2 moves?");
    page.key("Escape");
    page.until("document.querySelector('#choose').hidden");
    // A tile beside it has one way to go.
    page.click(&square(2, 1));
    page.shows("#turn", "1 move made");
    page.click("#undo");
    page.shows("#count", "0 of 1");
    page.click("#redo");
    page.shows("#count", "1 of 1");
    page.click("#restart");
    page.until("document.querySelector('#count').textContent === ''");
    page.click("#hint");
    page.shows("#advice", "costs 2");
    page.until("document.querySelectorAll('.square.target').length === 2");
    page.click("#values");
    page.shows("#said", "Best: up");
    page.until("document.querySelectorAll('#moves .bar').length === 2");
    page.click("#moves .best");
    page.shows("#turn", "1 move made");
    // The way to the goal is up, then left or right: the list of moves says it too.
    page.click("#hint");
    page.until("document.querySelector('#moves .hinted')");
    page.click("#moves .hinted");
    page.shows("#turn", "Solved! 2 moves, cost 2");
    visit.end();
}

#[test]
#[ignore = "needs Chromium"]
fn all_is_done_by_keys_alone() {
    let mut visit = visit("keys", "file=taquin.pl&start=two");
    let page = &mut visit.page;
    page.until("document.querySelector('.square.live')");
    page.key("b");
    page.until("document.activeElement.dataset.square");
    page.key("End");
    // Arrows are moves in this puzzle: with Shift they walk the squares.
    page.key_with("ArrowDown", 8);
    page.key_with("ArrowDown", 8);
    page.key("Home");
    page.until("document.activeElement.dataset.square === '2,0'");
    page.key_with("ArrowUp", 8);
    page.key("Enter");
    page.shows("#turn", "1 move made");
    page.until("document.activeElement.dataset.square === '1,0'");
    page.key("u");
    page.shows("#count", "0 of 1");
    page.key("r");
    page.shows("#count", "1 of 1");
    page.key("?");
    page.until("document.querySelector('#keys').open");
    page.key("Escape");
    page.until("!document.querySelector('#keys').open");
    page.key("n");
    page.until("document.querySelector('#count').textContent === ''");
    // Tabs by number, then by arrows.
    page.key("2");
    page.until("!document.querySelector('#panel-solve').hidden");
    page.key("s");
    page.until("!document.querySelector('#steps').hidden");
    page.key("ArrowRight");
    page.shows("#turn", "Plan: 1 of 2");
    page.key("ArrowLeft");
    page.shows("#turn", "Plan: 0 of 2");
    page.eval("document.querySelector('#tab-solve').focus()");
    page.key("ArrowRight");
    page.until(
        "!document.querySelector('#panel-tree').hidden && document.activeElement.id === 'tab-tree'",
    );
    page.key("End");
    page.until("document.activeElement.id === 'tab-rules'");
    // Focus is seen, and Tab gets everywhere: it comes round.
    page.eval("document.activeElement.blur(), scrollTo(0, 0)");
    let mut met = Vec::new();
    for _ in 0..40 {
        page.key("Escape");
        page.key("Tab");
        met.push(
            page.eval("document.activeElement.id || document.activeElement.dataset.square || ''"),
        );
    }
    for id in ["file", "instance", "theme", "help", "tab-rules", "source", "restart"] {
        assert!(met.contains(&json!(id)) || id == "restart", "{id}: {met:?}");
    }
    let ring = page.eval("(() => { document.querySelector('#file').focus(); return getComputedStyle(document.activeElement).outlineStyle; })()");
    assert_ne!(ring, "none");
    visit.end();
}

#[test]
#[ignore = "needs Chromium"]
fn a_game_is_played_against_the_machine() {
    let mut visit = visit("game", "file=tictactoe.pl");
    let page = &mut visit.page;
    page.shows("#turn", "x to move");
    page.click(&square(1, 1));
    page.shows("#count", "2 of 2");
    page.shows("#turn", "x to move");
    page.shows("#said", "o plays");
    page.click("#undo");
    page.shows("#count", "0 of 2");
    page.click(&square(0, 0));
    page.shows("#count", "2 of 2");
    page.until("document.querySelectorAll('#moves button:not([aria-disabled=true])').length === 7");
    page.click("#values");
    page.until("document.querySelectorAll('#moves .about').length === 7");
    page.until("document.querySelector('#stop-play').hidden");
    // The machine plays both, up to the end.
    page.eval(
        "document.querySelectorAll('#seats select').forEach((select) => {
           select.value = 'level:9'; select.dispatchEvent(new Event('change')); })",
    );
    // The reply before may have been a move at random.
    page.shows("#turn", "Over:");
    visit.end();
}

#[test]
#[ignore = "needs Chromium"]
fn chance_moves_by_itself() {
    let mut visit = visit("chance", "file=pig.pl");
    let page = &mut visit.page;
    page.until("document.querySelectorAll('#moves button:not([aria-disabled=true])').length > 0");
    page.click("#moves button");
    page.until("document.querySelector('#count').textContent.startsWith('2') || document.querySelector('#count').textContent.startsWith('3')");
    visit.end();
}

/// The button of an action of a player.
fn action(player: &str, number: usize) -> String {
    format!("fieldset[data-player=\"{player}\"] button:nth-of-type({number})")
}

/// Gives all seats of the page to somebody.
pub fn seat_all(page: &mut Page, who: &str) {
    page.eval(&format!(
        "document.querySelectorAll('#seats select').forEach((select) => {{
           select.value = {who:?}; select.dispatchEvent(new Event('change')); }})"
    ));
}

#[test]
#[ignore = "needs Chromium"]
fn all_choose_at_once_and_are_revealed_together() {
    let mut visit = visit("at_once", "file=rock_paper_scissors.pl");
    let page = &mut visit.page;
    page.shows("#turn", "Round 1: all choose at once");
    page.click(&action("one", 1));
    page.shows("#turn", "Round 2");
    page.shows("#said", "one: rock, two: ");
    page.shows("#score caption", "Score after 1");
    page.click("#undo");
    page.shows("#turn", "Round 1");
    page.until("document.querySelector('#score').hidden");
    page.click("#redo");
    page.shows("#turn", "Round 2");
    page.reload();
    page.shows("#turn", "Round 2");
    page.shows("#score caption", "Score after 1");
    page.click("#hint");
    page.shows("#advice", "1/3");
    // Two persons: what the first has chosen is not seen before the other has.
    seat_all(page, "human");
    page.click(&action("one", 2));
    page.shows("fieldset[data-player=one] legend", "one has chosen");
    page.until(
        "document.querySelectorAll('fieldset[data-player=one] button:not(:disabled)').length === 0",
    );
    assert!(!page.text("#said").contains("paper"));
    page.click(&action("two", 1));
    page.shows("#said", "one: paper, two: rock. It pays 1, -1.");
    // By keys alone.
    page.eval("document.querySelector('fieldset[data-player=one] button').focus()");
    page.key("Enter");
    page.until("document.activeElement.closest('fieldset')?.dataset.player === 'two'");
    page.key("Enter");
    page.shows("#turn", "Round 4");
    // Two of the machine, one of them of the rule file.
    seat_all(page, "uniform");
    page.eval("(() => { const select = document.querySelector('#seats select'); select.value = 'copycat'; select.dispatchEvent(new Event('change')); })()");
    page.click("#next-round");
    page.shows("#turn", "Round 5");
    page.shows("#said", "one: rock, two: ");
    visit.end();
}

#[test]
#[ignore = "needs Chromium"]
fn stages_in_which_all_choose_at_once_come_to_an_end() {
    let mut visit = visit("stages", "file=goofspiel.pl&start=two");
    let page = &mut visit.page;
    page.shows("#turn", "Round 1");
    page.shows("#board", "prizes");
    page.click(&action("first", 2));
    page.shows("#turn", "Round 2");
    page.click(&action("first", 1));
    page.shows("#turn", "Over: first ");
    page.click("#undo");
    page.shows("#turn", "Round 2");
    seat_all(page, "mcts");
    page.click("#next-round");
    page.shows("#turn", "Over: first ");
    visit.end();
}

#[test]
#[ignore = "needs Chromium"]
fn a_solution_is_stepped_through() {
    let mut visit = visit("solve", "file=taquin.pl&start=ten&tab=solve");
    let page = &mut visit.page;
    page.until("document.querySelector('.square.live')");
    page.eval("document.querySelector('#solve-engine').value = 'idastar'");
    page.click("#solve-go");
    page.shows("#step-count", "0 / 10");
    page.shows("#solved", "idastar");
    page.click("#step-on");
    page.shows("#turn", "Plan: 1 of 10");
    page.eval(
        "document.querySelector('#step').value = 7, document.querySelector('#step').oninput()",
    );
    page.shows("#turn", "Plan: 7 of 10");
    page.click("#step-play");
    page.shows("#turn", "Plan: 10 of 10");
    page.click("#plan li:nth-child(8) button");
    page.shows("#turn", "Plan: 8 of 10");
    page.until("document.querySelectorAll('#plan [aria-current=step]').length === 1");
    page.click("#step-take");
    page.shows("#turn", "8 moves made");
    page.click("#hint, #tab-play");
    page.click("#hint");
    page.shows("#advice", "costs 2");
    visit.end();
}

#[test]
#[ignore = "needs Chromium"]
fn a_search_is_stopped_and_says_so() {
    let mut visit = visit("stop", "file=taquin15.pl&start=k1&tab=solve");
    let page = &mut visit.page;
    page.until("document.querySelector('.square.live')");
    page.eval("document.querySelector('#solve-engine').value = 'iddfs'");
    page.click("#solve-go");
    page.shows("#solve-progress", "expanded");
    page.click("#solve-stop");
    page.until("document.querySelector('#solve-stop').hidden");
    page.shows("#solve-progress", "Stopped");
    visit.end();
}

#[test]
#[ignore = "needs Chromium"]
fn the_tree_of_a_search_grows() {
    let mut visit = visit("tree", "file=taquin.pl&start=ten&tab=tree");
    let page = &mut visit.page;
    page.until("document.querySelector('.square.live')");
    page.eval("document.querySelector('#tree-engine').value = 'bfs', document.querySelector('#tree-nodes').value = 1500");
    page.eval("window.seen = []; new MutationObserver(() => seen.push(document.querySelector('#tree-frame').src)).observe(document.querySelector('#tree-frame'), { attributes: true })");
    page.click("#tree-go");
    page.shows("#tree-progress", "A path of 10 moves");
    page.until("document.querySelector('#tree-stop').hidden");
    let sources = page.eval("new Set(seen.filter(Boolean)).size");
    assert!(sources.as_u64() >= Some(2), "it was shown while it grew: {sources}");
    let path = page.eval("document.querySelector('#tree-frame').src");
    let path = path.as_str().expect("an address").to_owned();
    // What is in the frame, in a tab of its own: large, and still only what is seen is drawn.
    let mut tree = visit.browser.open(&path);
    tree.until("document.querySelector('.node')");
    assert!(tree.eval("document.querySelectorAll('svg *').length").as_u64() < Some(2000));
    // The frame is kept from the page and the server.
    assert_eq!(tree.eval("location.origin !== 'null' && self.origin"), "null");
    visit.end();
}

#[test]
#[ignore = "needs Chromium"]
fn engines_stand_beside_each_other() {
    let mut visit = visit("compare", "file=taquin.pl&start=ten&tab=compare");
    let page = &mut visit.page;
    page.until("document.querySelector('.square.live')");
    page.click("#compare-go");
    page.until("document.querySelectorAll('#compared tbody tr').length >= 9");
    page.until("document.querySelectorAll('#compared .bar').length >= 36");
    page.shows("#compared", "times fewer states");
    page.click("#compared th:nth-child(7) button");
    page.until("document.querySelector('[aria-sort=ascending]')");
    let counts = "[...document.querySelectorAll('#compared tbody tr')].map((row) => Number(row.cells[6].textContent.replace(/,/g, '')))";
    let sorted = page.eval(&format!("(() => {{ const all = {counts}; return all.every((one, at) => at === 0 || all[at - 1] <= one); }})()"));
    assert_eq!(sorted, true, "{}", page.eval(counts));
    visit.end();
}

#[test]
#[ignore = "needs Chromium"]
fn queries_are_asked_and_explained() {
    let mut visit = visit("ask", "file=taquin.pl&tab=ask");
    let page = &mut visit.page;
    page.click("#goal");
    page.write("initial_state(Name, S)");
    page.key("Enter");
    page.shows("#answers", "Name = five");
    page.click("#more");
    page.shows("#answers", "Name = two");
    page.click("#ask-stop");
    page.until("document.querySelector('#ask-stop').hidden");
    let ask = |page: &mut Page, goal: &str, button: &str| {
        page.eval("document.querySelector('#goal').value = ''");
        page.click("#goal");
        page.write(goal);
        page.click(button);
    };
    ask(page, "repeat, fail", "#ask button");
    page.until("!document.querySelector('#ask-stop').hidden");
    page.click("#ask-stop");
    page.shows(".query:last-child", "Stopped");
    ask(page, "rule(up, _, [[b,h,c],[a,f,d],[g,vide,e]], S)", "#ask-why");
    page.until("document.querySelectorAll('.proof li').length > 3");
    page.until("document.querySelectorAll('.proof details').length > 1");
    ask(page, "final_state([[a]])", "#ask-why-not");
    page.until("document.querySelector('.query:last-child .finding')");
    ask(page, "member(z, [a, b])", "#ask button");
    page.shows(".query:last-child", "false.");
    page.click(".query:last-child > button");
    page.shows(".query:last-child .goal", "why_not");
    // A place leads to the rules.
    page.click(".query .place");
    page.until(
        "!document.querySelector('#panel-rules').hidden && document.activeElement.id === 'source'",
    );
    page.until("document.querySelector('#source').selectionStart > 0");
    visit.end();
}

#[test]
#[ignore = "needs Chromium"]
fn rules_are_edited_checked_and_saved() {
    let mut visit = visit("edit", "file=nim.pl&tab=rules");
    let page = &mut visit.page;
    page.until("document.querySelector('#source').value.includes('opponent')");
    page.shows("#findings-title", "Findings: none");
    page.click("#source");
    page.eval("document.querySelector('#source').setSelectionRange(1e6, 1e6)");
    page.write("extra(X) :-");
    page.key("Enter");
    page.write("X is 3 <= 4");
    page.write(".");
    page.shows("#findings", "line");
    page.until("document.querySelector('#paint mark.error')");
    page.until("document.querySelector('#gutter .error')");
    let indented =
        page.eval("document.querySelector('#source').value.includes('extra(X) :-\\n    X is')");
    assert_eq!(indented, true);
    // The draft outlives a reload, and is what runs.
    page.shows("#saved", "A draft");
    std::thread::sleep(Duration::from_millis(900));
    page.reload();
    page.until("document.querySelector('#source')?.value.includes('extra(X)')");
    page.shows("#saved", "A draft");
    page.click("#revert");
    page.until("!document.querySelector('#source').value.includes('extra')");
    page.shows("#saved", "Saved");
    // Tab indents; Esc and Tab leave.
    page.eval("document.querySelector('#source').setSelectionRange(0, 0), document.querySelector('#source').focus()");
    page.key("Tab");
    page.until("document.querySelector('#source').value.startsWith('    ')");
    page.key("Escape");
    page.key("Tab");
    page.until("document.activeElement.id !== 'source'");
    page.click("#source");
    page.key_with("s", 2);
    page.shows("#saved", "Saved.");
    let saved = fs::read_to_string(visit.folder.join("nim.pl")).expect("there");
    assert!(saved.starts_with("    "));
    // Somebody else writes the file while it is edited.
    page.write("% mine\n");
    page.shows("#saved", "A draft");
    fs::write(visit.folder.join("nim.pl"), "% theirs\n").expect("written");
    page.click("#save");
    page.shows("#conflict", "changed meanwhile");
    assert_eq!(fs::read_to_string(visit.folder.join("nim.pl")).expect("there"), "% theirs\n");
    page.click("#conflict button");
    page.shows("#saved", "Saved.");
    assert!(fs::read_to_string(visit.folder.join("nim.pl")).expect("there").contains("% mine"));
    page.complaints.retain(|complaint| !complaint.contains("409"));
    visit.end();
}

#[test]
#[ignore = "needs Chromium"]
fn a_certain_mend_is_made() {
    let mut visit = visit("mend", "file=nim.pl&tab=rules");
    let page = &mut visit.page;
    page.until("document.querySelector('#source').value.includes('opponent')");
    page.click("#source");
    page.eval("document.querySelector('#source').setSelectionRange(1e6, 1e6)");
    page.write("é(N) :- N <= 3.\n");
    page.shows("#findings", "E0101");
    page.until("document.querySelector('#paint mark.error')?.textContent === '<='");
    page.click("#findings li:first-child > button:last-child");
    page.until("document.querySelector('#source').value.includes('é(N) :- N =< 3.')");
    page.until("!document.querySelector('#paint mark.error')");
    page.until("!document.querySelector('#findings').textContent.includes('E0101')");
    visit.end();
}

#[test]
#[ignore = "needs Chromium"]
fn reloads_tabs_and_restarts_lose_nothing() {
    let folder = folder("page_restart");
    let port = TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("it").port();
    let port = port.to_string();
    let server = Server::start_at(&folder, &port);
    let browser = Browser::start("restart");
    let url = format!("http://{}/#file=taquin.pl&start=five", server.address);
    let mut page = browser.open(&url);
    page.until("document.querySelector('.square.live')");
    page.click(&square(1, 1));
    page.shows("#turn", "1 move made");
    page.reload();
    page.shows("#turn", "1 move made");
    page.shows("#count", "1 of 1");
    // Another tab has a game of its own.
    let mut other = browser.open(&url);
    other.shows("#turn", "Your move");
    other.click("#moves button");
    other.shows("#turn", "1 move made");
    let address = page.eval("location.href");
    let mut third = browser.open(address.as_str().expect("an address"));
    third.until("document.querySelector('#moves button')");
    assert_eq!(third.text("#turn"), "Your move", "it begins in the state of the address");
    assert_eq!(
        third.eval("location.hash").as_str().map(|hash| hash.contains("state=")),
        Some(true)
    );

    server.kill();
    page.shows("#link", "The server is not there");
    page.click("#undo");
    page.shows("#count", "0 of 1");
    page.until("document.querySelectorAll('#moves button').length === 0");
    std::thread::sleep(Duration::from_millis(800));
    let server = Server::start_at(&folder, &port);
    page.shows("#link", "started anew");
    page.until("document.querySelectorAll('#moves button').length > 1");
    page.shows("#turn", "Your move");
    page.click("#redo");
    page.shows("#turn", "1 move made");
    page.click("#hint");
    page.shows("#advice", "costs");
    other.until("document.querySelector('#moves button')");
    other.click("#moves button");
    other.shows("#turn", "2 moves made");
    drop(server);
}

#[test]
#[ignore = "needs Chromium"]
fn a_search_whose_server_is_killed_is_lost_and_begun_again() {
    let folder = folder("page_killed");
    let port = TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("it").port();
    let port = port.to_string();
    let server = Server::start_at(&folder, &port);
    let browser = Browser::start("killed");
    let url = format!("http://{}/#file=taquin15.pl&start=k1&tab=solve", server.address);
    let mut page = browser.open(&url);
    page.until("document.querySelector('.square.live')");
    page.eval("document.querySelector('#solve-engine').value = 'iddfs'");
    page.click("#solve-go");
    page.shows("#solve-progress", "expanded");
    server.kill();
    page.shows("#solve-progress", "connection was lost");
    page.until("document.querySelector('#solve-stop').hidden");
    let server = Server::start_at(&folder, &port);
    page.shows("#link", "started anew");
    page.click("#solve-go");
    page.until("!document.querySelector('#solve-stop').hidden");
    page.shows("#solve-progress", "expanded");
    page.click("#solve-stop");
    page.shows("#solve-progress", "Stopped");
    page.click("#moves button, #tab-play");
    page.click("#moves button");
    page.shows("#turn", "1 move made");
    drop(server);
}

#[test]
#[ignore = "needs Chromium"]
fn a_game_is_played_by_keys_alone() {
    let mut visit = visit("game_keys", "file=connect4.pl");
    let page = &mut visit.page;
    page.until("document.querySelector('.square.live')");
    seat_all(page, "human");
    for round in 1..=4 {
        page.until("document.querySelector('.square.live')");
        page.key("b");
        page.until("document.activeElement.dataset.square");
        // The column fills from below.
        if round > 1 {
            page.key("ArrowUp");
        }
        page.key("Enter");
        page.shows("#count", &format!("{round} of {round}"));
    }
    // The list of moves by Tab and Enter.
    page.until("document.querySelector('.square.live')");
    page.eval("document.querySelector('#moves button').focus()");
    page.key("Tab");
    page.key("Enter");
    page.shows("#count", "5 of 5");
    page.key("u");
    page.shows("#count", "4 of 5");
    visit.end();
}

/// Times between frames, while a wheel turns and the picture is dragged.
const FRAMES: &str = "new Promise((done) => {
    const times = []; let last = performance.now(); let left = 90;
    const drawing = document.querySelector('svg');
    const box = drawing.getBoundingClientRect();
    const at = (more) => ({ bubbles: true, cancelable: true, pointerId: 1, button: 0, buttons: 1,
        clientX: box.x + box.width / 2 + more, clientY: box.y + box.height / 2 + more });
    drawing.dispatchEvent(new PointerEvent('pointerdown', at(0)));
    const step = (now) => {
        times.push(now - last); last = now; left -= 1;
        if (left === 0) {
            drawing.dispatchEvent(new PointerEvent('pointerup', at(0)));
            times.sort((one, other) => one - other);
            done(times);
            return;
        }
        drawing.dispatchEvent(new PointerEvent('pointermove', at(90 - left)));
        if (left % 10 === 0) drawing.dispatchEvent(new WheelEvent('wheel', { ...at(0), deltaY: left % 20 === 0 ? 120 : -120 }));
        requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
})";

#[test]
#[ignore = "needs Chromium"]
fn ten_thousand_nodes_are_panned_and_zoomed() {
    let mut visit = visit("fluent", "file=taquin15.pl&start=k1&tab=tree");
    let page = &mut visit.page;
    page.until("document.querySelector('.square.live')");
    page.eval("document.querySelector('#tree-engine').value = 'bfs', document.querySelector('#tree-nodes').value = 10000");
    page.click("#tree-go");
    page.until(
        "document.querySelector('#tree-frame').src && document.querySelector('#tree-stop').hidden",
    );
    let path = page.eval("document.querySelector('#tree-frame').src");
    let mut tree = visit.browser.open(path.as_str().expect("an address"));
    tree.until("document.querySelector('.node')");
    // How long each took is for those who look; here they have to come.
    let times = tree.eval(FRAMES);
    assert!(times.as_array().is_some_and(|times| times.len() > 30), "{times}");
    visit.end();
}

#[test]
#[ignore = "needs Chromium"]
fn it_fits_small_and_large_windows_in_light_and_dark() {
    let mut visit = visit("looks", "file=taquin.pl");
    let address = visit.server.address.clone();
    let page = &mut visit.page;
    for (width, height) in [(360, 760), (2000, 1100)] {
        page.size(width, height);
        for scheme in ["light", "dark"] {
            page.prefer("prefers-color-scheme", scheme);
            for (name, hash, ready) in [
                ("taquin", "file=taquin.pl", ".square.live"),
                ("tictactoe", "file=tictactoe.pl", ".square.live"),
                ("connect4", "file=connect4.pl", ".square.live"),
                ("reversi", "file=reversi.pl", ".square.live"),
                ("taquin15", "file=taquin15.pl", ".square.live"),
                ("sudoku", "file=sudoku.pl", "#solve-go:enabled, .square.live"),
                ("rounds", "file=rock_paper_scissors.pl", "#choices button"),
                ("editor", "file=nim.pl&tab=rules", "#paint span"),
                ("ask", "file=nim.pl&tab=ask", "#goal"),
            ] {
                page.go("about:blank");
                page.go(&format!("http://{address}/#{hash}"));
                page.until(&format!("document.querySelector({ready:?})"));
                let over = page.eval(
                    "document.documentElement.scrollWidth - document.documentElement.clientWidth",
                );
                assert_eq!(over, 0, "{name} at {width}");
                let paper = page.eval("getComputedStyle(document.body).backgroundColor");
                assert_eq!(paper == "rgb(255, 255, 255)", scheme == "light", "{paper}");
                page.picture(&format!("{name}-{width}-{scheme}"));
            }
        }
    }
    // The switch has the last word, and is remembered.
    page.click("#theme");
    let paper =
        "document.body && getComputedStyle(document.body).backgroundColor === 'rgb(255, 255, 255)'";
    page.until(paper);
    page.reload();
    page.until(paper);
    page.prefer("prefers-reduced-motion", "reduce");
    page.go(&format!("http://{address}/#file=taquin.pl"));
    page.until("document.querySelector('.square.live')");
    let moves = page.eval("getComputedStyle(document.querySelector('.square rect')).animationName");
    assert_eq!(moves, "none");
    visit.end();
}

#[test]
#[ignore = "needs Chromium"]
fn it_is_told_to_those_who_do_not_see_it() {
    let mut visit = visit("spoken", "file=taquin.pl");
    let page = &mut visit.page;
    page.until("document.querySelector('.square.live')");
    let spoken = page.spoken();
    let count = |role: &str| spoken.iter().filter(|(own, _)| own == role).count();
    assert_eq!((count("grid"), count("row"), count("gridcell")), (1, 3, 9), "{spoken:?}");
    assert!(
        spoken.contains(&("gridcell".to_owned(), "row 2, column 2: f; up".to_owned())),
        "{spoken:?}"
    );
    assert_eq!((count("tablist"), count("tab")), (1, 6));
    for role in [
        "button",
        "combobox",
        "tab",
        "gridcell",
        "textbox",
        "slider",
        "spinbutton",
        "tabpanel",
        "grid",
    ] {
        let nameless = spoken.iter().filter(|(own, name)| own == role && name.is_empty()).count();
        assert_eq!(nameless, 0, "{role}: {spoken:?}");
    }
    for panel in ["solve", "tree", "compare", "ask", "rules"] {
        page.click(&format!("#tab-{panel}"));
        for (role, name) in page.spoken() {
            let needs = ["button", "combobox", "textbox", "slider", "spinbutton", "checkbox"]
                .contains(&role.as_str());
            assert!(!needs || !name.is_empty(), "{role} in {panel}");
        }
    }
    let live = page.eval("document.querySelector('#turn').getAttribute('aria-live')");
    assert_eq!(live, "polite");
    visit.end();
}
