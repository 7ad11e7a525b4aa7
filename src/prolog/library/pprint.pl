% pprint.pl: terms over several lines, as wide as they may be.

%! print_term(+Term, +Options)
%  Writes Term; what is wider than the page is broken at its arguments. Options: output(Stream), right_margin(Column), 72 by
%  default, left_margin(Column), indent_arguments(auto), or true, false or a number of columns, and write_options(Options).
%  ?- print_term(f([1,2,3], g(x)), [right_margin(10)]).
print_term(Term, Options) :-
    option(output(Output), Options, current_output),
    option(right_margin(Right), Options, 72),
    option(indent_arguments(Indent), Options, auto),
    option(write_options(Style), Options, [numbervars(true),quoted(true),portray(true)]),
    (   option(left_margin(Left), Options)
    ->  true
    ;   Output == current_output
    ->  current_output(Stream),
        line_position(Stream, Left)
    ;   line_position(Output, Left)
    ),
    must_be(nonneg, Right),
    \+ \+ ( copy_term_nat(Term, Copy),
            numbervars(Copy, 0, _, [singletons(true)]),
            '$pp_top'(Copy, Left, '$pp'(Right, Indent, Style), Text),
            atomic_list_concat(Text, Whole),
            '$pp_write'(Output, Whole)
          ).

% An operator that is wider than the page stays on its line, and needs no brackets.
'$pp_top'(Term, Column, Options, Text) :-
    (   compound(Term),
        compound_name_arity(Term, Name, Arity),
        '$pp_operator'(Name, Arity)
    ->  '$pp_text'(Term, 1200, Options, Whole),
        Text = [Whole]
    ;   '$pp_lines'(Term, Column, Options, Text, [])
    ).

'$pp_write'(current_output, Text) :-
    !,
    write(Text).
'$pp_write'(Output, Text) :-
    write(Output, Text).

% '$pp_lines'(Term, Column, Options): texts that make up Term, of which the first stands at Column.
'$pp_lines'(Term, Column, Options) -->
    { '$pp_text'(Term, 999, Options, Text),
      atom_length(Text, Width),
      arg(1, Options, Right)
    },
    (   { Column + Width =< Right }
    ->  [Text]
    ;   { Term = [_|_] }
    ->  '$pp_list'(Term, Column, Options)
    ;   { compound(Term),
          compound_name_arity(Term, Name, Arity),
          \+ '$pp_operator'(Name, Arity),
          arg(2, Options, Indent),
          Indent \== false
        }
    ->  '$pp_compound'(Term, Column, Indent, Options)
    ;   [Text]
    ).

'$pp_text'(Term, Priority, Options, Text) :-
    arg(3, Options, Style),
    with_output_to(atom(Text), write_term(Term, [priority(Priority)|Style])).

'$pp_operator'(Name, 1) :- current_op(_, Type, Name), memberchk(Type, [fx,fy,xf,yf]).
'$pp_operator'(Name, 2) :- current_op(_, Type, Name), memberchk(Type, [xfx,xfy,yfx]).
'$pp_operator'({}, 1).

'$pp_list'([Item|Items], Column, Options) -->
    { Column1 is Column+2 },
    ['[ '],
    '$pp_lines'(Item, Column1, Options),
    '$pp_items'(Items, Column, Options).

'$pp_items'(Items, Column, Options) -->
    { Column1 is Column+2,
      '$pp_indent'(Column, Line)
    },
    (   { Items == [] }
    ->  [Line, ']']
    ;   { nonvar(Items), Items = [Item|Items1] }
    ->  [',', Line, '  '],
        '$pp_lines'(Item, Column1, Options),
        '$pp_items'(Items1, Column, Options)
    ;   [Line, '| '],
        '$pp_lines'(Items, Column1, Options),
        [Line, ']']
    ).

'$pp_indent'(Column, Line) :-
    format(atom(Line), "~n~*c", [Column,0'\s]).

'$pp_compound'(Term, Column, Indent, Options) -->
    { compound_name_arguments(Term, Name, Arguments),
      '$pp_text'(Name, 0, Options, Shown),
      atom_length(Shown, Width),
      '$pp_column'(Indent, Column, Width, Arguments, Options, Column1, Start)
    },
    [Shown, '(', Start],
    '$pp_arguments'(Arguments, Column1, Options),
    [')'].

% Arguments stand behind the bracket, or on lines of their own where they would not fit there.
'$pp_column'(Indent, Column, Width, Arguments, Options, Column1, Start) :-
    Behind is Column+Width+1,
    (   integer(Indent)
    ->  Column1 is Column+Indent,
        '$pp_indent'(Column1, Start)
    ;   Indent == auto,
        Column+4 < Behind,
        \+ '$pp_fit'(Arguments, Behind, Options)
    ->  Column1 is Column+4,
        '$pp_indent'(Column1, Start)
    ;   Column1 = Behind,
        Start = ''
    ).

'$pp_fit'(Arguments, Column, Options) :-
    arg(1, Options, Right),
    forall(member(Argument, Arguments),
           (   ( nonvar(Argument), Argument = [_|_] )
           ->  true
           ;   '$pp_text'(Argument, 999, Options, Text),
               atom_length(Text, Width),
               Column + Width =< Right
           )).

'$pp_arguments'([Argument|Arguments], Column, Options) -->
    '$pp_lines'(Argument, Column, Options),
    (   { Arguments == [] }
    ->  []
    ;   { '$pp_indent'(Column, Line) },
        [',', Line],
        '$pp_arguments'(Arguments, Column, Options)
    ).
