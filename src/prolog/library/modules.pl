% modules.pl: what there is to ask of modules, and goals in another one.

%! current_module(?Module)
%  Module is the name of a module: user, system, or that of a file with module/2.
%  ?- current_module(user).
%  true.
current_module(Module) :-
    '$modules'(Names),
    (   atom(Module)
    ->  memberchk(Module, Names)
    ;   member(Module, Names)
    ).

%! module_property(?Module, ?Property)
%  Property is exports(List) or exported_operators(List) of a module, or class(Class).
%  ?- module_property(user, class(C)).
%  C = user.
module_property(Module, Property) :-
    current_module(Module),
    '$module_property'(Property, Module).

'$module_property'(class(Class), Module) :-
    (   Module == system
    ->  Class = system
    ;   Class = user
    ).
'$module_property'(exports(List), Module) :-
    '$module_exports'(Module, List).

%! import_module(+Module, ?Import)
%  Import is the module in which predicates are looked for that Module has not.
%  ?- import_module(user, M).
%  M = system.
import_module(Module, Import) :-
    current_module(Module),
    '$module_base'(Module, Import).

%! @(:Goal, +Module)
%  Goal, whose own arguments that are goals are those of Module.
%  ?- @(X = 1, user).
%  X = 1.
@(Goal, Module) :-
    must_be(atom, Module),
    strip_module(Goal, _, Plain),
    (   predicate_property(Goal, system)
    ->  call(Module:Plain)
    ;   call(Goal)
    ).

%! module(+Module)
%  Makes Module, if there is none of this name.
%  ?- module(user).
%  true.
module(Module) :-
    must_be(atom, Module),
    strip_module(Module:true, _, _).
