//! The gallery of `zug serve`, what stands beside a board, and what a board shows, in a browser.
//!
//! As the other tests of the page these need Chromium: `cargo test --test all serve::gallery -- --ignored`.

use super::browser::{Browser, Page};
use super::client::{Server, add, folder};
use super::page::{Visit, seat_all, square, visit};
use std::fs;

/// The gallery of a folder that holds a file of each kind, and two that fail to load.
fn gallery(name: &str) -> Visit {
    let folder = folder(&format!("gallery_{name}"));
    add(&folder, &["coins.pl", "sudoku.pl", "rock_paper_scissors.pl"]);
    fs::write(folder.join("broken.pl"), "% A broken file.\np :- \n").expect("written");
    fs::write(folder.join("loops.pl"), "% It loops.\n:- repeat, fail.\n").expect("written");
    let server = Server::start(&folder, &[]);
    let browser = Browser::start(&format!("gallery_{name}"));
    let page = browser.open(&format!("http://{}/", server.address));
    Visit { page, browser, server, folder }
}

fn all_are_loaded(page: &mut Page) {
    page.until("document.querySelectorAll('.card').length >= 10");
    page.until("document.querySelector('#cards-waiting').children.length === 0");
}

/// The names of the files of a group.
fn files(page: &mut Page, group: &str) -> String {
    let script = format!(
        "[...document.querySelectorAll('#cards-{group} .file')].map((one) => one.textContent).join(' ')"
    );
    page.eval(&script).as_str().unwrap_or_default().to_owned()
}

#[test]
#[ignore = "needs Chromium"]
fn the_gallery_groups_files_and_lists_broken_ones() {
    let mut visit = gallery("groups");
    let page = &mut visit.page;
    all_are_loaded(page);
    assert_eq!(files(page, "puzzles"), "taquin.pl taquin15.pl");
    assert_eq!(files(page, "two"), "nim.pl pig.pl tictactoe.pl");
    assert_eq!(files(page, "games"), "coins.pl rock_paper_scissors.pl");
    assert_eq!(files(page, "models"), "sudoku.pl");
    assert_eq!(files(page, "broken"), "broken.pl loops.pl");
    page.shows("#group-broken", "errors");
    page.shows("#cards-puzzles .card", "The taquin, or eight-puzzle");
    let squares =
        page.eval("document.querySelectorAll('#cards-puzzles .card:first-child .square').length");
    assert_eq!(squares, 9);
    page.shows("#gallery-count", "10 files");
    // What is looked for is found by any word.
    page.click("#filter");
    page.write("eight-puzzle");
    page.shows("#gallery-count", "1 of 10 files");
    page.until("document.querySelector('#group-two').hidden");
    // A broken file is opened at its text.
    page.eval(
        "document.querySelector('#filter').value = '', document.querySelector('#filter').oninput()",
    );
    page.click("#cards-broken a");
    page.until("!document.querySelector('#panel-rules').hidden");
    page.shows("#said", "errors");
    // The browser's way back leads to the gallery.
    page.eval("history.back()");
    page.until("!document.querySelector('#gallery').hidden");
    visit.end();
}

#[test]
#[ignore = "needs Chromium"]
fn the_gallery_is_used_by_keys_alone() {
    let mut visit = gallery("keys");
    let page = &mut visit.page;
    all_are_loaded(page);
    // The skip link, then the first card.
    page.key("Tab");
    page.until("document.activeElement.id === 'skip'");
    page.key("Enter");
    page.until("document.activeElement.closest('.card')");
    page.key("Tab");
    page.key("Enter");
    page.shows("#turn", "Your move");
    let hash = page.eval("location.hash");
    assert!(hash.as_str().is_some_and(|hash| hash.starts_with("#file=taquin15.pl")), "{hash}");
    page.eval("document.querySelector('#home').focus()");
    page.key("Enter");
    page.until("!document.querySelector('#gallery').hidden");
    visit.end();
}

#[test]
#[ignore = "needs Chromium"]
fn a_file_that_is_not_there_is_said() {
    let mut visit = gallery("unknown");
    let address = visit.server.address.clone();
    let page = &mut visit.page;
    page.go("about:blank");
    page.go(&format!("http://{address}/#file=nothing.pl"));
    page.shows("#gallery-notice", "There is no rule file nothing.pl in this folder");
    all_are_loaded(page);
    visit.end();
}

