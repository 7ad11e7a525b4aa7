% Checks a certificate of zug (docs/certificates.md) against a rule file:
%
%     swipl check.pl -- RULES CERTIFICATE
%
% Exit status 0: accepted, 1: rejected, 2: wrong usage, 3: the rules can't be loaded, 5: an error in them.
% The program knows nothing of zug. It consults the rules and asks them for each record what follows from it;
% nothing in the certificate is taken on trust. The rules live in the module `user`, the program in its own.

:- module(certificate_check, [main/0]).
:- set_prolog_flag(optimise, true).

:- dynamic
    fact/2,         % fact(Line, Term): the claim, and the steps of a plan
    open_term/2,    % open_term(Line, Term): a term with variables
    listed/4,       % listed(Hash, State, Line, Cost): a state of a closed list, variables as '$V'(N)
    holds/6.        % holds(Hash, Position, Line, Player, Rank, Move): a position of a strategy; of a table of
                    % values, with `all` for the player and the values for the move

:- initialization(main, main).

main :-
    current_prolog_flag(argv, Arguments),
    (   Arguments = [Rules, Certificate]
    ->  catch(run(Rules, Certificate, Status), Error, failed(Error, Status))
    ;   write(user_error, 'usage: swipl check.pl -- RULES CERTIFICATE\n'), Status = 2
    ),
    halt(Status).

run(Rules, Certificate, 0) :-
    load_rules(Rules),
    read_certificate(Certificate, Kind),
    check(Kind, Proves),
    write('accepted: '), write(Proves), nl.

failed(rejected(Line, Why), 1) :- !,
    write('rejected: '),
    ( Line == none -> true ; print_words(['line ', Line, ': ']) ),
    print_words(Why), nl.
failed(unreadable(What, Error), Status) :- !,
    ( What == rules -> Status = 3 ; Status = 2 ),
    print_message(error, Error).
failed(Error, 5) :- print_message(error, Error).

print_words(Why) :- is_list(Why), !, forall(member(Word, Why), write_term(Word, [max_depth(30)])).
print_words(Why) :- write(Why).

reject(Line, Why) :- throw(rejected(Line, Why)).

must(Goal, _, _) :- call(Goal), !.
must(_, Line, Why) :- reject(Line, Why).

% The rules ---------------------------------------------------------------

load_rules(File) :-
    set_prolog_flag(optimise, false),
    style_check(-singleton),
    style_check(-discontiguous),
    catch(load_files(user:File, [silent(true)]), Error, throw(unreadable(rules, Error))).

% Whether the rules define a predicate.
defined(Name, Arity) :-
    functor(Head, Name, Arity),
    current_predicate(Name, user:Head),
    \+ predicate_property(user:Head, imported_from(_)).

% The certificate ---------------------------------------------------------

read_certificate(File, Kind) :-
    check_sum(File, Given),
    open(File, read, Stream, [encoding(utf8)]),
    call_cleanup(read_records(Stream, Kind, Given), close(Stream)).

read_records(Stream, Kind, sum(Sum)) :-
    read_clause_at(Stream, 1, First),
    must(First = certificate(Kind, 1), 1, 'it does not begin with certificate(KIND, 1)'),
    read_record(Stream, 2, Last),
    must(Last = checksum(Records, Given), none, 'it does not end with checksum(RECORDS, SUM)'),
    must(Sum == Given, none, ['it was changed: its checksum is ', Sum, ', not ', Given]),
    aggregate_all(count, record(_), Found),
    must(Records == Found, none, ['it has ', Found, ' records, not ', Records]).

record(Line) :- fact(Line, _).
record(Line) :- listed(_, _, Line, _).
record(Line) :- holds(_, _, Line, _, _, _).
read_clause_at(Stream, Line, Term) :-
    catch(read_term(Stream, Term, [module(user)]), error(syntax_error(What), _),
          reject(Line, ['it can''t be read as a record: ', What])).

% Reads up to the last record.
read_record(Stream, Line, Last) :-
    read_clause_at(Stream, Line, Term),
    (   Term == end_of_file
    ->  reject(Line, 'the text ends without a checksum')
    ;   Term = checksum(_, _)
    ->  Last = Term,
        read_clause_at(Stream, Line, End),
        must(End == end_of_file, Line, 'the text goes on behind the checksum')
    ;   must(nonvar(Term), Line, 'it can''t be read as a record'),
        keep(Term, Line),
        Next is Line + 1,
        read_record(Stream, Next, Last)
    ).

