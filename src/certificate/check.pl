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
       open_term/2,    % open_term(Line, Term): what is listed there, if it has variables
       entry/6.        % entry(Hash, Key, Line, List, Number, Rest), see entry/5

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
    check(Kind, Words),
    print_words(['accepted: '|Words]), nl.

failed(rejected(Line, Why), 1) :- !,
    ( Line == none -> Where = [] ; Where = ['line ', Line, ': '] ),
    append([['rejected: '|Where], Why], Words),
    print_words(Words), nl.
failed(of_a_model, 2) :- !,
    write(user_error,
          'a certificate of a model: `zug verify` checks it, and pumpkin-checker its proof\n').
failed(unreadable(Status, Error), Status) :- !, print_message(error, Error).
failed(Error, 5) :- print_message(error, Error).

print_words(Words) :- forall(member(Word, Words), write_term(Word, [max_depth(30)])).

reject(Line, Why) :- ( is_list(Why) -> Words = Why ; Words = [Why] ), throw(rejected(Line, Words)).

must(Goal, _, _) :- call(Goal), !.
must(_, Line, Why) :- reject(Line, Why).

% The rules ---------------------------------------------------------------

load_rules(File) :-
    set_prolog_flag(optimise, false),
    style_check(-singleton), style_check(-discontiguous),
    catch(load_files(user:File, [silent(true)]), Error, throw(unreadable(3, Error))).

% Whether the rules define a predicate.
defined(Name, Arity) :-
    functor(Head, Name, Arity),
    current_predicate(Name, user:Head),
    \+ predicate_property(user:Head, imported_from(_)).

% The certificate ---------------------------------------------------------

read_certificate(File, Kind) :-
    check_sum(File, Sum),
    open(File, read, Stream, [encoding(utf8)]),
    call_cleanup(read_records(Stream, Kind, Sum), close(Stream)).

read_records(Stream, Kind, Sum) :-
    read_clause_at(Stream, 1, First),
    must(First = certificate(Kind, 1), 1, 'it does not begin with certificate(KIND, 1)'),
    read_record(Stream, 2, Last, Lines),
    must(Last = checksum(Records, Given), none, 'it does not end with checksum(RECORDS, SUM)'),
    must(Sum == Given, none, ['it was changed: its checksum is ', Sum, ', not ', Given]),
    Found is Lines - 2,
    must(Records == Found, none, ['it has ', Found, ' records, not ', Records]).

read_clause_at(Stream, Line, Term) :-
    catch(read_term(Stream, Term, [module(user)]), error(syntax_error(What), _),
          reject(Line, ['it can''t be read as a record: ', What])).

% Reads up to the last record.
read_record(Stream, Line, Last, Lines) :-
    read_clause_at(Stream, Line, Term),
    must((nonvar(Term), Term \== end_of_file), Line, 'no record is here, and none ended the text'),
    (   Term = checksum(_, _)
    ->  Last = Term, Lines = Line,
        read_clause_at(Stream, Line, End),
        must(End == end_of_file, Line, 'the text goes on behind the checksum')
    ;   keep(Term, Line),
        Next is Line + 1,
        read_record(Stream, Next, Last, Lines)
    ).

keep(Term, Line) :-
    clause(entry(Term, List, State, Number, _), _), !,
    must(catch(entry(Term, _, _, _, Rest), _, fail), Line, 'it has no numbers as it should'),
    must((number(Number), (List == closed ; integer(Number), Number >= 0)), Line,
         'its cost is no number, or its rank no natural number'),
    key(State, Key, Hash),
    must(\+ entry(Hash, Key, _, List, _, _), Line, 'the state is listed before'),
    ( ground(State) -> true ; assertz(open_term(Line, State)) ),
    assertz(entry(Hash, Key, Line, List, Number, Rest)).
keep(Term, Line) :- assertz(fact(Line, Term)).

