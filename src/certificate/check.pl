% Checks certificates of zug (docs/certificates.md) against a rule file:
%
%     swipl check.pl -- RULES CERTIFICATE...
%
% Exit status 0: accepted, 1: rejected, 2: wrong usage, or a file can't be read, 3: the rules can't be loaded,
% 5: they run out of memory. Several certificates have the highest of their statuses.
%
% The program knows nothing of zug. It follows the rules from the start, so that every state about which it asks them
% is one of theirs. Terms of the certificate are compared with those of the rules, as variants; nothing in them is called,
% evaluated or unified with an answer. Every record has to be reached in this way. The rules live in the module `user`;
% this program and the libraries that it uses inherit nothing from there.

:- module(certificate_check, []).

:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(library(aggregate)).
:- use_module(library(pairs)).
:- use_module(library(occurs)).
:- use_module(library(solution_sequences)).

:- set_prolog_flag(optimise, true).
:- set_module(base(system)).
:- forall(( current_module(M), module_property(M, class(library)) ), set_module(M:base(system))).

:- dynamic
       has/2,          % has(Name, Arity): the rules define this predicate
       ended/0,        % the program may halt
       fact/2,         % fact(Line, Term): the claim, and the steps of a plan
       entry/6,        % entry(Hash, Term, Line, List, Number, Rest), see record/5
       seen/1,         % seen(Line): the rules lead to this entry
       ahead/2,        % ahead(Line, item(List, Term, Number, Rest)): it is to be checked, with the term of the rules
       met/2,          % met(Hash, Term): a position of the survey
       waiting/2,      % waiting(Mover, State): the same, to be expanded
       ending/3,       % ending(Own, Others, Alone): what the rules say of an end
       finish/5,       % finish(Line, Mover, State, Sign, Level): an end, and what it has to be worth
       value/2.        % value(Key, Value): what set/2 has set

:- initialization(main, main).

main :-
    at_halt(stay),
    current_output(Out),
    set_output(user_error),
    current_prolog_flag(argv, Arguments),
    (   Arguments = [Rules|Certificates], Certificates = [_|_]
    ->  check_all(Rules, Certificates, Out, Status)
    ;   write(user_error, 'usage: swipl check.pl -- RULES CERTIFICATE...\n'), Status = 2
    ),
    flush_output(Out),
    assertz(ended),
    halt(Status).

% Variables of this program, which goals of the rules can't change by name.
set(Key, Value) :- retractall(value(Key, _)), assertz(value(Key, Value)).

% Rules that halt decide nothing.
stay :- ended, !.
stay :- cancel_halt(the_check_goes_on).

check_all(Rules, Certificates, Out, Status) :-
    catch(load_rules(Rules), Error, true),
    (   var(Error) -> maplist(check_file(Out), Certificates, Statuses), max_list(Statuses, Status)
    ;   print_message(error, Error), Status = 3
    ).

check_file(Out, File, Status) :-
    forall(member(Head, [fact(_, _), entry(_, _, _, _, _, _), seen(_), ahead(_, _), met(_, _),
                         waiting(_, _), ending(_, _, _), finish(_, _, _, _, _)]),
           retractall(Head)),
    set(place, none), set(floats, false), set(players, []),
    catch(( read_certificate(File, Kind), must(check(Kind, Words), none, 'it is no proof') ),
          Thrown, true),
    ( var(Thrown) -> Status = 0, say(Out, ['accepted: '|Words]) ; failed(Thrown, Out, Status) ).

failed(rejected(Line, Why), Out, 1) :- !,
    ( Line == none -> Where = [] ; Where = ['line ', Line, ': '] ),
    append(['rejected: '|Where], Why, Words),
    say(Out, Words).
failed(of_a_model, _, 2) :- !,
    write(user_error,
          'a certificate of a model: `zug verify` checks it, and pumpkin-checker its proof\n').
failed(unreadable(Error), _, 2) :- !, print_message(error, Error).
failed(error(io_error(Action, Stream), Context), _, 2) :- !,
    print_message(error, error(io_error(Action, Stream), Context)).
failed(error(resource_error(What), Context), _, 5) :- !,
    print_message(error, error(resource_error(What), Context)).
failed(Error, Out, 1) :- say(Out, ['rejected: ', Error]).

% No word is longer than some lines.
say(Out, Words) :-
    forall(member(Word, Words),
           ( format(string(Text), '~W', [Word, [max_depth(30)]]),
             ( sub_string(Text, 0, 500, _, Short) -> true ; Short = Text ),
             write(Out, Short)
           )),
    nl(Out).

reject(Line, Why) :- ( is_list(Why) -> Words = Why ; Words = [Why] ), throw(rejected(Line, Words)).

must(Goal, Line, Why) :- ( call(Goal) -> true ; reject(Line, Why) ).

% The same of the record that is being checked.
must(Goal, Why) :- ( call(Goal) -> true ; value(place, Line), reject(Line, Why) ).

% The rules ---------------------------------------------------------------

load_rules(File) :-
    set_prolog_flag(optimise, false),
    style_check(-singleton), style_check(-discontiguous),
    statistics(errors, Before),
    load_files(user:File, [silent(true)]),
    statistics(errors, After),
    set_prolog_flag(iso, false), set_prolog_flag(occurs_check, false),
    ( After =:= Before -> true ; throw(error(syntax_error(in_the_rules), _)) ),
    forall(( member(Name, [initial_state, final_state, rule, heuristic, initial_player, opponent,
                           to_move, move, terminal, utility, probability, players, action, payoff,
                           joint_move, model]),
             between(1, 4, Arity),
             functor(Head, Name, Arity),
             current_predicate(Name, user:Head),
             \+ predicate_property(user:Head, imported_from(_))
           ), assertz(has(Name, Arity))),
    (   has(utility, 3),
        \+ forall(clause(user:utility(Player, State, Worth), Body),
                  alone(Player, f(State, Worth, Body)))
    ->  assertz(has(names_player, 3))
    ;   true
    ).

% A variable that occurs once in a clause.
alone(Player, Rest) :-
    var(Player),
    term_variables(Rest, Others),
    \+ ( member(Other, Others), Other == Player ).

% ask(Goal): a goal of the rules. What they raise is no answer.
ask(Goal) :- catch(user:Goal, Error, no_answer(Error)).

no_answer(Error) :- Error = error(resource_error(_), _), !, throw(Error).
no_answer(Error) :- must(fail, ['the rules have no answer there: ', Error]).

% amount(Given, Number): a number of the rules, evaluated. Fractions are floats.
amount(Given, Number) :-
    ask(Value is Given),
    (   integer(Value) -> Number = Value
    ;   float(Value), abs(Value) =:= inf -> Number = Value
    ;   catch(Number is float(Value) + 0.0, Error, no_answer(Error))
    ).

% exact(Number, Fraction): a number without rounding, to compare integers with floats.
exact(Number, Fraction) :-
    ( float(Number), abs(Number) < inf -> Fraction is rational(Number) ; Fraction = Number ).