keep(closed(Cost, State), Line) :- !,
    must(number(Cost), Line, 'its cost is no number'),
    key(State, Key, Hash),
    must(\+ listed(Hash, Key, _, _), Line, 'the state is listed before'),
    keep_state(Line, State),
    assertz(listed(Hash, Key, Line, Cost)).
keep(holds(Player, Mover, State, Rank), Line) :- !,
    keep_position(Player, Mover, State, Rank, none, Line).
keep(holds(Player, Mover, State, Rank, Move), Line) :- !,
    key(Move, Key, _),
    keep_position(Player, Mover, State, Rank, move(Key), Line).
keep(worth(Mover, State, Rank, Values), Line) :- !,
    must(catch(maplist(exact, Values, Exact), _, fail), Line, 'its values are no list of numbers'),
    keep_position(all, Mover, State, Rank, Exact, Line).
keep(Term, Line) :- assertz(fact(Line, Term)).

keep_position(Player, Mover, State, Rank, Move, Line) :-
    must((integer(Rank), Rank >= 0), Line, 'its rank is no natural number'),
    key(at(Mover, State), Key, Hash),
    must(\+ holds(Hash, Key, _, Player, _, _), Line, 'the position is listed before'),
    keep_state(Line, at(Mover, State)),
    assertz(holds(Hash, Key, Line, Player, Rank, Move)).

% The checksum: Adler-32 of all bytes before the last line.
check_sum(File, sum(Sum)) :-
    catch(open(File, read, Stream, [type(binary)]), Error, throw(unreadable(certificate, Error))),
    call_cleanup(add_bytes(Stream, 1, 0, 1, 0, Sum), close(Stream)).

% A and B are the sums so far, A0 and B0 those at the beginning of the line.
add_bytes(Stream, A0, B0, A, B, Sum) :-
    get_byte(Stream, Byte),
    (   Byte =:= -1
    ->  Sum is B0 mod 65521 * 65536 + A0 mod 65521
    ;   A1 is A + Byte,
        B1 is B + A1,
        (   Byte =:= 10, peek_byte(Stream, Next), Next =\= -1
        ->  A2 is A1 mod 65521,
            B2 is B1 mod 65521,
            add_bytes(Stream, A2, B2, A2, B2, Sum)
        ;   add_bytes(Stream, A0, B0, A1, B1, Sum)
        )
    ).

% Terms -------------------------------------------------------------------

% key(Term, Key, Hash): variants have the same key, a copy with '$V'(N) for variables.
key(Term, ground(Term), Hash) :- ground(Term), !, term_hash(Term, Hash).
key(Term, open(Copy), Hash) :-
    must(\+ has_number(Term), none, 'no term of the rules may be of the form $V(N)'),
    copy_term(Term, Copy),
    numbervars(Copy, 0, _, [functor_name('$V')]),
    term_hash(Copy, Hash).

has_number(Term) :- compound(Term), ( Term = '$V'(_) ; arg(_, Term, Part), has_number(Part) ), !.
% keep_state(Line, Term): what is listed there, if it has variables; state(Line, Key, Term) finds it again.
keep_state(_, Term) :- ground(Term), !.
keep_state(Line, Term) :- assertz(open_term(Line, Term)).
state(_, ground(Term), Term) :- !.
state(Line, _, Term) :- open_term(Line, Term).
variant(A, B) :- key(A, Key, _), key(B, Key, _).

% Floats that differ by one part in 10^9 count as the same where sums are compared.
at_least(A, B) :- A >= B, !.
at_least(A, B) :- ( float(A) ; float(B) ), !, B - A =< 1.0e-9 * max(abs(A), abs(B)).
same(A, B) :- at_least(A, B), at_least(B, A).

% Claims ------------------------------------------------------------------

% The only record of a name.
only(Record, Line) :-
    findall(Line-Record, fact(Line, Record), Found),
    functor(Record, Name, Arity),
    (   Found = [Line-Record] -> true
    ;   Found = [] -> reject(none, ['there is no record ', Name/Arity])
    ;   Found = [_, Second-_|_], reject(Second, ['a second record ', Name/Arity])
    ).