% entry(Record, List, State, Number, Rest): a record that lists a state: on which list, with which cost or rank, and
% what else it says. A position of a strategy is worth so many units, or what is claimed of the start.
entry(closed(Cost, State), closed, State, Cost, none).
entry(holds(P, Mover, State, Rank), of(P, claim), at(Mover, State), Rank, claim-none).
entry(holds(P, Mover, State, Rank, Move), of(P, claim), at(Mover, State), Rank, claim-move(Move)).
entry(gets(P, Mover, State, Rank, N), of(P, units), at(Mover, State), Rank, N-none) :- integer(N).
entry(gets(P, Mover, State, Rank, N, Move), of(P, units), at(Mover, State), Rank, N-move(Move)) :-
    integer(N).
entry(worth(Mover, State, Rank, Given), values, at(Mover, State), Rank, Values) :-
    maplist(exact, Given, Values).
entry(plays(State, Rank, Given, Mixes), plays, State, Rank, Values-Mixes) :-
    maplist(fraction, Given, Values).

% listed(Term, List, Number, Rest): the state is on the list.
listed(Term, List, Number, Rest) :-
    key(Term, Key, Hash),
    entry(Hash, Key, _, List, Number, Rest).

% each(List, Line, Term, Number, Rest, Goal): the goal holds of all that is on a list. What is there is no state of
% the rules if they raise an error of it.
each(List, Term, Line, Number, Rest, Goal) :-
    forall(entry(_, Key, Line, List, Number, Rest),
           ( ( Key = ground(Term) -> true ; open_term(Line, Term) ),
             catch(Goal, error(Error, _), true),
             (   var(Error) -> true
             ;   Error = resource_error(_) -> throw(error(Error, _))
             ;   reject(Line, ['the rules raise an error: ', Error])
             )
           )).

% The checksum: Adler-32 of all bytes before the last line.
check_sum(File, Sum) :-
    catch(open(File, read, Stream, [type(binary)]), Error, throw(unreadable(2, Error))),
    call_cleanup(add_bytes(Stream, 1, 0, 1, Sum), close(Stream)).

