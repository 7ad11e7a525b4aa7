% engines.pl: coroutines with stacks of their own, which give one answer at a time.

%! engine_create(+Template, :Goal, -Engine)
%  An engine for the answers of Goal, which it gives as copies of Template. It has stacks of its own and runs when it is
%  asked; clauses are the same for all engines.
%  ?- engine_create(X, member(X, [a,b]), E), engine_next(E, A), engine_next(E, B).
%  A = a, B = b.
engine_create(Template, Goal, Engine) :-
    engine_create(Template, Goal, Engine, []).

%! engine_create(+Template, :Goal, -Engine, +Options)
%  As engine_create/3. Options: alias(Name) for a name of the engine.
engine_create(Template, Goal, Engine, Options) :-
    must_be(callable, Goal),
    must_be(list, Options),
    (   memberchk(alias(Alias), Options)
    ->  must_be(atom, Alias)
    ;   Alias = []
    ),
    '$engine_create'('$engine_answers'(Template, Goal, _), Alias, Engine).

'$engine_answers'(Template, Goal, Answer) :-
    reset(Goal, '$engine_yield'(Term), Continuation),
    (   Continuation == 0
    ->  Answer = Template
    ;   Answer = Term
    ;   '$engine_answers'(Template, Continuation, Answer)
    ).

%! engine_next_reified(+Engine, -Term)
%  As engine_next/2: the(Answer), no if there is none, exception(Ball) for one of its goal.
%  ?- engine_create(x, fail, E), engine_next_reified(E, R).
%  R = no.
engine_next_reified(Engine, Term) :-
    (   catch(engine_next(Engine, Answer), Ball, true)
    ->  (   nonvar(Ball)
        ->  Term = exception(Ball)
        ;   Term = the(Answer)
        )
    ;   Term = no
    ).

%! engine_post(+Engine, +Term)
%  Leaves a term for engine_fetch/1 in Engine; an error if one is there that was not fetched.
engine_post(Engine, Term) :-
    '$engine_post'(Engine, Term).

%! engine_post(+Engine, +Term, -Reply)
%  engine_post/2, and then engine_next/2.
%  ?- engine_create(X, engine_fetch(X), E), engine_post(E, a, R).
%  R = a.
engine_post(Engine, Term, Reply) :-
    '$engine_post'(Engine, Term),
    engine_next(Engine, Reply).

%! engine_fetch(-Term)
%  In the goal of an engine: the term that was posted to it.
engine_fetch(Term) :-
    (   '$engine_fetch'(Fetched)
    ->  Term = Fetched
    ;   (   engine_self(Engine)
        ->  true
        ;   Engine = main
        ),
        throw(error(existence_error(term, delivery, Engine),
                    context(engine_fetch/1, 'use engine_post/2,3')))
    ).

%! engine_yield(+Term)
%  In the goal of an engine: Term is its next answer; the goal goes on when it is asked for the one after that.
engine_yield(Term) :-
    (   engine_self(_)
    ->  shift('$engine_yield'(Term))
    ;   permission_error(yield, engine, main)
    ).

%! current_engine(?Engine)
%  Each engine that is there.
%  ?- engine_create(x, true, E, [alias(e)]), current_engine(e).
%  true.
current_engine(Engine) :-
    '$engines'(Engines),
    member(Engine, Engines).