check_records(Kind, Records) :-
    forall(fact(Line, Fact),
           must(member(Fact, Records), Line, ['a certificate of this kind has no such record: ', Fact])),
    forall(listed(_, _, Line, _), must(memberchk(Kind, [cheapest, unsolvable]), Line, 'it has no such record')),
    forall(holds(_, _, Line, Player, _, _),
           must((Player == all -> Kind == values ; Kind == value), Line, 'it has no such record')).

start(State, From) :-
    only(start(Origin, State), Line),
    must((nonvar(Origin), origin(Origin, State, From)), Line, 'the rules do not begin there').

origin(given, _, given).
origin(instance, State, 'the initial state') :- user:initial_state(First), variant(First, State).
origin(instance(Name), State, Name) :- user:initial_state(Known, First), variant(Known-First, Name-State).

check(Kind, Proves) :-
    must(records(Kind, Records), 1, ['there is no kind ', Kind, ' of certificates']),
    check_records(Kind, Records),
    check_kind(Kind, Proves).

records(plan, [start(_, _), cost(_), step(_, _)]).
records(cheapest, [start(_, _), cost(_), step(_, _), given(_)]).
records(unsolvable, [start(_, _), given(_)]).
records(value, [start(_, _), player(_), utilities(_, _), value(_)]).
records(values, [start(_, _), player(_), utilities(_, _), values(_), players(_)]).

check_kind(plan, Proves) :-
    start(State, From),
    only(cost(Cost), _),
    check_plan(State, Cost),
    phrase_words(['there is a plan of cost ', Cost, ' from ', From], Proves).
check_kind(cheapest, Proves) :-
    start(State, From),
    only(cost(Cost), Line),
    must(number(Cost), Line, 'its cost is no number'),
    check_plan(State, Cost),
    given(Heuristic, If),
    check_closed(State, Cost, Heuristic),
    phrase_words(['no plan from ', From, ' is cheaper than ', Cost, If], Proves).
check_kind(unsolvable, Proves) :-
    start(State, From),
    given(Heuristic, If),
    check_closed(State, none, Heuristic),
    phrase_words(['there is no plan from ', From, If], Proves).
check_kind(value, Proves) :-
    start(State, From),
    only(player(Player), _),
    only(value(Given), Line),
    must(catch(exact(Given, Value), _, fail), Line, 'its value is no number'),
    check_value(Player, State, Value),
    phrase_words(['the game from ', From, ' is worth ', Given, ' to ', Player, ', who is to move'], Proves).
check_kind(values, Proves) :-
    start(State, From),
    only(player(Mover), _),
    only(values(Given), Line),
    only(players(Players), Line1),
    must((ground(Players), sort(Players, Sorted), same_length(Players, Sorted)), Line1, 'the players are no list'),
    check_values(Players, at(Mover, State), Given, Line),
    ( fact(_, utilities(each, _)) -> If = ', if players make the first of moves equally good to them' ; If = '' ),
    phrase_words(['the game from ', From, ' is worth ', Given, ' to ', Players, If], Proves).

phrase_words(Words, Text) :- with_output_to(atom(Text), print_words(Words)).

given(none, '') :- \+ fact(_, given(_)), !.
given(Heuristic, If) :-
    only(given(Heuristic), Line),
    must((ground(Heuristic), known(Heuristic)), Line, 'the rules have no such heuristic'),
    phrase_words([', if ', Heuristic, ' never overestimates'], If).

known(heuristic) :- defined(heuristic, 2).
known(heuristic(_)) :- defined(heuristic, 3).

% Puzzles -----------------------------------------------------------------

% move(State, Move, Cost, Next): a move of the rules, with its cost as a number.
move(State, Move, Cost, Next) :- user:rule(Move, Given, State, Next), Cost is Given.
final(State) :- \+ \+ user:final_state(State).

% A plan: its moves made one after the other.
check_plan(Start, Cost) :-
    findall(step(Line, Move, Next), fact(Line, step(Move, Next)), Steps),
    follow(Steps, Start, 0, Sum, End),
    must(final(End), none, 'the plan ends in no final state'),
    must(same(Sum, Cost), none, ['the plan costs ', Sum, ', not ', Cost]).

