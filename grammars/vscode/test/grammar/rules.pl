% SYNTAX TEST "source.zug" "rule files"

:- use_module(library(clpfd)).
%^ keyword.control.directive.zug
%  ^^^^^^^^^^ keyword.other.directive.zug

rule(left, 1, State, Next) :- Next is State - 0'a, \+ bad('don''t').
%<---- entity.name.function.contract.zug
%    ^^^^ constant.other.atom.zug
%          ^ constant.numeric.integer.zug
%             ^^^^^ variable.other.zug
%                          ^^ keyword.control.zug
%                                  ^^ keyword.operator.word.zug
%                                             ^^^ constant.character.zug
%                                                  ^^ keyword.control.zug
%                                                         ^^^^^^^^ string.quoted.single.zug

other(_, 0xFF, 1_000, 2.5e3, "a\nb~w") --> { format("x") }. % behind
%<----- entity.name.function.zug
%     ^ variable.language.anonymous.zug
%        ^^^^ constant.numeric.hex.zug
%              ^^^^^ constant.numeric.integer.zug
%                     ^^^^^ constant.numeric.float.zug
%                              ^^ constant.character.escape.zug
%                                ^ string.quoted.double.zug
%                                 ^^ constant.other.placeholder.zug
%                                      ^^^ keyword.control.zug
%                                            ^^^^^^ support.function.zug
%                                                           ^^^^^^^^ comment.line.percentage.zug
