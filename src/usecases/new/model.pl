% A model: three shifts of a week's work are given to three people.
%
% It runs as it is.  Change it piece by piece into a model of your own, and after
% each change look at what became of it:
%
%     zug check model.pl                   looks for mistakes
%     zug solve model.pl                   solves it
%     zug solve model.pl --all-solutions   finds all best solutions
%     zug test model.pl                    runs the tests at the end
%     zug model.pl                         answers questions, as  model(Vars).
%
% A model says what must be true of a solution, and not how to find one.  Variables
% stand for integers; constraints of library(clpfd) hold between them: #= is "equal",
% #\= "different", #< "less", #=< "at most".  zug finds values that all of them allow.

:- use_module(library(clpfd)).


% --- 1. The model: model(Vars), Vars a list of Name=Variable -------------------
%
% Each variable needs bounds: `X in 1..9`, or `Xs ins 1..9` for a list of them.

model([ann=Ann, bob=Bob, eve=Eve]) :-
    [Ann,Bob,Eve] ins 1..3,         % each has one of the shifts: 1 early, 2 late, 3 night
    all_different([Ann,Bob,Eve]),   % and nobody the same one
    Ann #\= 3,                      % Ann does not work at night
    Eve #> Bob.                     % Eve comes after Bob

% There may be a model for each of several names: model(Name, Vars).


% --- 2. What is best: objective(Vars, min(E)) or objective(Vars, max(E)) -------
%
% Leave it out, and every solution is as good as another.

objective(Vars, min(Dislike)) :-
    memberchk(ann=Ann, Vars),
    memberchk(bob=Bob, Vars),
    AnnLate #<==> (Ann #= 2),       % 1 if Ann has the late shift, 0 if not
    BobEarly #<==> (Bob #= 1),
    Dislike = 3*AnnLate + BobEarly.


% --- 3. A picture: print_model(Vars) writes a solution --------------------------

print_model(Vars) :-
    forall(member(Name=Shift, Vars), ( shift(Shift, Text), format("~w: ~w~n", [Name,Text]) )).

shift(1, early).
shift(2, late).
shift(3, night).


% --- 4. Tests: what must stay true while you change things ----------------------

:- begin_tests(shifts).

test(ann_never_works_at_night, fail) :-
    model([ann=3|_]).

test(all_have_a_shift, all(Shifts == [[1,2,3],[2,1,3]])) :-
    model([ann=Ann, bob=Bob, eve=Eve]),
    Shifts = [Ann,Bob,Eve],
    label(Shifts).

:- end_tests(shifts).