follow([], End, Sum, Sum, End).
follow([step(Line, Move, Next)|Steps], State, Sum0, Sum, End) :-
    findall(Cost, (move(State, Move1, Cost, Next1), variant(Move1, Move), variant(Next1, Next)), Costs),
    must(Costs = [_|_], Line, ['the rules have no move ', Move, ' that leads there']),
    min_list(Costs, Least),
    Sum1 is Sum0 + Least,
    follow(Steps, Next, Sum1, Sum, End).

% A closed list: the start is on it with cost 0, no state on it is final, and a move from a state of cost G leads
% to one whose cost is at most G and that of the move, or comes to the bound: to the cost claimed, with an estimate
% if that is given. Without a cost nothing comes to the bound but an infinite estimate. So no path from the start
% reaches a final state for less.
check_closed(Start, Bound, Heuristic) :-
    must(reached(Start, 0, Bound, Heuristic), none, 'the start is not listed with cost 0'),
    listed(_, Key, Line, Cost),
    state(Line, Key, State),
    at_line(Line, check_state(Line, State, Cost, Bound, Heuristic)),
    fail.
check_closed(_, _, _).

check_state(Line, State, Cost, Bound, Heuristic) :-
    (   final(State)
    ->  reject(Line, 'the state is final')
    ;   move(State, Move, Step, Next),
        must(Step >= 0, Line, ['the move ', Move, ' has a negative cost']),
        Sum is Cost + Step,
        \+ reached(Next, Sum, Bound, Heuristic),
        reject(Line, ['the move ', Move, ' leads to ', Next, ' for ', Sum, ', which is not listed so'])
    ).

% What is listed is no state of the rules if they raise an error of it.
at_line(Line, Goal) :-
    catch(Goal, error(Error, _), true),
    (   var(Error) -> true
    ;   Error = resource_error(_) -> throw(error(Error, _))
    ;   reject(Line, ['the rules raise an error: ', Error])
    ).

% A path of this cost may lead to the state.
reached(State, Cost, _, _) :-
    key(State, Key, Hash),
    listed(Hash, Key, _, Least),
    Least =< Cost, !.
reached(_, Cost, Bound, _) :- number(Bound), at_least(Cost, Bound), !.
reached(State, Cost, Bound, Heuristic) :-
    Heuristic \== none,
    estimate(Heuristic, State, Estimate),
    (   Estimate =:= inf -> true
    ;   number(Bound), Sum is Cost + Estimate, at_least(Sum, Bound)
    ).

estimate(heuristic, State, Value) :- user:heuristic(State, Given), !, Value is Given.
estimate(heuristic(Name), State, Value) :- user:heuristic(Name, State, Given), !, Value is Given.

% Games -------------------------------------------------------------------

% The value of a game: a strategy for either player that guarantees so much.
check_value(Player, Start, Value) :-
    only(utilities(Kind, Sum), Line),
    must((ground(Kind-Sum), number(Sum)), Line, 'what ends are worth is not said'),
    must(known_utilities(Kind, Sum), Line, 'the rules do not say that ends are worth this'),
    other(Player, Other),
    Rest is Sum - Value,
    forall(holds(_, _, Line1, P, _, _), must((P == Player ; P == Other), Line1, 'there is no such player')),
    check_strategy(Player, Player, Start, Value, Kind, Sum),
    check_strategy(Other, Player, Start, Rest, Kind, Sum).

% How the ends are valued: both players are asked, or the player to move alone.
known_utilities(zero_sum, 0) :- defined(utility, 3).
known_utilities(constant_sum, _) :- defined(utility, 3).
known_utilities(player_to_move, 0) :- ( defined(utility, 3) ; defined(utility, 2) ).
known_utilities(each, 0) :- defined(utility, 3), !.
known_utilities(heuristic, 0) :- \+ utility_defined.
known_utilities(cannot_move_loses, 0) :-
    \+ utility_defined,
    ( \+ defined(move, 4) ; \+ ( member(Name/Arity, [heuristic/2, heuristic/3, terminal/1, terminal/2]), defined(Name, Arity) ) ).

utility_defined :- ( defined(utility, 3) ; defined(utility, 2) ), !.

% The opponent of a player: as the rules say, else the other name in the certificate.
other(Player, Other) :- defined(opponent, 2), user:opponent(Player, Other), !.
other(Player, Other) :-
    holds(_, at(Mover, _), _, P, _, _),
    member(Other, [P, Mover]),
    Other \== Player, !.