% A and B are the sums so far; Sum0 is what they came to at the beginning of the line.
add_bytes(Stream, A, B, Sum0, Sum) :-
    get_byte(Stream, Byte),
    (   Byte =:= -1 -> Sum = Sum0
    ;   A1 is (A + Byte) mod 65521,
        B1 is (B + A1) mod 65521,
        ( Byte =:= 10, \+ peek_byte(Stream, -1) -> Sum1 is B1 * 65536 + A1 ; Sum1 = Sum0 ),
        add_bytes(Stream, A1, B1, Sum1, Sum)
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
variant(A, B) :- key(A, Key, _), key(B, Key, _).

% Floats that differ by one part in 10^9 count as the same where sums are compared.
at_least(A, B) :- A >= B, !.
at_least(A, B) :-
    ( float(A) ; float(B) ), !, M is max(abs(A), abs(B)), M < inf, B - A =< 1.0e-9 * M.
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

check_records(Records, List) :-
    forall(fact(Line, Fact),
           must(member(Fact, Records), Line, 'a certificate of this kind has no such record')),
    forall(entry(_, _, Line, Other, _, _),
           must(Other = List, Line, 'a certificate of this kind has no such record')).

start(State, From) :-
    only(start(Origin, State), Line),
    must((nonvar(Origin), origin(Origin, State, From)), Line, 'the rules do not begin there').

origin(given, State, State).
origin(instance, State, 'the initial state') :-
    defined(initial_state, 1), user:initial_state(First), variant(First, State).
origin(instance(Name), State, Name) :-
    defined(initial_state, 2),
    user:initial_state(Known, First), variant(Known-First, Name-State).
origin(once, State, 'the only stage') :- var(State), \+ defined(joint_move, 3).

check(Kind, _) :- memberchk(Kind, [solution, optimal, no_solution]), !, throw(of_a_model).
check(Kind, Words) :-
    must(records(Kind, Records, List), 1, ['there is no kind ', Kind, ' of certificates']),
    check_records(Records, List),
    check_kind(Kind, Words).

% records(Kind, Records, List): what is claimed, and on which list states are.
records(plan, [start(_, _), cost(_), step(_, _)], none).
records(cheapest, [start(_, _), cost(_), step(_, _), given(_)], closed).
records(unsolvable, [start(_, _), given(_)], closed).
records(value, [start(_, _), player(_), utilities(_, _), value(_)], of(_, claim)).
records(bounds, [start(_, _), player(_), utilities(_, _), scale(_), between(_, _, _)],
        of(_, units)).
records(values, [start(_, _), player(_), utilities(_, _), values(_), players(_)], values).
records(equilibrium, [start(_, _), values(_), players(_)], plays).

check_kind(plan, ['there is a plan of cost ', Cost, ' from ', From]) :-
    start(State, From),
    only(cost(Cost), _),
    check_plan(State, Cost).
check_kind(cheapest, ['no plan from ', From, ' is cheaper than ', Cost|If]) :-
    start(State, From),
    only(cost(Cost), Line),
    must(number(Cost), Line, 'its cost is no number'),
    check_plan(State, Cost),
    given(Heuristic, If),
    check_closed(State, Cost, Heuristic).
check_kind(unsolvable, ['there is no plan from ', From|If]) :-
    start(State, From),
    given(Heuristic, If),
    check_closed(State, none, Heuristic).
check_kind(value, ['the game from ', From, ' is worth ', Given, ' to ', Player, ', who is to move']) :-
    start(State, From),
    only(player(Player), _),
    only(value(Given), Line),
    must(catch(exact(Given, Value), _, fail), Line, 'its value is no number'),
    check_strategies(Player-Value, Value, at(Player, State), none).
check_kind(bounds, ['the game from ', From, ' is worth from ', A/B, ' to ', C/D, ' to ', Player]) :-
    start(State, From),
    only(player(Mover), _),
    only(utilities(_, Sum), Line),
    only(scale(Scale), Line1),
    only(between(Player, Least, Most), Line2),
    must(rational(Sum), Line, 'the sum is not exact'),
    must((integer(Scale), Scale > 0), Line1, 'its scale is no positive integer'),
    must((integer(Least), integer(Most)), Line2, 'its bounds are no integers'),
    units(Least, Scale, Sum, Low),
    units(Most, Scale, Sum, High),
    check_strategies(Player-Low, High, at(Mover, State), Scale),
    maplist(rational, [Low, High], [A, C], [B, D]).
check_kind(values, ['the game from ', From, ' is worth ', Given, ' to ', Players|If]) :-
    start(State, From),
    only(player(Mover), _),
    only(values(Given), Line),
    only(players(Players), Line1),
    must((ground(Players), sort(Players, Sorted), same_length(Players, Sorted)), Line1,
         'the players are no list'),
    check_values(Players, at(Mover, State), Given, Line),
    ( fact(_, utilities(each, _)) -> If = [', if the first of equal moves is made'] ; If = [] ).
check_kind(equilibrium, ['the strategies are an equilibrium from ', From, ', which pays ', Given,
                         ' to ', Players]) :-
    start(State, From),
    only(values(Given), Line),
    only(players(Players), Line1),
    must((once(user:players(Known)), Known == Players), Line1, 'the rules have other players'),
    must((maplist(fraction, Given, Values), listed(State, plays, _, Values-_)), Line,
         'the start is worth something else'),
    each(plays, Stage, Line2, Rank, Row-Mixes,
         check_stage(Line2, Players, Stage, Rank, Row, Mixes)).

given(none, []) :- \+ fact(_, given(_)), !.
given(Heuristic, [', if ', Heuristic, ' never overestimates']) :-
    only(given(Heuristic), Line),
    must((ground(Heuristic), functor(Heuristic, heuristic, Names), Arity is 2 + Names,
          defined(heuristic, Arity)), Line, 'the rules have no such heuristic').

% Puzzles -----------------------------------------------------------------

% move(State, Move, Cost, Next): a move of the rules, with its cost as a number.
move(State, Move, Cost, Next) :- user:rule(Move, Given, State, Next), Cost is Given.
final(State) :- \+ \+ user:final_state(State).

% A plan: its moves made one after the other.
check_plan(Start, Cost) :-
    findall(Line-Step, (Step = step(_, _), fact(Line, Step)), Steps),
    follow(Steps, Start, 0, Sum, End),
    must(final(End), none, 'the plan ends in no final state'),
    must(same(Sum, Cost), none, ['the plan costs ', Sum, ', not ', Cost]).

follow([], End, Sum, Sum, End).
follow([Line-step(Move, Next)|Steps], State, Sum0, Sum, End) :-
    findall(Cost, (move(State, M, Cost, N), variant(M, Move), variant(N, Next)), Costs),
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
    each(closed, State, Line, Cost, _, check_state(Line, State, Cost, Bound, Heuristic)).

check_state(Line, State, Cost, Bound, Heuristic) :-
    must(\+ final(State), Line, 'the state is final'),
    forall((move(State, Move, Step, Next), Sum is Cost + Step),
           ( must(Step >= 0, Line, ['the move ', Move, ' has a negative cost']),
             must(reached(Next, Sum, Bound, Heuristic), Line,
                  ['the move ', Move, ' leads to ', Next, ' for ', Sum,
                   ', which is not listed so'])
           )).

% A path of this cost may lead to the state.
reached(State, Cost, _, _) :- listed(State, closed, Least, _), Least =< Cost, !.
reached(_, Cost, Bound, _) :- number(Bound), at_least(Cost, Bound), !.
reached(State, Cost, Bound, Heuristic) :-
    Heuristic \== none,
    estimate(Heuristic, State, Estimate),
    ( Estimate =:= inf ; number(Bound), Sum is Cost + Estimate, at_least(Sum, Bound) ), !.

estimate(heuristic, State, Value) :- once(user:heuristic(State, Given)), Value is Given.
estimate(heuristic(Name), State, Value) :- once(user:heuristic(Name, State, Given)), Value is Given.

% Games -------------------------------------------------------------------

% A strategy for either player: one gets so much at least, the other leaves no more than so much to that one.
check_strategies(Player-Low, High, Start, Scale) :-
    only(utilities(Kind, Sum), Line),
    must((ground(Kind-Sum), number(Sum)), Line, 'what ends are worth is not said'),
    other(Player, Other),
    must((known_utilities(Kind, Sum), (Kind \== each ; Other == nobody)), Line,
         'the rules do not say that ends are worth this'),
    Rest is Sum - High,
    forall(entry(_, _, Line1, of(P, _), _, _),
           must((P == Player ; P == Other), Line1, 'there is no such player')),
    forall(member(P-Least, [Player-Low, Other-Rest]),
           check_strategy(P, Start, Least, game(Kind, Sum, Scale))).

% How the ends are valued: both players are asked, or the player to move alone.
known_utilities(Kind, Sum) :-
    defined(utility, 3), memberchk(Kind-Sum, [zero_sum-0, constant_sum-Sum, each-0]), !.
known_utilities(player_to_move, 0) :- utility_defined.
known_utilities(heuristic, 0) :- \+ utility_defined.
known_utilities(cannot_move_loses, 0) :-
    \+ utility_defined,
    (   \+ defined(move, 4)
    ;   \+ ( member(Name/Arity, [heuristic/2, heuristic/3, terminal/1, terminal/2]),
             defined(Name, Arity) )
    ).

utility_defined :- ( defined(utility, 3) ; defined(utility, 2) ), !.

% The opponent of a player: as the rules say, else another name in the certificate, else `nobody`.
:- table other/2.
other(Player, Other) :- defined(opponent, 2), user:opponent(Player, Other), Other \== Player, !.
other(Player, Other) :-
    entry(_, Key, _, List, _, _),
    ( List = of(Other, _) ; arg(1, Key, at(Other, _)) ),
    Other \== Player,
    Other \== chance, !.
other(_, nobody).

% A strategy guarantees a value: the start is one of its positions, ends are worth so much, the move chosen leads to
% a position worth as much, and so does every move of the opponent; those of chance do in the mean. Play that never
% ends is worth half of the sum: where more is claimed ranks fall, by all these moves, and by one of chance.
check_strategy(Player, Start, Value, Game) :-
    must((listed(Start, of(Player, _), _, First-_), bound(First, Value, Game, Worth),
          at_least(Worth, Value)), none,
         ['the start is no position of ', Player, ', or is worth less there']),
    each(of(Player, _), at(Mover, State), Line, Rank, Units-Chosen,
         ( bound(Units, Value, Game, Least),
           check_position(at(Mover, State), Chosen, to(Line, Player, Rank, Least, Value, Game))
         )).

% bound(Units, Value, Game, Worth): what a position is worth at least.
bound(claim, Value, _, Value).
bound(Units, _, game(_, Sum, Scale), Worth) :- integer(Units), units(Units, Scale, Sum, Worth).

units(Units, Scale, Sum, Worth) :- Worth is Sum rdiv 2 + Units rdiv Scale.

check_position(at(Mover, State), Chosen, To) :-
    To = to(Line, Player, _, Least, _, game(Kind, Sum, Scale)),
    must(right_mover(Mover, State), Line, 'somebody else is to move there'),
    findall(Move-Next, game_move(Mover, Move, State, Next), Moves),
    (   over(Mover, State, Moves)
    ->  must(Chosen == none, Line, 'the game is over there'),
        worth(Kind, Sum, Player, Mover, State, Worth, Line),
        must((Scale == none ; rational(Worth)), Line, 'what the end is worth is not exact'),
        must(at_least(Worth, Least), Line, ['the end is worth ', Worth, ' to ', Player])
    ;   must(Moves = [_|_], Line, 'there is no move, and the game is not over'),
        check_moves(Mover, State, Moves, Chosen, To)
    ).

check_moves(Mover, State, Moves, Chosen, To) :-
    To = to(Line, Player, _, _, _, _),
    (   Mover == Player
    ->  must((Chosen = move(Listed),
              member(Move-Next, Moves),
              variant(Move, Listed),
              kept(Mover, Next, To)),
             Line, 'there is no move, or no legal one that leads to a position worth as much and of lower rank')
    ;   must(Chosen == none, Line, ['there is a move where ', Player, ' is not to move']),
        (   Mover == chance -> check_chance(State, Moves, To)
        ;   forall(member(Move-Next, Moves),
                   must(kept(Mover, Next, To), Line,
                        ['the move ', Move,
                         ' leads to no position worth as much and of lower rank']))
        )
    ).

check_chance(State, Moves, To) :-
    To = to(Line, _, _, Least, _, _),
    findall(Move-[Worth], (member(Move-Next, Moves), leads(chance, Next, To, _, Worth)), Rows),
    must(same_length(Rows, Moves), Line, 'chance leads to no such position'),
    chances(Rows, State, Line, Weighted),
    mean(Weighted, 1, Mean),
    must(Mean >= Least, Line, ['in the mean it is worth ', Mean]),
    must((member(_-Next, Moves), leads(chance, Next, To, Lower, _), falls(Lower, To)), Line,
         'chance leads to no position of lower rank').

kept(Mover, Next, To) :-
    To = to(_, _, _, Least, _, _),
    leads(Mover, Next, To, Lower, Worth),
    at_least(Worth, Least),
    falls(Lower, To), !.

% leads(Mover, Next, To, Lower, Worth): the strategy has the position behind a move, of this rank and worth so much.
leads(Mover, Next, to(_, Player, _, _, Value, Game), Lower, Worth) :-
    next_mover(Mover, Next, After),
    listed(at(After, Next), of(Player, _), Lower, Units-_),
    bound(Units, Value, Game, Worth).

falls(Lower, to(_, _, Rank, Least, _, game(_, Sum, _))) :-
    ( 2 * Least > Sum -> Lower < Rank ; true ).

% The values of a table: each row follows from the rows that it leads to, whose ranks are lower.
check_values(Players, Start, Given, Line) :-
    only(utilities(Kind, Sum), Line1),
    must(known_utilities(Kind, Sum), Line1, 'the rules do not say that ends are worth this'),
    must((listed(Start, values, _, Values), maplist(exact, Given, Values)), Line,
         'the start is worth something else'),
    each(values, Position, Line2, Rank, Listed,
         check_row(Line2, Players, Position, Rank, Listed, Kind-Sum)).

check_row(Line, Players, at(Mover, State), Rank, Listed, Kind-Sum) :-
    must(right_mover(Mover, State), Line, 'somebody else is to move there'),
    findall(Move-Next, game_move(Mover, Move, State, Next), Moves),
    (   over(Mover, State, Moves)
    ->  findall(Worth,
                (member(Player, Players), worth(Kind, Sum, Player, Mover, State, Worth, Line)),
                Values)
    ;   findall(Move-Row,
                (member(Move-Next, Moves), next_mover(Mover, Next, After),
                 listed(at(After, Next), values, Lower, Row), Lower < Rank),
                Rows),
        must((Moves = [_|_], same_length(Moves, Rows)), Line,
             'a move leads to no row of lower rank'),
        value_of_moves(Mover, State, Players, Rows, Values, Line)
    ),
    must(maplist(=:=, Values, Listed), Line, ['by what it leads to it is worth ', Values]).

value_of_moves(chance, State, Players, Rows, Values, Line) :- !,
    chances(Rows, State, Line, Weighted),
    findall(Mean, (nth1(I, Players, _), mean(Weighted, I, Mean)), Values).
value_of_moves(Mover, _, Players, Rows, Values, _) :-
    nth1(I, Players, Mover),
    aggregate_all(max(Value), (member(_-Row, Rows), nth1(I, Row, Value)), Best),
    member(_-Values, Rows),
    nth1(I, Values, Own),
    Own =:= Best, !.

% chances(Rows, State, Line, Weighted): the rows that moves of chance lead to, with their probabilities.
chances(Rows, State, Line, Weighted) :-
    length(Rows, Count),
    findall(P-Row, (member(Move-Row, Rows), chance(Move, State, Count, P)), Weighted),
    pairs_keys(Weighted, Chances),
    sum_list(Chances, One),
    must((same_length(Chances, Rows), One =:= 1), Line, 'the probabilities do not add up to 1').

mean(Weighted, I, Mean) :-
    aggregate_all(sum(P * Value), (member(P-Row, Weighted), nth1(I, Row, Value)), Mean).

chance(Move, State, Count, P) :-
    (   defined(probability, 3) -> once(user:probability(Move, State, Given)), exact(Given, P)
    ;   P is 1 rdiv Count
    ),
    P > 0.

% exact(Term, Number): A/B is a fraction. fraction(Term, Number): floats are the fractions that they are.
exact(A/B, Value) :- integer(A), integer(B), !, Value is A rdiv B.
exact(Number, Value) :- Value is Number.
fraction(Term, Value) :- exact(Term, Number), Value is rational(Number).

next_mover(_, Next, After) :- defined(to_move, 2), !, once(user:to_move(Next, After)).
next_mover(Mover, _, Mover) :- defined(opponent, 2), user:opponent(Mover, Mover), !.
next_mover(Mover, _, After) :- other(Mover, After).
right_mover(Mover, State) :- defined(to_move, 2), !, once(user:to_move(State, Said)), Said == Mover.
right_mover(_, _).

game_move(Mover, Move, State, Next) :- defined(move, 4), !, user:move(Mover, Move, State, Next).
game_move(_, Move, State, Next) :- user:move(Move, State, Next).
over(Mover, State, _) :- defined(terminal, 2), !, \+ \+ user:terminal(Mover, State).
over(_, State, _) :- defined(terminal, 1), !, \+ \+ user:terminal(State).
over(_, _, []).

% worth(Kind, Sum, Player, Mover, State, Worth, Line): what an end is worth to a player.
worth(each, _, nobody, Mover, State, Worth, Line) :- !,
    other(nobody, Player),
    worth(each, 0, Player, Mover, State, Own, Line),
    Worth is -Own.
worth(each, _, Player, _, State, Worth, Line) :- !,
    must(told(Player, State, Worth), Line, ['the rules say not what the end is worth to ', Player]).
worth(Kind, Sum, Player, chance, State, Worth, Line) :- !,
    worth(Kind, Sum, Player, Player, State, Worth, Line).
worth(Kind, Sum, Player, Mover, State, Worth, Line) :-
    must(own_worth(Kind, Sum, Mover, State, Own), Line, 'the rules say not what the end is worth'),
    both_asked(Kind, Sum, Mover, State, Own, Line),
    ( Player == Mover -> Worth = Own ; Worth is Sum - Own ).

own_worth(cannot_move_loses, _, _, _, -1) :- !.
own_worth(heuristic, _, Mover, State, Worth) :- !,
    (   defined(heuristic, 3) -> Goal = heuristic(Mover, State, Given)
    ;   Goal = heuristic(State, Given)
    ),
    once(user:Goal),
    Worth is Given.
own_worth(_, _, Mover, State, Worth) :- told(Mover, State, Worth), !.
own_worth(Kind, Sum, Mover, State, Worth) :-
    Kind \== player_to_move, other(Mover, Other),
    told(Other, State, Theirs),
    Worth is Sum - Theirs.

told(Player, State, Worth) :-
    ( defined(utility, 3) -> Goal = utility(Player, State, Given) ; Goal = utility(State, Given) ),
    once(user:Goal), nonvar(Given),
    Worth is Given.

% Where both can be asked, what they get adds up to the sum, or is the same if only who is to move counts.
both_asked(Kind, Sum, Mover, State, Own, Line) :-
    memberchk(Kind, [zero_sum, constant_sum, player_to_move]),
    other(Mover, Other),
    catch(told(Other, State, Theirs), _, fail), !,
    Both is Own + Theirs,
    must((same(Both, Sum) ; Kind == player_to_move, Own =:= Theirs), Line,
         ['what both players get adds up to ', Both, ', not ', Sum]).
both_asked(_, _, _, _, _, _).

% Games in which all choose at once ---------------------------------------

% A stage of an equilibrium: it pays so much, and no player gains by another action.
check_stage(Line, Players, State, _, Row, Mixes) :-
    defined(joint_move, 3),
    Players = [First|_],
    over(First, State, []), !,
    must(Mixes == [], Line, 'the game is over there'),
    findall(Worth, (member(P, Players), once(user:utility(P, State, U)), fraction(U, Worth)),
            Worths),
    must(Worths == Row, Line, ['the end is worth ', Worths]).
check_stage(Line, Players, State, Rank, Row, Mixes) :-
    findall(Own, (member(P, Players), findall(A, user:action(P, State, A), Own)), Actions),
    must((same_length(Players, Row),
          same_length(Players, Mixes),
          maplist(mixed, Actions, Mixes, Known)),
         Line, 'it has not for each player a value, and actions with probabilities that add up to 1'),
    findall(As, maplist(member, As, Actions), Profiles),
    must(maplist(pays(State, Rank), Profiles, Table), Line,
         'actions lead to no stage of lower rank'),
    forall(nth1(I, Row, Value),
           ( mean_pay(Profiles, Table, Known, I, Mean),
             must(Mean =:= Value, Line, ['it pays ', Mean, ' to player ', I])
           )),
    forall((nth1(I, Actions, Own),
            member(A, Own),
            nth1(I, Known, _, Rest),
            nth1(I, Others, [A-1], Rest)),
           ( mean_pay(Profiles, Table, Others, I, Mean),
             nth1(I, Row, Value),
             must(Mean =< Value, Line, ['player ', I, ' gains by ', A])
           )).

% mixed(Actions, Given, Mix): probabilities of some of the actions.
mixed(Actions, Given, Mix) :-
    is_list(Given),
    findall(A-P, (member(A-Term, Given), memberchk(A, Actions), fraction(Term, P), P > 0), Mix),
    same_length(Given, Mix),
    pairs_keys_values(Mix, Own, Ps),
    sort(Own, Sorted),
    same_length(Own, Sorted),
    sum_list(Ps, 1).

% pays(State, Rank, Actions, Us): what a profile of actions pays, or the stage is worth that it leads to.
pays(State, Rank, As, Us) :- defined(joint_move, 3), !,
    once(user:joint_move(As, State, Next)),
    listed(Next, plays, Lower, Us-_),
    Lower < Rank.
pays(_, _, As, Us) :- once(user:payoff(As, Given)), maplist(fraction, Given, Us).

mean_pay(Profiles, Table, Mixes, I, Mean) :-
    findall(P-Us, (nth1(K, Profiles, As), foldl(times, As, Mixes, 1, P), nth1(K, Table, Us)),
            Weighted),
    mean(Weighted, I, Mean).

times(A, Mix, P0, P) :- memberchk(A-Q, Mix), P is P0 * Q.