#[test]
#[ignore = "needs Chromium"]
fn rules_and_goal_stand_beside_the_board() {
    let mut visit = visit("about", "file=taquin.pl");
    let page = &mut visit.page;
    page.shows("#about-title", "The taquin, or eight-puzzle");
    page.shows("#about-rules", "Eight tiles lie in a frame");
    page.shows("#about-goal", "Goal");
    page.until("document.querySelectorAll('#about-board .square').length === 9");
    page.shows("#about-more", "A state is the list of its rows");
    page.click("#tab-solve");
    page.until("document.querySelector('#about').hidden");
    page.click("#tab-play");
    page.eval("location.hash = '#file=tictactoe.pl'");
    page.shows("#about-goal", "How it ends: Who first fills a row");
    page.eval("location.hash = '#file=sudoku.pl'");
    page.shows("#about-goal", "Fill in the digits");
    visit.end();
}

#[test]
#[ignore = "needs Chromium"]
fn the_last_move_the_winning_line_and_coordinates_are_shown() {
    let mut visit = visit("marks", "file=tictactoe.pl");
    let page = &mut visit.page;
    page.until("document.querySelector('.square.live')");
    assert_eq!(page.text(".edge"), "123123");
    seat_all(page, "human");
    for (count, (row, column)) in [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2)].into_iter().enumerate() {
        page.until("document.querySelector('.square.live')");
        page.click(&square(row, column));
        page.shows("#count", &format!("{0} of {0}", count + 1));
        let last = "[...document.querySelectorAll('.square.last')].map((one) => one.dataset.square).join(' ')";
        assert_eq!(page.eval(last), format!("{row},{column}"));
    }
    page.shows("#turn", "Over");
    let marked = "[...document.querySelectorAll('.square.marked')].map((one) => one.dataset.square).join(' ')";
    assert_eq!(page.eval(marked), "0,0 0,1 0,2");
    let spoken = page.spoken();
    let last = "row 1, column 3: x, marked; last move";
    assert!(spoken.contains(&("gridcell".to_owned(), last.to_owned())), "{spoken:?}");
    visit.end();
}

#[test]
#[ignore = "needs Chromium"]
fn a_click_means_what_the_rules_say() {
    let mut visit = visit("click", "file=connect4.pl");
    let page = &mut visit.page;
    page.until("document.querySelector('.square.live')");
    seat_all(page, "human");
    // The upper square of a column: the disc falls down.
    page.click(&square(0, 2));
    page.shows("#count", "1 of 1");
    let bottom = "document.querySelector('.square.last')?.dataset.square.endsWith(',2')";
    page.until(bottom);
    visit.end();
}