exceeds(A, B) :- exact(A, X), exact(B, Y), X > Y.

% The certificate ---------------------------------------------------------

read_certificate(File, Kind) :-
    check_sum(File, Sum),
    open(File, read, Stream, [encoding(utf8), bom(false)]),
    call_cleanup(read_records(Stream, Kind, Sum), close(Stream)).

read_records(Stream, Kind, Sum) :-
    read_string(Stream, "\n", "", _, First),
    must(( records(Kind, _, _), format(string(Line), 'certificate(~w,1).', [Kind]), Line == First ),
         1, 'it does not begin with certificate(KIND,1)'),
    read_body(Stream, 2, Sum).

read_body(Stream, Line, Sum) :-
    read_string(Stream, "\n", "", End, Text),
    must(End =\= -1, Line, 'the last line has no end'),
    (   peek_char(Stream, end_of_file)
    ->  Found is Line - 2,
        format(string(Last), 'checksum(~d,~d).', [Found, Sum]),
        must(Text == Last, Line,
             ['the text was changed, or is not whole: its last line is not ', Last]),
        Rounding is Line * epsilon,
        set(rounding, Rounding)
    ;   must(has_short_words(Text), Line, 'a number or a name is too long'),
        must(( is_plain(Text), read_record(Text, Term), shallow(Term, 3000) ), Line,
             'a record is a line in canonical form, no deeper than 3000 levels'),
        keep(Term, Line),
        Next is Line + 1,
        read_body(Stream, Next, Sum)
    ).

read_record(Text, Term) :-
    setup_call_cleanup(open_string(Text, Stream),
                       catch(read_term(Stream, Term,
                                       [module(user), double_quotes(string), back_quotes(codes),
                                        cycles(false), quasi_quotations([]), comments([]),
                                        variable_names(Names)]),
                             _, fail),
                       ( character_count(Stream, Count), close(Stream) )),
    nonvar(Term),
    string_length(Text, Count),
    ( Names == [] -> true ; Term =.. [_|Arguments], forall(member(A, Arguments), named(A, Names)) ).

% In each argument, `_` stands for what occurs once, and X1, X2, ... for the others, in this order.
named(Argument, Names) :-
    \+ \+ ( forall_bound(Names),
            occurrences(Argument, All, []),
            list_to_set(All, Own),
            findall(Name, ( nth1(N, Own, _), atom_concat('X', N, Name) ), Own),
            msort(All, Sorted),
            clumped(Sorted, Counts),
            \+ memberchk(_-1, Counts) ).

forall_bound([]).
forall_bound([Name = '$named'(Name)|Names]) :- forall_bound(Names).

% The names of variables, by occurrence.
occurrences(Term, All, Rest) :- var(Term), !, All = Rest.
occurrences('$named'(Name), [Name|Rest], Rest) :- !.
occurrences(Term, All, Rest) :-
    compound(Term), !,
    Term =.. [_|Arguments],
    foldl(occurrences, Arguments, All, Rest).
occurrences(_, Rest, Rest).

% Letters, digits, underscores and blanks: to read a number of very many digits takes long.
has_short_words(Text) :- string_length(Text, Length), Length =< 16384, !.
has_short_words(Text) :- string_codes(Text, Codes), foldl(longer, Codes, 0, _).