other(_, nobody).

% A strategy guarantees a value: the start is one of its positions, ends are worth so much, the move chosen leads to
% a position, and so does every move of the opponent. Where play without an end would be worth less, ranks fall.
check_strategy(Player, First, Start, Value, Kind, Sum) :-
    (   2 * Value > Sum -> Falls = true ; Falls = false ),
    key(at(First, Start), StartKey, StartHash),
    must(holds(StartHash, StartKey, _, Player, _, _), none, ['the start is no position of ', Player]),
    holds(_, Key, Line, Player, Rank, Chosen),
    state(Line, Key, at(Mover, State)),
    at_line(Line, check_position(Line, Player, at(Mover, State), Rank-Falls, Chosen, ends(Value, Kind, Sum))),
    fail.
check_strategy(_, _, _, _, _, _).

check_position(Line, Player, at(Mover, State), Fall, Chosen, Ends) :-
    must(right_mover(Mover, State), Line, 'somebody else is to move there'),
    findall(Move-Next, game_move(Mover, Move, State, Next), Moves),
    (   over(Mover, State, Moves)
    ->  must(Chosen == none, Line, 'the game is over there'),
        Ends = ends(Value, Kind, Sum),
        worth(Kind, Sum, Player, Mover, State, Worth, Line),
        must(at_least(Worth, Value), Line, ['the end is worth ', Worth, ' to ', Player])
    ;   must(Moves = [_|_], Line, 'there is no move, and the game is not over'),
        must(Mover \== chance, Line, 'chance moves there'),
        check_moves(Line, Player, Mover, Moves, Fall, Chosen)
    ).

check_moves(Line, Player, Mover, Moves, Fall, Chosen) :-
    Mover == Player, !,
    must(Chosen = move(Key), Line, 'there is no move where the player is to move'),
    must((member(Move-Next, Moves), key(Move, Key, _), kept(Player, Mover, Next, Fall)), Line,
         'the move is not legal, or leads to no position of lower rank').
check_moves(Line, Player, Mover, Moves, Fall, Chosen) :-
    must(Chosen == none, Line, 'there is a move where the opponent is to move'),
    forall(member(Move-Next, Moves),
           must(kept(Player, Mover, Next, Fall), Line, ['the move ', Move, ' leads to no such position'])).

% The strategy has the position behind a move.
kept(Player, Mover, Next, Rank-Falls) :-
    next_mover(Mover, Next, After),
    key(at(After, Next), Key, Hash),
    holds(Hash, Key, _, Player, Lower, _),
    ( Falls == true -> Lower < Rank ; true ), !.

% The values of a table: each row follows from the rows that it leads to, whose ranks are lower.
check_values(Players, Start, Given, Line) :-
    only(utilities(Kind, Sum), Line1),
    must(known_utilities(Kind, Sum), Line1, 'the rules do not say that ends are worth this'),
    key(Start, StartKey, StartHash),
    must((holds(StartHash, StartKey, _, all, _, Values), maplist(exact, Given, Values)), Line,
         'the start is worth something else'),
    holds(_, Key, Line2, all, Rank, Listed),
    state(Line2, Key, Position),
    at_line(Line2, check_row(Line2, Players, Position, Rank, Listed, Kind-Sum)),
    fail.
check_values(_, _, _, _).

check_row(Line, Players, at(Mover, State), Rank, Listed, Kind-Sum) :-
    must(right_mover(Mover, State), Line, 'somebody else is to move there'),
    findall(Move-Next, game_move(Mover, Move, State, Next), Moves),
    (   over(Mover, State, Moves)
    ->  findall(Worth, (member(Player, Players), worth(Kind, Sum, Player, Mover, State, Worth, Line)), Values)
    ;   findall(Move-Row, (member(Move-Next, Moves), row(Mover, Next, Rank, Row)), Rows),
        must((Moves = [_|_], same_length(Moves, Rows)), Line, 'a move leads to no row of lower rank'),
        value_of_moves(Mover, State, Players, Rows, Values)
    ),
    must(maplist(=:=, Values, Listed), Line, ['by what it leads to it is worth ', Values]).

row(Mover, Next, Rank, Row) :-
    next_mover(Mover, Next, After),
    key(at(After, Next), Key, Hash),
    holds(Hash, Key, _, all, Lower, Row),
    Lower < Rank.