/// A board of text: squares of single characters, or lines of which parts change.
const TEXTS: &str = "% Lamps.
initial_state(squares, s([o,o,o,o])).
initial_state(lines, l([o,o,o])).
final_state(s([x,x,x,x])).
final_state(l([x,x,x])).
rule(light(I), 1, s(L1), s(L2)) :- light(I, L1, L2).
rule(light(I), 1, l(L1), l(L2)) :- light(I, L1, L2).
light(I, L1, L2) :- nth1(I, L1, o, Rest), nth1(I, L2, x, Rest).
print_state(s([A,B,C,D])) :- format(\"~w ~w~n~w ~w~nfour lamps~n\", [A,B,C,D]).
print_state(l([A,B,C])) :- format(\"hall: ~w  stairs: ~w~ncellar: ~w~n\", [A,B,C]).
";

#[test]
#[ignore = "needs Chromium"]
fn text_boards_are_split_where_they_are_clicked() {
    let folder = folder("page_texts");
    fs::write(folder.join("lamps.pl"), TEXTS).expect("written");
    let server = Server::start(&folder, &[]);
    let browser = Browser::start("texts");
    let mut page = browser.open(&format!("http://{}/#file=lamps.pl", server.address));
    page.until("document.querySelectorAll('.square.live').length === 4");
    page.shows(".below", "four lamps");
    page.click(&square(1, 0));
    page.shows("#turn", "1 move made");
    page.until("document.querySelector('[data-square=\"1,0\"] text').textContent === 'x'");
    page.go("about:blank");
    page.go(&format!("http://{}/#file=lamps.pl&start=lines", server.address));
    page.until("document.querySelectorAll('.part.live').length === 3");
    page.click("[data-square=\"0,17\"]");
    page.shows("#turn", "1 move made");
    page.shows(".lines", "stairs: x");
    assert_eq!(page.text(".part.last"), "x");
    // Arrows walk from part to part.
    page.key("b");
    page.key("ArrowDown");
    page.until("document.activeElement.dataset.square.startsWith('1,')");
    page.eval("1");
    assert!(page.complaints.is_empty(), "{:#?}", page.complaints);
}

#[test]
#[ignore = "needs Chromium"]
fn arrow_keys_move_where_moves_are_directions() {
    let folder = folder("page_arrows");
    add(&folder, &["sokoban.pl"]);
    let server = Server::start(&folder, &[]);
    let browser = Browser::start("arrows");
    let mut page = browser.open(&format!("http://{}/#file=sokoban.pl", server.address));
    page.until("document.querySelector('.square.live')");
    page.until("!document.querySelector('#arrows-hint').hidden");
    // From anywhere but fields, and from the board.
    page.key("ArrowLeft");
    page.shows("#turn", "1 move made");
    page.key("b");
    page.key("ArrowRight");
    page.shows("#turn", "2 moves made");
    page.key("ArrowDown");
    page.shows("#said", "No move goes there");
    page.shows("#turn", "2 moves made");
    // With Shift they walk the squares.
    let before = page.eval("document.activeElement.dataset.square");
    page.key_with("ArrowUp", 8);
    assert_ne!(page.eval("document.activeElement.dataset.square"), before);
    page.shows("#turn", "2 moves made");
    assert!(page.complaints.is_empty(), "{:#?}", page.complaints);
}

#[test]
#[ignore = "needs Chromium"]
fn a_new_file_is_created() {
    let mut visit = gallery("new");
    let page = &mut visit.page;
    all_are_loaded(page);
    page.click("#new-open");
    page.until("document.querySelector('#new').open");
    page.write("nim");
    page.key("Enter");
    page.shows("#new-words", "there is a file `nim.pl` already");
    page.eval("document.querySelector('#new-name').value = '../nim.pl'");
    page.click("#new-create");
    page.shows("#new-words", "can't be the name of a rule file");
    page.eval("document.querySelector('#new-name').value = 'mine'");
    page.eval("document.querySelector('#new-template').value = 'game'");
    page.click("#new-create");
    page.until("!document.querySelector('#new').open");
    page.until("document.querySelector('#source').value.includes('zug solve mine.pl')");
    page.shows("#turn", "x to move");
    let text = fs::read_to_string(visit.folder.join("mine.pl")).expect("it is there");
    assert!(text.starts_with("% A game for two"));
    page.eval("document.querySelector('#home').click()");
    page.until("document.querySelectorAll('#cards-two .card').length === 4");
    page.complaints.retain(|complaint| !complaint.contains("409"));
    visit.end();
}

#[test]
#[ignore = "needs Chromium"]
fn rules_are_shared_by_a_link() {
    let mut visit = visit("share", "file=taquin.pl&start=two&tab=rules");
    let page = &mut visit.page;
    page.until("document.querySelector('#source').value.includes('é') === false && document.querySelector('#source').value.includes('vide')");
    page.click("#source");
    page.eval("document.querySelector('#source').setSelectionRange(0, 0)");
    page.write("% Shared é.\n%\n");
    page.click("#share-open");
    page.until(
        "document.querySelector('#share').open && document.querySelector('#share-link').value",
    );
    let link = page.eval("document.querySelector('#share-link').value");
    let link = link.as_str().expect("a link").to_owned();
    assert!(link.contains("/#rules=") && link.len() < 4000, "{link}");
    page.key("Escape");
    let mut other = visit.browser.open(&link);
    other.shows("#notice", "come from a link and are not saved");
    other.shows("#notice", "sandbox");
    other.shows("#turn", "Your move");
    other.shows("#about-title", "Shared é");
    assert_eq!(other.eval("document.querySelector('#instance').value"), "two");
    other.click("#moves button");
    other.shows("#turn", "1 move made");
    other.reload();
    other.shows("#turn", "1 move made");
    // Saved under a name of its own.
    other.click("#notice button");
    other.until("document.querySelector('#new').open");
    other.write("shared.pl");
    other.key("Enter");
    other.until("document.querySelector('#notice').hidden");
    other.until("location.hash.startsWith('#file=shared.pl')");
    let text = fs::read_to_string(visit.folder.join("shared.pl")).expect("it is there");
    assert!(text.starts_with("% Shared é."));
    // A link that was cut says so.
    let mut cut = visit.browser.open(&link[..link.len() - 200]);
    cut.shows("#gallery-notice", "can't be read");
    visit.end();
}

#[test]
#[ignore = "needs Chromium"]
fn a_comparison_fits_its_place_and_says_what_time_is_left() {
    let mut visit = visit("compare_fits", "file=taquin.pl&start=ten&tab=compare");
    let page = &mut visit.page;
    page.until("document.querySelector('.square.live')");
    page.click("#compare-go");
    page.until("document.querySelectorAll('#compared tbody tr').length >= 9");
    let over = "document.querySelector('#compared').scrollWidth - document.querySelector('#compared').clientWidth";
    assert_eq!(page.eval(over), 0);
    let left = "import('/part/dom.js').then((dom) => [dom.timeLeft(2, 6, 3), dom.timeLeft(0, 6, 3), dom.timeLeft(6, 6, 3)].join('/'))";
    assert_eq!(page.eval(left), "about 6 s left//");
    visit.end();
}
