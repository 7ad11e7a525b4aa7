//! What people type: at the prompt, and as arguments of the command line.

use super::{Read, file, refusal, sandboxed, with_rules};
use zug::repl::{Piped, Repl};
use zug::usecases::play::Agent;
use zug::usecases::train::Against;
use zug::usecases::tree::{TreeRequest, read_goal, tree};

const NIM: &str = include_str!("../../../rules/nim.pl");

/// A dialogue at the prompt, with rules of a game loaded: queries, commands, moves of a game,
/// trees, trainings.
pub fn prompt(bytes: &[u8]) -> Read {
    let text = String::from_utf8_lossy(bytes);
    let rules = file("nim.pl", NIM.as_bytes());
    let mut session = sandboxed(text.as_bytes());
    let tally = Repl::new(&mut session, Box::new(Piped), (false, false)).run(&[rules]);
    match tally {
        Ok(_) => Read::Taken,
        Err(error) => Read::Refused(error.to_string()),
    }
}

/// Dialogues.
pub fn dialogues() -> Vec<Vec<u8>> {
    let all = [
        "play([as(a), level(2), seed(1)]).\n3\ntake(1)\nboard\nundo\nhint\neval\nmoves\nquit\n",
        "play([against(random), against(alphabeta, 2), seed(4)]).\nquit\nX = 1.\n",
        "play([as(b), first(b), seed(2), time(0.01)]).\nswap\nagain\n:undo\ntake(X)\nhelp\n",
        "train([games(20), method(q), seed(1)]).\n:hints off\nfail.\n;\n",
        "train([games(30), against(alphabeta, 1), beads(3, 1, -1), punish(true)]).\n",
        "tree(moves).\ntree(negamax(a, S, 0, 2)).\ntree(moves, [depth(1), graph, label(term)]).\n",
        ":help\n:commands\n:engines\n:full\n:load nowhere\n:hints\n:quit\n",
        "negamax(J, S, 0, 3).\nwinning(a, 7).\nbest_move(a, 6, M).\nstrategy(a, 4, T).\n",
        "member(X, [a, b, c]).\n;\n;\nlength(L, N).\n;\n[user].\np(1).\np(2).\nend_of_file.\np(X).\n",
        "trace_tree(move(a, M, 3, S)).\nprofile(winning(a, 5)).\nspy(move/4).\nnospyall.\n",
        "compare([alphabeta, minimax], [depth(2)]).\nprint_state(5).\nperft(2, N, T).\n",
        "X = f(Y, \"text\", 'a b', 0'c, 1.5e300, [1|T]), print(X), nl.\n% comment\nlisting(most/1).\n",
    ];
    all.iter().map(|text| text.as_bytes().to_owned()).collect()
}

/// A command line, a word on each line: read, not run. A word may be an opponent, or the goal of
/// a tree, too.
pub fn options(bytes: &[u8]) -> Read {
    let text = String::from_utf8_lossy(bytes);
    let words: Vec<&str> = text.lines().collect();
    for word in &words {
        // What is read is written so that it reads the same.
        if let Ok(agent) = word.parse::<Agent>() {
            assert_eq!(agent.to_string().parse(), Ok(agent), "{word}");
        }
        let _ = word.parse::<Against>();
    }
    if let Some(goal) = words.iter().find(|word| word.contains('(')) {
        let mut session = with_rules(NIM);
        let mut request = TreeRequest { max_nodes: Some(50), ..TreeRequest::default() };
        request.limits.depth = Some(2);
        request.limits.nodes = Some(100);
        match read_goal(&mut session, goal, &mut request) {
            // What a goal says goes before what options say.
            Ok(()) if request.limits.depth.is_none_or(|depth| depth < 5) => {
                request.limits.nodes = Some(100);
                let _ = tree(&mut session, &request);
            }
            Ok(()) => {}
            Err(failure) => {
                let _ = refusal(&failure);
            }
        }
    }
    match zug::cli::understand(words.iter().map(|word| word.into())) {
        Ok(()) => Read::Taken,
        Err(why) => Read::Refused(why),
    }
}

/// Command lines.
pub fn lines() -> Vec<Vec<u8>> {
    let all = [
        "solve rules/taquin.pl --engine wastar --weight 1.5 --all --time 10s --nodes 5M",
        "solve a.pl --player x --state [[x,_],[_,o]] --depth 4 --memory 1.5G --format jsonl",
        "solve a.pl --engine mcts --playouts 5k --exploration 1.4 --rave 300 --cutoff 20 --seed 7",
        "tree rules/nim.pl negamax(a,S,0,3) --graph --symmetry --highlight pv,path --label term",
        "tree rules/nim.pl astar(P,C,[weight(2),nodes(10)]) --max-nodes 20 -o x.svg --force",
        "compare a.pl --engines astar,ucs --heuristics h --random 3 --steps 9 --plot svg a.svg",
        "compare a.pl --plot=text --plot svg b.svg --format csv --no-specialize",
        "train a.pl --games 100 --method q --epsilon 0.5 --against alphabeta:4 --plot=text",
        "play a.pl --as x --against level:5 --against policy:'a b' --games 3 --seed 1 --time 1s",
        "match a.pl history(3) mixture([1,2,3]) --rounds 100 --seed 1",
        "tournament a.pl uniform nash fixed(rock) --to 50 --matches 4 --plot svg t.svg",
        "batch a b @list *.pl -j 4 --queries --timeout 1m --out r.jsonl --resume --total-time 8h",
        "query a.pl member(X,[1,2]) -n 3 --inferences 100k --output 10M --sandbox",
        "nash a.pl --eliminate=weak --all --time 1s",
        "heuristics a.pl --heuristic a,b --samples 3 --limit 5k",
        "enumerate a.pl --instance 2 --save a.db --force --depth 3",
        "db info a.db --format json",
        "trace a.pl p(X) --predicate p/1 --format html -o t.html",
        "profile a.pl p --flame f.svg",
        "test a.pl b.pl --format junit --jobs 2",
        "specialize a.pl --emit residual --predicate rule/4",
    ];
    all.iter().map(|line| line.replace(' ', "\n").into_bytes()).collect()
}