longer(Code, Length0, Length) :-
    (   ( code_type(Code, csym) ; Code =:= 0'\s ), Code < 128
    ->  Length is Length0 + 1, Length =< 16384
    ;   Length = 0
    ).

% Outside of quotes no digits but 0 to 9, in numbers as short as they can be written.
is_plain(Text) :- string_codes(Text, Codes), plain(Codes, other).

% plain(Codes, Before): Before is whether it stands behind a letter or digit of a word.
plain([], _).
plain([Code|Codes], Before) :-
    (   memberchk(Code, `'"`) -> quoted(Codes, Code, Rest), plain(Rest, other)
    ;   Before == other, code_type(Code, digit)
    ->  digits([Code|Codes], Code, Digits, Rest),
        catch(number_codes(Number, Digits), _, fail),
        format(codes(Shortest), '~w', [Number]), same_length(Shortest, Digits),
        ( float(Number) -> is_nearest(Digits, Number) ; true ),
        \+ ( Rest = [Next|_], ( code_type(Next, csym) ; Next =:= 0'' ) ),
        \+ ( Rest = [0x20, Next|_], code_type(Next, digit) ),
        plain(Rest, other)
    ;   code_type(Code, csym)
    ->  ( Before == word ; \+ code_type(Code, decimal(_)) ), !, plain(Codes, word)
    ;   plain(Codes, other)
    ).

% No other number of as many digits is nearer to the float.
is_nearest(Digits, Float) :-
    ( append(Mantissa, [0'e|Power], Digits) -> number_codes(X, Power) ; Mantissa = Digits, X = 0 ),
    append(Whole, [0'.|Part], Mantissa),
    append(Whole, Part, All), number_codes(I, All),
    length(Part, K),
    ( X >= K -> Unit is 10 ^ (X - K) ; Unit is 1 rdiv 10 ^ (K - X) ),
    2 * abs(I * Unit - rational(Float)) =< Unit.

% The letters and digits of a number, with a point and a sign of the exponent before digits.
digits([Code|Codes], Before, [Code|Digits], Rest) :-
    (   Code < 128, code_type(Code, alnum)
    ;   ( Code =:= 0'. ; memberchk(Code, `+-`), memberchk(Before, `eE`) ),
        Codes = [Next|_], code_type(Next, digit)
    ), !,
    digits(Codes, Code, Digits, Rest).
digits(Rest, _, [], Rest).

% Behind the closing quote; a quote within is doubled or has a backslash before it.
quoted([Code|Codes], Quote, Rest) :-
    (   Code =:= 0'\\ -> Codes = [_|More], quoted(More, Quote, Rest)
    ;   Code =\= Quote -> quoted(Codes, Quote, Rest)
    ;   Codes = [Quote|More] -> quoted(More, Quote, Rest)
    ;   Rest = Codes
    ).

% Lists count as one level, however long they are.
shallow(Term, _) :- \+ compound(Term), !.
shallow([Head|Tail], Most) :-
    !, Most > 0, Less is Most - 1, shallow(Head, Less), shallow(Tail, Most).
shallow(Term, Most) :-
    Most > 0, Less is Most - 1,
    Term =.. [_|Arguments],
    forall(member(Argument, Arguments), shallow(Argument, Less)).

keep(Term, Line) :-
    clause(record(Term, _, _, _, _), _), !,
    must(record(Term, List, State, Number, Rest), Line, 'it has no numbers as it should'),
    hash(State, Hash),
    must(\+ stored(Hash, State, _, List, _, _), Line, 'the state is listed before'),
    assertz(entry(Hash, State, Line, List, Number, Rest)).
keep(Term, Line) :- assertz(fact(Line, Term)).

% record(Term, List, State, Number, Rest): a record that lists a state: on which list, with which cost or rank, and
% what else it says. A position of a strategy is worth so many units, or what is claimed of the start.
record(closed(Cost, State), closed, State, Cost, none) :- cost(Cost).
record(holds(P, Mover, State, Rank), of(P, claim), at(Mover, State), Rank, claim-none) :-
    ground(P), rank(Rank).
record(holds(P, Mover, State, Rank, Move), of(P, claim), at(Mover, State), Rank, claim-move(Move)) :-
    ground(P), rank(Rank).
record(gets(P, Mover, State, Rank, N), of(P, units), at(Mover, State), Rank, N-none) :-
    ground(P), rank(Rank), units(N).
record(gets(P, Mover, State, Rank, N, Move), of(P, units), at(Mover, State), Rank, N-move(Move)) :-
    ground(P), rank(Rank), units(N).
record(worth(Mover, State, Rank, Given), values, at(Mover, State), Rank, Values) :-
    rank(Rank), figures(Given, Values).
record(plays(State, Rank, Given, Mixes), plays, State, Rank, Values-Mixes) :-
    rank(Rank), figures(Given, Values), is_list(Mixes), maplist(shares, Mixes).

rank(Rank) :- integer(Rank), Rank >= 0, Rank < 1<<63.
units(Units) :- integer(Units), abs(Units) < 1<<127.
cost(Cost) :- ( integer(Cost), Cost < 1<<256 - 1 ; float(Cost), figure(Cost, _) ), Cost >= 0.

% figure(Term, Number): an integer, a finite float that is not -0.0, or a fraction in lowest terms. None is evaluated.
figure(Term, Number) :- integer(Term), !, Number = Term.
figure(Term, Number) :-
    float(Term), !, abs(Term) =< 1.7976931348623157e308, Number is Term + 0.0, Number == Term.
figure(Term, Number) :-
    ground(Term), Term = A/B,
    integer(A), integer(B), B > 1,
    Number is A rdiv B,
    denominator(Number) =:= B.

figures(Given, Numbers) :- is_list(Given), maplist(figure, Given, Numbers).

% Actions with probabilities, of which each has at most 2^14 bits.
shares(Mix) :- is_list(Mix), maplist(share, Mix).
share(Share) :-
    ground(Share), Share = _-Term,
    figure(Term, P), rational(P), P > 0,
    numerator(P) < 1<<16384, denominator(P) < 1<<16384.

% Variants of a term have the same hash.
hash(Term, Hash) :- ground(Term), !, term_hash(Term, Hash).
hash(Term, Hash) :-
    must(term_attvars(Term, []), 'a state has variables with attributes'),
    variant_hash(Term, Hash).

stored(Hash, Term, Line, List, Number, Rest) :-
    entry(Hash, Known, Line, List, Number, Rest),
    Known =@= Term.

% listed(Term, List, Number, Rest): the rules lead to a state, which is on the list.
listed(Term, List, Number, Rest) :-
    hash(Term, Hash),
    stored(Hash, Term, Line, List, Number, Rest), !,
    (   seen(Line) -> true
    ;   assertz(seen(Line)), assertz(ahead(Line, item(List, Term, Number, Rest)))
    ).

% walk(Item, Goal): the goal holds of all entries that the rules lead to, which are all there are.
walk(Item, Goal) :-
    retract(ahead(Line, Found)), !,
    set(place, Line),
    must(\+ \+ ( Item = Found, call(Goal) ), 'it does not follow'),
    walk(Item, Goal).
walk(_, _) :-
    set(place, none),
    forall(entry(_, _, Line, _, _, _),
           must(seen(Line), Line, 'nothing leads there from the start')).

% The checksum: Adler-32 of all bytes before the last line.
check_sum(File, Sum) :-
    (   exists_file(File) -> true
    ;   throw(unreadable(error(existence_error(regular_file, File), _)))
    ),
    catch(open(File, read, Stream, [type(binary)]), Error, throw(unreadable(Error))),
    call_cleanup(add_bytes(Stream, 0, 1, 0, 1, Sum), close(Stream)).

% A and B are the sums so far; Sum0 is what they came to at the beginning of the line. More: how many bytes of a
% character are to follow, or first(Least, Greatest, More) where the next one has bounds of its own.
add_bytes(Stream, More, A, B, Sum0, Sum) :-
    get_byte(Stream, Byte),
    (   Byte =:= -1 -> Sum = Sum0
    ;   must(follows(Byte, More, Rest), none, 'it is no text in UTF-8, or has control characters'),
        A1 is (A + Byte) mod 65521,
        B1 is (B + A1) mod 65521,
        ( Byte =:= 10, \+ peek_byte(Stream, -1) -> Sum1 is B1 * 65536 + A1 ; Sum1 = Sum0 ),
        add_bytes(Stream, Rest, A1, B1, Sum1, Sum)
    ).

follows(Byte, 0, Rest) :- !,
    (   Byte < 0x80 -> ( Byte >= 0x20, Byte =\= 0x7f ; Byte =:= 0x0a ), !, Rest = 0
    ;   lead(Low, High, Rest0), between(Low, High, Byte) -> Rest = Rest0
    ).
follows(Byte, first(Low, High, Rest), Rest) :- !, between(Low, High, Byte).
follows(Byte, More, Rest) :- between(0x80, 0xBF, Byte), Rest is More - 1.

% The first bytes of characters of several bytes (RFC 3629, section 4).
lead(0xC2, 0xDF, 1).
lead(0xE0, 0xE0, first(0xA0, 0xBF, 1)).
lead(0xE1, 0xEC, 2).
lead(0xED, 0xED, first(0x80, 0x9F, 1)).
lead(0xEE, 0xEF, 2).
lead(0xF0, 0xF0, first(0x90, 0xBF, 2)).
lead(0xF1, 0xF3, 3).
lead(0xF4, 0xF4, first(0x80, 0x8F, 2)).

% Claims ------------------------------------------------------------------

% records(Kind, Records, List): what is claimed, and on which list states are.
records(plan, [start(_, _), cost(_), step(_, _)], none).
records(cheapest, [start(_, _), cost(_), step(_, _), given(_)], closed).
records(unsolvable, [start(_, _), given(_)], closed).
records(value, [start(_, _), player(_), utilities(_, _), value(_)], of(_, claim)).
records(bounds, [start(_, _), player(_), utilities(_, _), scale(_), between(_, _, _)],
        of(_, units)).
records(values, [start(_, _), player(_), utilities(_, _), values(_), players(_)], values).
records(equilibrium, [start(_, _), values(_), players(_)], plays).
records(solution, model, none).
records(optimal, model, none).
records(no_solution, model, none).

check(Kind, _) :- records(Kind, model, _), !,
    must(( has(model, 1) ; has(model, 2) ), 1, 'the rules have no model'),
    throw(of_a_model).
check(Kind, Words) :-
    records(Kind, Records, List),
    forall(fact(Line, Fact),
           must(( member(Record, Records), subsumes_term(Record, Fact) ), Line,
                'a certificate of this kind has no such record')),
    forall(entry(_, _, Line, Other, _, _),
           must(subsumes_term(List, Other), Line, 'a certificate of this kind has no such record')),
    check_kind(Kind, Words).

% The only record of a name.
only(Record, Line) :-
    findall(Line-Record, fact(Line, Record), Found),
    functor(Record, Name, Arity),
    (   Found = [Line-Record] -> true
    ;   Found = [] -> reject(none, ['there is no record ', Name/Arity])
    ;   Found = [_, Second-_|_], reject(Second, ['a second record ', Name/Arity])
    ).

% start(State, From): where the rules begin, as a term of the rules unless it is given.
start(State, From) :-
    only(start(Origin, Given), Line),
    must(( ground(Origin), origin(Origin, Given, State, From) ), Line,
         'the rules do not begin there').

origin(given, State, State, State) :- nonvar(State), own_kind(State).
origin(instance, Given, State, 'the initial state') :- first(none, State), State =@= Given, !.
origin(instance(Name), Given, State, Name) :-
    first(name(Known), State), Known-State =@= Name-Given, !.
origin(once, State, State, 'the only stage') :- var(State), has(payoff, 2), \+ has(joint_move, 3).

% The states in which the rules begin, as far as they are listed at all.
first(none, State) :- has(initial_state, 1), limit(10000, ask(initial_state(State))).
first(name(Name), State) :- has(initial_state, 2), limit(10000, ask(initial_state(Name, State))).

% Variables, floats, strings, atoms and functors of arithmetic that a given start has have to occur in an initial state, or,
% where the rules have none, in another state that is listed.
own_kind(Given) :-
    (   has(initial_state, _) -> findall(State, first(_, State), States)
    ;   findall(State, ( listed_state(State), State \=@= Given ), States)
    ),
    forall(distinct(Kind, kind(Given, Kind)), ( member(State, States), kind(State, Kind) )).

listed_state(State) :-
    entry(_, Term, _, List, _, _),
    ( memberchk(List, [closed, plays]) -> State = Term ; Term = at(_, State) ).
listed_state(State) :- fact(_, step(_, State)).

kind(Term, Kind) :- sub_term(Part, Term), kind_of(Part, Kind).

kind_of(Part, variable) :- var(Part), !.
kind_of(Part, float) :- float(Part), !.
kind_of(Part, string) :- string(Part), !.
kind_of(Part, fraction) :- rational(Part), \+ integer(Part), !.
kind_of(Part, value(Name/Arity)) :-
    callable(Part), functor(Part, Name, Arity), arithmetic(Arity, Names), memberchk(Name, Names), !.

% arithmetic(Arity, Names): the functions of arithmetic.
arithmetic(0, [cputime, e, epsilon, inf, infinite, max_integer, max_tagged_integer, min_integer,
               min_tagged_integer, nan, pi, random, random_float, realtime]).
arithmetic(1, ['+', '-', '\\', abs, acos, acosh, acot, asin, asinh, atan, atanh, ceil, ceiling, cos, cosh, cot,
               denominator, eval, exp, float, float_fractional_part, float_integer_part, floor, integer, log,
               log10, log2, lsb, msb, numerator, popcount, random, random_float, rational, rationalize, round,
               sign, sin, sinh, sqrt, succ, tan, tanh, trunc, truncate]).
arithmetic(2, ['*', '**', '+', '-', '/', '//', '/\\', '<<', '>>', '\\/', '^', atan, atan2, copysign, div, gcd,
               getbit, lcm, log, max, min, mod, nexttoward, plus, random, rdiv, rem, xor]).
arithmetic(3, [powm]).

check_kind(plan, ['there is a plan of cost ', Cost, ' from ', From]) :-
    start(State, From),
    check_plan(State, Cost, Implied),
    check_costs(Implied).
check_kind(cheapest, ['no plan from ', From, ' is cheaper than ', Cost|If]) :-
    start(State, From),
    check_plan(State, Cost, Implied),
    given(Heuristic, If),
    check_closed(State, Cost, Heuristic),
    check_costs(Implied).
check_kind(unsolvable, ['there is no plan from ', From|If]) :-
    start(State, From),
    given(Heuristic, If),
    check_closed(State, none, Heuristic),
    check_costs(none).
check_kind(value, ['the game from ', From, ' is worth ', Given, ' to ', Mover, ', who is to move']) :-
    begin(State, From, Mover, Players),
    only(value(Given), Line),
    must(figure(Given, Value), Line, 'its value is no number'),
    must(( Players = [_, _], memberchk(Mover, Players) ), Line, 'the game is none of two players'),
    check_strategies(Mover, at(Mover, State), Value, Value, none, Sum, Worths),
    ( integer(Sum) -> Half is Sum rdiv 2 ; Half is Sum / 2 ),
    must(( member(Worth, [Half|Worths]), Worth == Value ), Line,
         'no end is worth that to the player').
check_kind(bounds, ['the game from ', From, ' is worth from ', A/B, ' to ', C/D, ' to ', Player]) :-
    begin(State, From, Mover, Players),
    only(utilities(_, Sum), Line),
    only(scale(Scale), Line1),
    only(between(Player, Least, Most), Line2),
    must(integer(Sum), Line, 'the sum is not exact'),
    must(( units(Scale), Scale > 0 ), Line1, 'its scale is no positive integer'),
    must(( units(Least), units(Most) ), Line2, 'its bounds are no integers'),
    must(( ground(Player), (   Players = [_] -> memberchk(Player, [nobody|Players])
                           ;   Players = [_, _], memberchk(Player, Players)
                           ) ), Line2,
         'there is no such player'),
    Low is Sum rdiv 2 + Least rdiv Scale,
    High is Sum rdiv 2 + Most rdiv Scale,
    check_strategies(Player, at(Mover, State), Low, High, Scale, _, _),
    maplist(rational, [Low, High], [A, C], [B, D]).
check_kind(values, ['the game from ', From, ' is worth ', Given, ' to ', Players|If]) :-
    begin(State, From, Mover, Known),
    only(values(Given), Line),
    only(players(Players), Line1),
    must(( ground(Players), is_list(Players), msort(Players, Sorted), msort(Known, Sorted) ), Line1,
         'the rules have other players'),
    must(( figures(Given, Values), listed(at(Mover, State), values, _, Values) ), Line,
         'the start is worth something else'),
    walk(item(values, at(By, At), Rank, Row), check_row(Players, By, At, Rank, Row)),
    check_model(Kind, Sum),
    forall(finish(Line2, By, End, _, Row),
           ( set(place, Line2),
             maplist(ends(Kind, Sum, By, End), Players, Worths),
             must(Worths == Row, ['the end is worth ', Worths])
           )),
    ( Kind == each -> If = [', if the first of equal moves is made'] ; If = [] ).
check_kind(equilibrium, ['the strategies are an equilibrium from ', From, ', which pays ', Given,
                         ' to ', Players]) :-
    start(State, From),
    only(values(Given), Line),
    only(players(Players), Line1),
    must(( ask(players(Known)), ground(Known), is_list(Known), Known == Players,
           sort(Known, Sorted), same_length(Known, Sorted) ), Line1, 'the rules have other players'),
    must((   has(payoff, 2), \+ has(joint_move, 3)
         ;   has(joint_move, 3), has(utility, 3),
             ( has(terminal, 1) ; has(terminal, 2) )
         ), none, 'the rules are of no such game'),
    must(( figures(Given, Values), listed(State, plays, _, Values-_) ), Line,
         'the start is worth something else'),
    walk(item(plays, Stage, Rank, Row-Mixes), check_stage(Players, Stage, Rank, Row, Mixes)).

% Puzzles -----------------------------------------------------------------

given(none, []) :- \+ fact(_, given(_)), !.
given(Heuristic, [', if ', Heuristic, ' never overestimates']) :-
    only(given(Heuristic), Line),
    must(( ground(Heuristic), known_heuristic(Heuristic) ), Line,
         'the rules have no such heuristic').

known_heuristic(heuristic) :- has(heuristic, 2).
known_heuristic(heuristic(Name)) :-
    atom(Name), has(heuristic, 3),
    clause(user:heuristic(Known, _, _), _),
    ( var(Known) ; Known == Name ), !.

% note(Number): the rules count in floats.
note(Number) :- ( float(Number) -> set(floats, true) ; true ).

% move(State, Move, Cost, Next): a move of the rules, with its cost as a number.
move(State, Move, Cost, Next) :-
    ask(rule(Move, Given, State, Next)),
    amount(Given, Cost),
    note(Cost),
    must(( Cost >= 0, ( integer(Cost) -> Cost < 1<<256 - 1 ; Cost < inf ), nonvar(Next) ),
         ['the move ', Move, ' has no cost, or leads nowhere']).

final(State) :- \+ \+ ask(final_state(State)).

% A plan: its moves made one after the other. Its cost is the one that is claimed, of which check_costs/1 makes sure.
check_plan(Start, Cost, of(Sum, Cost, Line)) :-
    only(cost(Cost), Line),
    must(cost(Cost), Line, 'its cost is no number'),
    findall(Line1-Step, ( Step = step(_, _), fact(Line1, Step) ), Steps),
    foldl(follow, Steps, Start-0, End-Sum),
    must(final(End), none, 'the plan ends in no final state').

follow(Line-step(Move, Listed), State-Sum0, Next-Sum) :-
    set(place, Line),
    findall(Cost-Next,
            ( move(State, Known, Cost, Next), Known =@= Move, Next =@= Listed ),
            Found),
    must(aggregate_all(min(Cost, To), member(Cost-To, Found), min(Least, Next)),
         ['the rules have no move ', Move, ' that leads there']),
    Sum is Sum0 + Least.

% Where all costs and estimates are integers so are those of the certificate; else all are floats.
check_costs(Implied) :-
    value(floats, Floats),
    (   Implied = of(Sum, Cost, Line)
    ->  ( Floats == true -> Right is float(Sum) ; Right = Sum ),
        must(Right == Cost, Line, ['the plan costs ', Right])
    ;   true
    ),
    forall(entry(_, _, Line1, closed, Listed, _),
           must(( Floats == true -> float(Listed) ; integer(Listed) ), Line1,
                'its cost is of another kind than those of the rules')).

% Sums of floats are equal up to the rounding of as many additions as there are records.
at_least(A, B) :- A >= B, !.
at_least(A, B) :-
    ( float(A) ; float(B) ), !,
    value(rounding, Part),
    B - A =< Part * max(abs(A), abs(B)).

% A closed list: the start is on it with cost 0, no state on it is final, and a move from a state of cost G leads
% to one whose cost is at most G and that of the move, or comes to the bound: to the cost claimed, with an estimate
% if that is given. Without a cost nothing comes to the bound but an infinite estimate. So no path from the start
% reaches a final state for less.
check_closed(Start, Bound, Heuristic) :-
    must(reached(Start, 0, Bound, Heuristic), none, 'the start is not listed with cost 0'),
    walk(item(closed, State, Cost, none), check_state(State, Cost, Bound, Heuristic)).

check_state(State, Cost, Bound, Heuristic) :-
    must(\+ final(State), 'the state is final'),
    ( Heuristic == none -> true ; estimate(Heuristic, State, _) ),
    forall(( move(State, Move, Step, Next), plus_cost(Cost, Step, Sum) ),
           must(reached(Next, Sum, Bound, Heuristic),
                ['the move ', Move, ' leads to ', Next, ' for ', Sum, ', which is not listed so'])).

% A path of this cost may lead to the state.
reached(State, Cost, _, _) :- listed(State, closed, Least, _), Least =< Cost, !.
reached(_, Cost, Bound, _) :- number(Bound), at_least(Cost, Bound), !.
reached(State, Cost, Bound, Heuristic) :-
    Heuristic \== none,
    estimate(Heuristic, State, Estimate),
    ( Estimate =:= inf ; number(Bound), plus_cost(Cost, Estimate, Sum), at_least(Sum, Bound) ), !.

% A sum beyond all floats is infinite.
plus_cost(A, B, Sum) :- catch(Sum is A + B, error(evaluation_error(float_overflow), _), Sum is inf).

estimate(Heuristic, State, Value) :-
    (   Heuristic = heuristic(Name) -> Goal = heuristic(Name, State, Given)
    ;   Goal = heuristic(State, Given)
    ),
    must(ask(Goal), ['there is no estimate of ', State]),
    amount(Given, Value),
    must(Value >= 0, ['the estimate of ', State, ' is negative']),
    ( Value =:= inf -> true ; note(Value) ).

% Games -------------------------------------------------------------------

% begin(State, From, Mover, Players): the start, the player to move, and the players, in the order of their turns.
begin(State, From, Mover, Players) :-
    must(( has(move, 3) ; has(move, 4) ), none, 'the rules are of no such game'),
    start(State, From),
    only(player(Mover), Line),
    must(( ground(Mover), ( has(to_move, 2) -> ask(to_move(State, Said)) ; Said = Mover ) ), Line,
         'the rules name no player to move there'),
    must(Said == Mover, Line, 'another player is to move there'),
    must((   fact(_, start(given, _))
         ;   has(to_move, 2)
         ;   \+ has(initial_player, 1)
         ;   ask(initial_player(First)), !, First == Mover
         ), Line, 'by the rules another player begins'),
    must(seats(Mover, Seats), Line, 'the rules have no such players'),
    set(players, Seats),
    survey(State, Mover),
    value(players, Met),
    ( has(opponent, 2) -> Players = Met ; append(Met, [other], [A, B|_]), Players = [A, B] ),
    set(players, Players),
    must(memberchk(Mover, [chance|Players]), Line, 'there is no such player').

% seats(Mover, Players): the players, as far as they are known before there were moves.
seats(Mover, Players) :- has(opponent, 2), !,
    (   has(initial_player, 1), ask(initial_player(First)), First \== chance -> true
    ;   has(to_move, 2), Mover \== chance -> First = Mover
    ;   ask(opponent(First, _)), First \== chance
    ),
    ground(First),
    circle(First, First, 200, Players), !.
seats(Mover, Players) :-
    has(to_move, 2), !, ( Mover == chance -> Players = [] ; Players = [Mover] ).
seats(Mover, [Mover, Other]) :-
    ( has(initial_player, 1), ask(initial_player(First)) -> true ; First = first ),
    memberchk(Mover, [First, first, second]),
    ( Mover == second -> Other = first ; Other = second ).

% circle(Player, First, Most, Players): those who have their turns one after the other until it is the first one's again.
circle(Player, First, Most, [Player|Players]) :-
    Most > 0,
    ask(opponent(Player, After)), !,
    ( After == chance -> ask(opponent(chance, Next)) ; Next = After ), !,
    ground(Next),
    ( Next == First -> Players = [] ; Less is Most - 1, circle(Next, First, Less, Players) ).

turn(State, Mover) :-
    must(( ask(to_move(State, Mover)), ground(Mover) ), ['nobody is to move in ', State]),
    value(players, Players),
    (   memberchk(Mover, [chance|Players]) -> true
    ;   must(( \+ has(opponent, 2), length(Players, Met), Met < 2 ), [Mover, ' is no player']),
        append(Players, [Mover], More),
        set(players, More)
    ).

% after(Mover, Next, After): the player to move after a move.
after(_, Next, After) :- has(to_move, 2), !, turn(Next, After).
after(Mover, _, After) :- has(opponent, 2), !,
    must(( ask(opponent(Mover, After)), ground(After) ), ['nobody moves after ', Mover]).
after(Mover, _, After) :- other(Mover, After).

% other(Player, Other): the other one of two players.
other(Player, Other) :-
    value(players, Players),
    append(Players, [other], Named),
    member(Other, Named),
    Other \== Player, !.

% moves(Mover, State, Moves): the moves with what they lead to, or `over`.
moves(Mover, State, over) :- has(terminal, 2), \+ \+ ask(terminal(Mover, State)), !.
moves(_, State, over) :- \+ has(terminal, 2), has(terminal, 1), \+ \+ ask(terminal(State)), !.
moves(Mover, State, Moves) :-
    findall(Move-Next,
            ( game_move(Mover, Move, State, Next),
              must(nonvar(Next), ['the move ', Move, ' leads nowhere']) ),
            Found),
    (   Found == [], \+ has(terminal, 1), \+ has(terminal, 2) -> Moves = over
    ;   must(Found = [_|_], 'there is no move, and the game is not over'), Moves = Found
    ).

game_move(Mover, Move, State, Next) :- has(move, 4), !, ask(move(Mover, Move, State, Next)).
game_move(_, Move, State, Next) :- ask(move(Move, State, Next)).

% What ends are worth: how the rules say that is found out, from the ends among the states that are nearest to the start,
% breadth first, and all others that the certificate is about.
survey(State, Mover) :-
    meet(Mover, State),
    catch(expand(2000), Error, ( Error = error(resource_error(_), _) -> throw(Error) ; true )).

expand(0) :- !.
expand(Most) :-
    retract(waiting(Mover, State)), !,
    moves(Mover, State, Moves),
    (   Moves == over -> note_end(Mover, State)
    ;   forall(member(_-Next, Moves), ( after(Mover, Next, After), meet(After, Next) ))
    ),
    Less is Most - 1,
    expand(Less).
expand(_).

meet(Mover, State) :-
    hash(at(Mover, State), Hash),
    (   met(Hash, Known), Known =@= at(Mover, State) -> true
    ;   assertz(met(Hash, at(Mover, State))), assertz(waiting(Mover, State))
    ).

% The utilities of an end for the player to move and for the other one, unless it is the end for one alone.
note_end(Mover, State) :-
    (   asks_both -> said(Mover, State, Own, Others, Alone), assertz(ending(Own, Others, Alone))
    ;   true
    ).

said(Mover, State, Own, Others, Alone) :-
    asked(Mover, First),
    other(First, Other),
    (   Mover \== chance, has(terminal, 2),
        catch(\+ ask(terminal(Other, State)), rejected(_, _), fail)
    ->  Alone = true, Others = none
    ;   Alone = false, told_or_none(Other, State, Others)
    ),
    told_or_none(First, State, Own).

% asked(Mover, Player): the player for whom the utility of an end is called.
asked(chance, First) :-
    !, value(players, Players), must(Players = [First|_], 'nobody is to move').
asked(Mover, Mover).

asks_both :- has(names_player, 3), ( has(opponent, 2) -> value(players, [_, _]) ; true ).

told_or_none(Player, State, Worth) :-
    ( catch(told(Player, State, Told), rejected(_, _), fail) -> Worth = Told ; Worth = none ).

told(Player, State, Worth) :-
    utility(Player, State, Goal, Given),
    ask(Goal), !,
    nonvar(Given),
    amount(Given, Worth),
    ( integer(Worth), abs(Worth) >= 1<<60 -> throw(too_large(Worth)) ; true ).

utility(Player, State, utility(Player, State, Worth), Worth) :- has(utility, 3), !.
utility(_, State, utility(State, Worth), Worth) :- has(utility, 2), !.
utility(Player, State, heuristic(Player, State, Worth), Worth) :- has(heuristic, 3), !.
utility(_, State, heuristic(State, Worth), Worth) :- has(heuristic, 2).

% model(Kind, Sum): the kind of utilities: of both players, of the player to move alone, or of each of several.
model(Kind, 0) :- value(players, Players), \+ Players = [_, _], !, Kind = each.
model(Kind, 0) :- \+ has(utility, 3), \+ has(utility, 2), !,
    (   (   \+ has(move, 4)
        ;   \+ ( member(Name/Arity, [heuristic/2, heuristic/3, terminal/1, terminal/2]),
                 has(Name, Arity) )
        )
    ->  Kind = cannot_move_loses
    ;   Kind = heuristic
    ).
model(Kind, 0) :- \+ asks_both, !, Kind = player_to_move.
model(Kind, Sum) :-
    findall(Own-Others, ( ending(Own, Others, _), number(Own), number(Others) ), Both),
    (   Both = []
    ->  ( ending(Own, _, _), number(Own) -> Kind = player_to_move ; Kind = zero_sum ), Sum = 0
    ;   loser_alone(Both) -> Kind = player_to_move, Sum = 0
    ;   Both = [Own-Others|_],
        Sum0 is Own + Others,
        forall(member(Ends, Both), add_up(Ends, Sum0))
    ->  (   float(Sum0)
        ->  format(string(Digits), '~14e', [Sum0]),
            number_string(Sum1, Digits),
            ( Sum1 =:= truncate(Sum1), abs(Sum1) < 9.0e15 -> Sum is truncate(Sum1) ; Sum = Sum1 )
        ;   Sum = Sum0
        ),
        ( Sum =:= 0 -> Kind = zero_sum ; Kind = constant_sum )
    ;   ending(_, _, true) -> Kind = player_to_move, Sum = 0
    ;   Kind = each, Sum = 0
    ).

% Who has lost gets less than nothing, and the other one nothing.
loser_alone(Both) :-
    forall(( ending(_, Others, _), number(Others) ), Others =:= 0),
    forall(member(Own-_, Both), Own =< 0),
    once(( member(Own-_, Both), Own < 0 )).

% Floats add up to a sum up to one part in 10^9.
add_up(A-B, Sum) :- integer(A), integer(B), integer(Sum), !, A + B =:= Sum.
add_up(A-B, _) :- ( abs(A) =:= inf ; abs(B) =:= inf ), !, A =:= -B.
add_up(A-B, Sum) :- abs(A + B - Sum) =< 1.0e-9 * (1 + abs(A) + abs(B)).

check_model(Kind, Sum) :-
    only(utilities(Given, Stated), Line),
    model(Kind, Sum),
    must(Given-Stated == Kind-Sum, Line, ['by the rules it is utilities(', Kind, ',', Sum, ')']).

% A game that has a value: what one of two players gets the other loses.
check_valued(Kind) :-
    value(players, Players),
    only(utilities(_, _), Line),
    must(\+ ( Kind == each, Players = [_, _] ), Line,
         'what one player gets the other does not lose: the game has no value').

% ends(Kind, Sum, Mover, State, Player, Worth): what an end is worth to a player.
ends(Kind, Sum, Mover, State, Player, Worth) :-
    must(worth(Kind, Sum, Mover, State, Player, Own),
         ['the rules give no utility of the end ', State, ' for ', Player]),
    ( float(Own) -> Worth is Own + 0.0 ; Worth = Own ).

worth(each, _, Mover, State, nobody, Worth) :-
    \+ ( value(players, Players),
         memberchk(nobody, Players) ), !,
    other(nobody, Player),
    worth(each, 0, Mover, State, Player, Own),
    Worth is -Own.
worth(each, _, _, State, Player, Worth) :- !,
    ( value(players, [_]) -> true ; by_player ),
    told(Player, State, Worth).
worth(cannot_move_loses, _, Mover, _, Player, Worth) :- !,
    Mover \== chance,
    ( Player == Mover -> Worth = -1 ; Worth = 1 ).
worth(Kind, _, Mover, State, Player, Worth) :- memberchk(Kind, [player_to_move, heuristic]), !,
    ( Mover == chance -> by_player ; true ),
    asked(Mover, First),
    told(First, State, Own),
    ( Player == First -> Worth = Own ; Worth is -Own ).
worth(_, Sum, Mover, State, Player, Worth) :-
    said(Mover, State, Own, Others, _),
    asked(Mover, First),
    ( number(Own), number(Others) -> add_up(Own-Others, Sum) ; true ),
    ( Player == First -> Ours-Theirs = Own-Others ; Ours-Theirs = Others-Own ),
    ( number(Ours) -> Worth = Ours ; number(Theirs), Worth is Sum - Theirs ).

% The rules can be asked what an end is worth to any player.
by_player :- ( has(utility, 3) ; \+ has(utility, 2), has(heuristic, 3) ), !.

% A strategy for either player: by one of them the player gets so much at least, by the other one no more than so much.
% The levels of the opponent's positions are negated.
check_strategies(Player, Start, Low, High, Scale, Sum, Worths) :-
    only(utilities(_, Stated), Line),
    must(( integer(Stated) ; float(Stated), figure(Stated, _) ), Line,
         'what ends are worth is not said'),
    value(players, Players),
    (   Players = [_, _] -> other(Player, Other)
    ;   Player == nobody -> Players = [Other]
    ;   Other = nobody
    ),
    Least is -High,
    Base is -Stated,
    Sides = [side(Player, 1, Low, Stated, Scale), side(Other, -1, Least, Base, Scale)],
    forall(( member(Side, Sides), Side = side(P, _, Claim, _, _) ),
           must(( listed(Start, of(P, _), _, Units-_),
                  level(Units, Side, Level),
                  \+ exceeds(Claim, Level) ), none,
                ['the start is no position of ', P, ', or is worth less there'])),
    walk(item(of(P, _), at(Mover, State), Rank, Units-Chosen),
         ( member(Side, Sides), Side = side(P, _, _, _, _),
           level(Units, Side, Level),
           check_position(Mover, State, Chosen, to(Side, Rank, Level)) )),
    check_model(Kind, Sum),
    check_valued(Kind),
    findall(Worth, check_end(Player, Scale, Kind, Sum, Worth), Worths).

check_end(Player, Scale, Kind, Sum, Worth) :-
    finish(Line, Mover, State, Sign, Level),
    set(place, Line),
    ends(Kind, Sum, Mover, State, Player, Worth),
    must(( Scale == none ; integer(Worth) ), 'what the end is worth is not exact'),
    Own is Sign * Worth,
    must(\+ exceeds(Level, Own), ['the end is worth ', Worth, ' to ', Player]).

% level(Units, Side, Level): what a position is worth at least.
level(claim, side(_, _, Claim, _, _), Level) :- !, Level = Claim.
level(Units, side(_, _, _, Base, Scale), Level) :- Level is Base rdiv 2 + Units rdiv Scale.

% Ends are worth so much, the move chosen leads to a position worth as much, and so does every move of the opponent; those
% of chance do in the mean. Play that never ends is worth half of the sum: where more is claimed ranks fall, by all these
% moves, and by one of chance.
check_position(Mover, State, Chosen, To) :-
    To = to(side(Player, Sign, _, _, _), _, Level),
    moves(Mover, State, Moves),
    (   Moves == over
    ->  must(Chosen == none, 'the game is over there'),
        value(place, Line),
        note_end(Mover, State),
        assertz(finish(Line, Mover, State, Sign, Level))
    ;   Mover == Player
    ->  must(Chosen = move(_), 'there is no move'),
        findall(Next, ( member(Move-Next, Moves), move(Move) =@= Chosen ), Nexts),
        findall(Next, ( member(Next, Nexts), kept(Mover, Next, To) ), Kept),
        must(Kept = [_|_],
             'there is no such move that leads to a position worth as much and of lower rank')
    ;   must(Chosen == none, ['there is a move where ', Player, ' is not to move']),
        (   Mover == chance -> check_chance(State, Moves, To)
        ;   forall(member(Move-Next, Moves),
                   must(kept(Mover, Next, To),
                        ['the move ', Move,
                         ' leads to no position worth as much and of lower rank']))
        )
    ).

check_chance(State, Moves, To) :-
    To = to(_, _, Level),
    findall(Move-[Worth], ( member(Move-Next, Moves), leads(chance, Next, To, _, Worth) ), Rows),
    must(same_length(Rows, Moves), 'chance leads to no such position'),
    chances(Rows, State, Weighted),
    mean(Weighted, 1, Mean),
    must(Mean >= Level, ['in the mean it is worth ', Mean]),
    must(( member(_-Next, Moves), leads(chance, Next, To, Lower, _), falls(Lower, To) ),
         'chance leads to no position of lower rank').

kept(Mover, Next, To) :-
    To = to(_, _, Level),
    leads(Mover, Next, To, Lower, Worth),
    \+ exceeds(Level, Worth),
    falls(Lower, To).

% leads(Mover, Next, To, Lower, Worth): the strategy has the position behind a move, of this rank and worth so much.
leads(Mover, Next, to(Side, _, _), Lower, Worth) :-
    Side = side(Player, _, _, _, _),
    after(Mover, Next, After),
    listed(at(After, Next), of(Player, _), Lower, Units-_),
    level(Units, Side, Worth).

falls(Lower, to(side(_, _, _, Base, _), Rank, Level)) :-
    exact(Level, Exact),
    Twice is 2 * Exact,
    ( exceeds(Twice, Base) -> Lower < Rank ; true ).

% The values of a table: each row follows from the rows that it leads to, whose ranks are lower.
check_row(Players, Mover, State, Rank, Listed) :-
    must(same_length(Players, Listed), 'there is not one value for each player'),
    moves(Mover, State, Moves),
    (   Moves == over
    ->  value(place, Line),
        note_end(Mover, State),
        assertz(finish(Line, Mover, State, 1, Listed))
    ;   findall(Move-Row,
                ( member(Move-Next, Moves),
                  after(Mover, Next, After),
                  listed(at(After, Next), values, Lower, Row),
                  Lower < Rank ),
                Rows),
        must(same_length(Moves, Rows), 'a move leads to no row of lower rank'),
        value_of_moves(Mover, State, Players, Rows, Values),
        must(Values == Listed, ['by what it leads to it is worth ', Values])
    ).

value_of_moves(chance, State, Players, Rows, Values) :- !,
    chances(Rows, State, Weighted),
    findall(Mean, ( nth1(I, Players, _), mean(Weighted, I, Mean) ), Values).
value_of_moves(Mover, _, Players, Rows, Values) :-
    nth1(I, Players, Mover),
    findall(Value, ( member(_-Row, Rows), nth1(I, Row, Given), exact(Given, Value) ), All),
    max_list(All, Best),
    member(_-Values, Rows),
    nth1(I, Values, Own),
    exact(Own, Best), !.

% chances(Rows, State, Weighted): the rows that moves of chance lead to, with their probabilities.
chances(Rows, State, Weighted) :-
    length(Rows, Count),
    findall(P-Row, ( member(Move-Row, Rows), chance(Move, State, Count, P) ), Weighted),
    pairs_keys(Weighted, Chances),
    sum_list(Chances, One),
    must(( same_length(Chances, Rows), One == 1 ),
         'the probabilities are not exact, or do not add up to 1').

mean(Weighted, I, Mean) :-
    aggregate_all(sum(P * Value), ( member(P-Row, Weighted), nth1(I, Row, Value) ), Mean),
    must(rational(Mean), 'nothing exact follows from floats').

chance(Move, State, Count, P) :-
    (   has(probability, 3) -> ask(probability(Move, State, Given)), !, quotient(Given, P)
    ;   P is 1 rdiv Count
    ),
    P > 0.

quotient(Given, P) :-
    nonvar(Given),
    ( Given = A/B ; Given = A rdiv B ),
    ask(( Above is A, Below is B )),
    integer(Above), integer(Below), !,
    P is Above rdiv Below.
quotient(Given, P) :- ask(P is Given), integer(P).

% Games in which all choose at once ---------------------------------------

% A stage of an equilibrium: it pays so much, and no player gains by another action.
check_stage(Players, State, _, Row, Mixes) :-
    has(joint_move, 3),
    Players = [First|_],
    ( has(terminal, 2) -> \+ \+ ask(terminal(First, State)) ; \+ \+ ask(terminal(State)) ), !,
    must(Mixes == [], 'the game is over there'),
    findall(Worth, ( member(P, Players), once(ask(utility(P, State, U))), fraction(U, Worth) ),
            Worths),
    must(Worths == Row, ['the end is worth ', Worths]).
check_stage(Players, State, Rank, Row, Mixes) :-
    findall(Own, ( member(P, Players),
                   findall(A, ask(action(P, State, A)), All),
                   list_to_set(All, Own) ),
            Actions),
    must(( ground(Actions), \+ memberchk([], Actions) ), 'the rules have no such actions'),
    must(( same_length(Players, Row),
           same_length(Players, Mixes),
           maplist(mixed, Actions, Mixes, Known) ),
         'it has not for each player a value, and actions with probabilities that add up to 1'),
    findall(As, maplist(member, As, Actions), Profiles),
    must(maplist(pays(Players, State, Rank), Profiles, Table),
         'actions lead to no stage of lower rank'),
    forall(nth1(I, Row, Value),
           ( mean_pay(Profiles, Table, Known, I, Mean),
             must(Mean == Value, ['it pays ', Mean, ' to player ', I])
           )),
    forall(( nth1(I, Actions, Own),
             member(A, Own),
             nth1(I, Known, _, Rest),
             nth1(I, Others, [A-1], Rest) ),
           ( mean_pay(Profiles, Table, Others, I, Mean),
             nth1(I, Row, Value),
             must(Mean =< Value, ['player ', I, ' gains by ', A])
           )).

% fraction(Given, Number): floats of the rules are the fractions that they are.
fraction(Given, Number) :-
    nonvar(Given), Given = A/B,
    integer(A), integer(B), !,
    ask(Number is A rdiv B).
fraction(Given, Number) :-
    ask(Value is Given),
    ( integer(Value) -> Number = Value ; float(Value), Number is rational(Value) ).

% mixed(Actions, Given, Mix): probabilities of some of the actions.
mixed(Actions, Given, Mix) :-
    findall(A-P, ( member(A-Term, Given), memberchk(A, Actions), figure(Term, P) ), Mix),
    same_length(Given, Mix),
    pairs_keys_values(Mix, Own, Ps),
    sort(Own, Sorted),
    same_length(Own, Sorted),
    sum_list(Ps, One),
    One == 1.

% pays(Players, State, Rank, Actions, Us): what a profile of actions pays, or the stage is worth that it leads to.
pays(Players, State, Rank, As, Us) :- has(joint_move, 3), !,
    findall(To, ask(joint_move(As, State, To)), [Next|Others]),
    nonvar(Next),
    maplist(=@=(Next), Others),
    listed(Next, plays, Lower, Us-_),
    Lower < Rank,
    same_length(Players, Us).
pays(Players, _, _, As, Us) :-
    ask(payoff(As, Given)), !,
    is_list(Given), same_length(Players, Given),
    maplist(fraction, Given, Us).

mean_pay(Profiles, Table, Mixes, I, Mean) :-
    findall(P-Us, ( nth1(K, Profiles, As), foldl(times, As, Mixes, 1, P), nth1(K, Table, Us) ),
            Weighted),
    mean(Weighted, I, Mean).

times(A, Mix, P0, P) :- memberchk(A-Q, Mix), P is P0 * Q.