value_of_moves(chance, State, Players, Rows, Values) :- !,
    length(Rows, Count),
    findall(P, (member(Move-_, Rows), chance(Move, State, Count, P)), Chances),
    sum_list(Chances, One),
    must((same_length(Chances, Rows), One =:= 1), none, 'the probabilities do not add up to 1'),
    findall(Mean, (nth1(I, Players, _), mean(Chances, Rows, I, 0, Mean)), Values).
value_of_moves(Mover, _, Players, [_-First|Rows], Values) :-
    nth1(I, Players, Mover), !,
    first_best(Rows, I, First, Values).

mean([], [], _, Mean, Mean).
mean([P|Ps], [_-Row|Rows], I, Sum0, Mean) :-
    nth1(I, Row, Value),
    Sum is Sum0 + P * Value,
    mean(Ps, Rows, I, Sum, Mean).

first_best([], _, Best, Best).
first_best([_-Row|Rows], I, Best0, Best) :-
    nth1(I, Row, Value),
    nth1(I, Best0, Value0),
    ( Value > Value0 -> first_best(Rows, I, Row, Best) ; first_best(Rows, I, Best0, Best) ).

chance(Move, State, Count, P) :-
    (   defined(probability, 3) -> once(user:probability(Move, State, Given)), exact(Given, P)
    ;   P is 1 rdiv Count
    ),
    P > 0.

% exact(Term, Number): A/B is a fraction.
exact(A/B, Value) :- !, Value is A rdiv B.
exact(Number, Value) :- Value is Number.
next_mover(_, Next, After) :- defined(to_move, 2), !, once(user:to_move(Next, After)).
next_mover(Mover, _, After) :- other(Mover, After).
right_mover(Mover, State) :- defined(to_move, 2), !, once(user:to_move(State, Said)), Said == Mover.
right_mover(_, _).

game_move(Mover, Move, State, Next) :- defined(move, 4), !, user:move(Mover, Move, State, Next).
game_move(_, Move, State, Next) :- user:move(Move, State, Next).
over(Mover, State, _) :- defined(terminal, 2), !, \+ \+ user:terminal(Mover, State).
over(_, State, _) :- defined(terminal, 1), !, \+ \+ user:terminal(State).
over(_, _, []).

% worth(Kind, Sum, Player, Mover, State, Worth, Line): what an end is worth to a player.
worth(each, _, Player, _, State, Worth, Line) :- !,
    must(told(Player, State, Worth), Line, ['the rules say not what the end is worth to ', Player]).
worth(Kind, Sum, Player, chance, State, Worth, Line) :- !,
    worth(Kind, Sum, Player, Player, State, Worth, Line).
worth(Kind, Sum, Player, Mover, State, Worth, Line) :-
    must(own_worth(Kind, Sum, Mover, State, Own), Line, 'the rules say not what the end is worth'),
    both_asked(Kind, Sum, Mover, State, Own, Line),
    (   Player == Mover -> Worth = Own ; Worth is Sum - Own ).

own_worth(cannot_move_loses, _, _, _, -1) :- !.
own_worth(heuristic, _, Mover, State, Worth) :- !,
    (   defined(heuristic, 3) -> once(user:heuristic(Mover, State, Given)) ; once(user:heuristic(State, Given)) ),
    Worth is Given.
own_worth(_, _, Mover, State, Worth) :- told(Mover, State, Worth), !.
own_worth(Kind, Sum, Mover, State, Worth) :-
    Kind \== player_to_move,
    other(Mover, Other),
    told(Other, State, Theirs),
    Worth is Sum - Theirs.

told(Player, State, Worth) :-
    (   defined(utility, 3) -> once(user:utility(Player, State, Given)) ; once(user:utility(State, Given)) ),
    nonvar(Given),
    Worth is Given.

% Where both are asked, what they get adds up to the sum.
both_asked(Kind, Sum, Mover, State, Own, Line) :-
    memberchk(Kind, [zero_sum, constant_sum]),
    other(Mover, Other),
    catch(told(Other, State, Theirs), _, fail), !,
    Both is Own + Theirs,
    must(same(Both, Sum), Line, ['what both players get adds up to ', Both, ', not ', Sum]).
both_asked(_, _, _, _, _, _).
