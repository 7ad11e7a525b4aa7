% The list library, predicate by predicate.
%? append([a],[b],X).
%= X = [a,b]
%? append(X,Y,[a,b]).
%= X = [], Y = [a,b]
%= X = [a], Y = [b]
%= X = [a,b], Y = []
%? append(X,[b],[a,b]).
%= X = [a]
%? append(X,Y,Z).
%= X = [], Y = _, Z = _
%= X = [_], Y = _, Z = [_|_]
%= X = [_,_], Y = _, Z = [_,_|_]
%= X = [_,_,_], Y = _, Z = [_,_,_|_]
%= X = [_,_,_,_], Y = _, Z = [_,_,_,_|_]
%= X = [_,_,_,_,_], Y = _, Z = [_,_,_,_,_|_]
%= X = [_,_,_,_,_,_], Y = _, Z = [_,_,_,_,_,_|_]
%= X = [_,_,_,_,_,_,_], Y = _, Z = [_,_,_,_,_,_,_|_]
%= X = [_,_,_,_,_,_,_,_], Y = _, Z = [_,_,_,_,_,_,_,_|_]
%= X = [_,_,_,_,_,_,_,_,_], Y = _, Z = [_,_,_,_,_,_,_,_,_|_]
%= X = [_,_,_,_,_,_,_,_,_,_], Y = _, Z = [_,_,_,_,_,_,_,_,_,_|_]
%= X = [_,_,_,_,_,_,_,_,_,_,_], Y = _, Z = [_,_,_,_,_,_,_,_,_,_,_|_]
%= X = [_,_,_,_,_,_,_,_,_,_,_,_], Y = _, Z = [_,_,_,_,_,_,_,_,_,_,_,_|_]
%= X = [_,_,_,_,_,_,_,_,_,_,_,_,_], Y = _, Z = [_,_,_,_,_,_,_,_,_,_,_,_,_|_]
%= X = [_,_,_,_,_,_,_,_,_,_,_,_,_,_], Y = _, Z = [_,_,_,_,_,_,_,_,_,_,_,_,_,_|_]
%= X = [_,_,_,_,_,_,_,_,_,_,_,_,_,_,_], Y = _, Z = [_,_,_,_,_,_,_,_,_,_,_,_,_,_,_|_]
%= X = [_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_], Y = _, Z = [_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_|_]
%= X = [_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_], Y = _, Z = [_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_|_]
%= X = [_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_], Y = _, Z = [_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_|_]
%= X = [_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_], Y = _, Z = [_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_|_]
%...
%? append([a|T],[b],[a,c,b]).
%= T = [c]
%? append([[a],[b,c],[]],L).
%= L = [a,b,c]
%? append([_,_],[a]).
%= true
%= true
%? append([a],L).
%= false
%? append([[a]|_],L).
%! error(instantiation_error)
%? prefix(P,[a,b]).
%= P = []
%= P = [a]
%= P = [a,b]
%? prefix([a|T],[a,b]).
%= T = []
%= T = [b]
%? member(X,[a,b,c]).
%= X = a
%= X = b
%= X = c
%? member(b,[a,b,c]).
%= true
%? member(c,[a,b,c]).
%= true
%? member(d,[a,b,c]).
%= false
%? member(a,L).
%= L = [a|_]
%= L = [_,a|_]
%= L = [_,_,a|_]
%= L = [_,_,_,a|_]
%= L = [_,_,_,_,a|_]
%= L = [_,_,_,_,_,a|_]
%= L = [_,_,_,_,_,_,a|_]
%= L = [_,_,_,_,_,_,_,a|_]
%= L = [_,_,_,_,_,_,_,_,a|_]
%= L = [_,_,_,_,_,_,_,_,_,a|_]
%= L = [_,_,_,_,_,_,_,_,_,_,a|_]
%= L = [_,_,_,_,_,_,_,_,_,_,_,a|_]
%= L = [_,_,_,_,_,_,_,_,_,_,_,_,a|_]
%= L = [_,_,_,_,_,_,_,_,_,_,_,_,_,a|_]
%= L = [_,_,_,_,_,_,_,_,_,_,_,_,_,_,a|_]
%= L = [_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,a|_]
%= L = [_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,a|_]
%= L = [_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,a|_]
%= L = [_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,a|_]
%= L = [_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,a|_]
%...
%? member(X,[]).
%= false
%? member(X,[a|T]).
%= X = a, T = _
%= X = _, T = [_|_]
%= X = _, T = [_,_|_]
%= X = _, T = [_,_,_|_]
%= X = _, T = [_,_,_,_|_]
%= X = _, T = [_,_,_,_,_|_]
%= X = _, T = [_,_,_,_,_,_|_]
%= X = _, T = [_,_,_,_,_,_,_|_]
%= X = _, T = [_,_,_,_,_,_,_,_|_]
%= X = _, T = [_,_,_,_,_,_,_,_,_|_]
%= X = _, T = [_,_,_,_,_,_,_,_,_,_|_]
%= X = _, T = [_,_,_,_,_,_,_,_,_,_,_|_]
%= X = _, T = [_,_,_,_,_,_,_,_,_,_,_,_|_]
%= X = _, T = [_,_,_,_,_,_,_,_,_,_,_,_,_|_]
%= X = _, T = [_,_,_,_,_,_,_,_,_,_,_,_,_,_|_]
%= X = _, T = [_,_,_,_,_,_,_,_,_,_,_,_,_,_,_|_]
%= X = _, T = [_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_|_]
%= X = _, T = [_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_|_]
%= X = _, T = [_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_|_]
%= X = _, T = [_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_|_]
%...
%? member(a,[X,Y]).
%= X = a, Y = _
%= X = _, Y = a
%? member(f(X),[f(1),g,f(2)]).
%= X = 1
%= X = 2
%? member(1,[1.0,1]).
%= true
%? memberchk(X,[a,b]).
%= X = a
%? memberchk(a,L).
%= L = [a|_]
%? memberchk(a,[b|T]).
%= T = [a|_]
%? memberchk(f(X),[g,f(1),f(2)]).
%= X = 1
%? memberchk(z,[a,b]).
%= false
%? memberchk(X,[]).
%= false
%? memberchk(a,[X,a]).
%= X = a
%? select(X,[a,b,c],R).
%= X = a, R = [b,c]
%= X = b, R = [a,c]
%= X = c, R = [a,b]
%? select(b,[a,b,c],R).
%= R = [a,c]
%? select(c,[a,b,c],R).
%= R = [a,b]
%? select(z,[a,b],R).
%= false
%? select(x,L,[a,b]).
%= L = [x,a,b]
%= L = [a,x,b]
%= L = [a,b,x]
%? select(X,L,[a]).
%= X = _, L = [_,a]
%= X = _, L = [a,_]
%? select(f(A),[f(1),g,f(2)],R).
%= A = 1, R = [g,f(2)]
%= A = 2, R = [f(1),g]
%? select(a,[X,b],R).
%= X = a, R = [b]
%? selectchk(b,[a,b,b],R).
%= R = [a,b]
%? selectchk(z,[a,b,b],R).
%= false
%? selectchk(x,L,[a]).
%= L = [x,a]
%? select(b,[a,b,c],x,L).
%= L = [a,x,c]
%? select(b,[a,b],x,L).
%= L = [a,x]
%? select(X,[a,b],Y,[c,b]).
%= X = a, Y = c
%? selectchk(b,[a,b,b],x,L).
%= L = [a,x,b]
%? subtract([a,b,c,b],[b],L).
%= L = [a,c]
%? subtract([a,X],[a],L).
%= X = a, L = []
%? intersection([a,b,c],[c,a,x],L).
%= L = [a,c]
%? union([a,b],[b,c],L).
%= L = [a,b,c]
%? union([],X,L).
%= X = _, L = _
%? subset([a],[b,a]).
%= true
%? subset([a,c],[b,a]).
%= false
%? subset([],[b,a]).
%= true
%? delete([a,b,a,c],a,L).
%= L = [b,c]
%? delete([f(_),g,f(1)],f(2),L).
%= L = [g,f(1)]
%? delete([a,B,c],a,L).
%= B = _, L = [c]
%? delete([],a,L).
%= L = []
%? delete([a,b],_,L).
%= L = []
%? permutation([a,b,c],P).
%= P = [a,b,c]
%= P = [a,c,b]
%= P = [b,a,c]
%= P = [b,c,a]
%= P = [c,a,b]
%= P = [c,b,a]
%? permutation(P,[a,b,c]).
%= P = [a,b,c]
%= P = [a,c,b]
%= P = [b,a,c]
%= P = [c,a,b]
%= P = [b,c,a]
%= P = [c,b,a]
%? permutation([],P).
%= P = []
%? permutation([a],P).
%= P = [a]
%? permutation([a,b],[b,a]).
%= true
%? permutation([a,b],[b,c]).
%= false
%? permutation(a,P).
%! error(type_error(list,a))
%? permutation([a|b],P).
%! error(type_error(list,[a|b]))
%? permutation([1,1],P).
%= P = [1,1]
%= P = [1,1]
%? nth0(0,[a,b],X).
%= X = a
%? nth0(2,[a,b],X).
%= false
%? nth0(-1,[a,b],X).
%= false
%? nth0(I,[a,b,c],X).
%= I = 0, X = a
%= I = 1, X = b
%= I = 2, X = c
%? nth0(I,[a,b,c],b).
%= I = 1
%? nth0(I,[a,b,c],c).
%= I = 2
%? nth0(I,[a,B,c,b],b).
%= I = 1, B = b
%= I = 3, B = _
%? nth0(I,[],X).
%= false
%? nth0(I,[a,b,c],z).
%= false
%? nth0(I,[f(1),g,f(X)],f(2)).
%= I = 2, X = 2
%? nth1(1,[a,b],X).
%= X = a
%? nth1(0,[a,b],X).
%= false
%? nth1(3,[a,b],X).
%= false
%? nth1(a,[a,b],X).
%! error(type_error(integer,a))
%? nth0(a,[a,b],X).
%! error(type_error(integer,a))
%? nth1(1.0,[a],X).
%! error(type_error(integer,1.0))
%? nth1(I,[a,b,c],X).
%= I = 1, X = a
%= I = 2, X = b
%= I = 3, X = c
%? nth1(I,[a,b,c],a).
%= I = 1
%? nth1(I,L,a).
%= I = 1, L = [a|_]
%= I = 2, L = [_,a|_]
%= I = 3, L = [_,_,a|_]
%= I = 4, L = [_,_,_,a|_]
%= I = 5, L = [_,_,_,_,a|_]
%= I = 6, L = [_,_,_,_,_,a|_]
%= I = 7, L = [_,_,_,_,_,_,a|_]
%= I = 8, L = [_,_,_,_,_,_,_,a|_]
%= I = 9, L = [_,_,_,_,_,_,_,_,a|_]
%= I = 10, L = [_,_,_,_,_,_,_,_,_,a|_]
%= I = 11, L = [_,_,_,_,_,_,_,_,_,_,a|_]
%= I = 12, L = [_,_,_,_,_,_,_,_,_,_,_,a|_]
%= I = 13, L = [_,_,_,_,_,_,_,_,_,_,_,_,a|_]
%= I = 14, L = [_,_,_,_,_,_,_,_,_,_,_,_,_,a|_]
%= I = 15, L = [_,_,_,_,_,_,_,_,_,_,_,_,_,_,a|_]
%= I = 16, L = [_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,a|_]
%= I = 17, L = [_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,a|_]
%= I = 18, L = [_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,a|_]
%= I = 19, L = [_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,a|_]
%= I = 20, L = [_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,a|_]
%...
%? nth1(2,L,a).
%= L = [_,a|_]
%? nth1(I,[a|T],b).
%= I = 2, T = [b|_]
%= I = 3, T = [_,b|_]
%= I = 4, T = [_,_,b|_]
%= I = 5, T = [_,_,_,b|_]
%= I = 6, T = [_,_,_,_,b|_]
%= I = 7, T = [_,_,_,_,_,b|_]
%= I = 8, T = [_,_,_,_,_,_,b|_]
%= I = 9, T = [_,_,_,_,_,_,_,b|_]
%= I = 10, T = [_,_,_,_,_,_,_,_,b|_]
%= I = 11, T = [_,_,_,_,_,_,_,_,_,b|_]
%= I = 12, T = [_,_,_,_,_,_,_,_,_,_,b|_]
%= I = 13, T = [_,_,_,_,_,_,_,_,_,_,_,b|_]
%= I = 14, T = [_,_,_,_,_,_,_,_,_,_,_,_,b|_]
%= I = 15, T = [_,_,_,_,_,_,_,_,_,_,_,_,_,b|_]
%= I = 16, T = [_,_,_,_,_,_,_,_,_,_,_,_,_,_,b|_]
%= I = 17, T = [_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,b|_]
%= I = 18, T = [_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,b|_]
%= I = 19, T = [_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,b|_]
%= I = 20, T = [_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,b|_]
%= I = 21, T = [_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,b|_]
%...
%? nth0(1,L,x,[a,b]).
%= L = [a,x,b]
%? nth0(0,[a],X,R).
%= X = a, R = []
%? nth0(I,[a,b],X,R).
%= I = 0, X = a, R = [b]
%= I = 1, X = b, R = [a]
%? nth1(I,[a,b],b,R).
%= I = 2, R = [a]
%? nth1(2,[a,b,c],X,R).
%= X = b, R = [a,c]
%? nth1(0,[a,b,c],X,R).
%! error(type_error(positive_integer,0))
%? nth1(-1,[a,b,c],X,R).
%! error(type_error(positive_integer,-1))
%? nth0(-1,[a,b,c],X,R).
%! error(type_error(nonneg,-1))
%? nth0(a,[a,b,c],X,R).
%! error(type_error(nonneg,a))
%? nth1(a,[a,b,c],X,R).
%! error(type_error(positive_integer,a))
%? nth1(I,L,x,[a,b]).
%= I = 1, L = [x,a,b]
%= I = 2, L = [a,x,b]
%= I = 3, L = [a,b,x]
%? nth1(4,L,x,[a,b]).
%= false
%? last([a,b,c],X).
%= X = c
%? last([a],X).
%= X = a
%? last([],X).
%= false
%? last([a|T],X).
%= T = [], X = a
%= T = [_], X = _
%= T = [_,_], X = _
%= T = [_,_,_], X = _
%= T = [_,_,_,_], X = _
%= T = [_,_,_,_,_], X = _
%= T = [_,_,_,_,_,_], X = _
%= T = [_,_,_,_,_,_,_], X = _
%= T = [_,_,_,_,_,_,_,_], X = _
%= T = [_,_,_,_,_,_,_,_,_], X = _
%= T = [_,_,_,_,_,_,_,_,_,_], X = _
%= T = [_,_,_,_,_,_,_,_,_,_,_], X = _
%= T = [_,_,_,_,_,_,_,_,_,_,_,_], X = _
%= T = [_,_,_,_,_,_,_,_,_,_,_,_,_], X = _
%= T = [_,_,_,_,_,_,_,_,_,_,_,_,_,_], X = _
%= T = [_,_,_,_,_,_,_,_,_,_,_,_,_,_,_], X = _
%= T = [_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_], X = _
%= T = [_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_], X = _
%= T = [_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_], X = _
%= T = [_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_], X = _
%...
%? last([a,b],c).
%= false
%? nextto(X,Y,[a,b,c]).
%= X = a, Y = b
%= X = b, Y = c
%? nextto(a,Y,[a,b,c]).
%= Y = b
%? nextto(X,c,[a,b,c]).
%= X = b
%? nextto(X,Y,[a]).
%= false
%? reverse([a,b,c],L).
%= L = [c,b,a]
%? reverse([],L).
%= L = []
%? same_length([a,b],L).
%= L = [_,_]
%? same_length(L,[a,b]).
%= L = [_,_]
%? same_length(L,M).
%= L = [], M = []
%= L = [_], M = [_]
%= L = [_,_], M = [_,_]
%= L = [_,_,_], M = [_,_,_]
%= L = [_,_,_,_], M = [_,_,_,_]
%= L = [_,_,_,_,_], M = [_,_,_,_,_]
%= L = [_,_,_,_,_,_], M = [_,_,_,_,_,_]
%= L = [_,_,_,_,_,_,_], M = [_,_,_,_,_,_,_]
%= L = [_,_,_,_,_,_,_,_], M = [_,_,_,_,_,_,_,_]
%= L = [_,_,_,_,_,_,_,_,_], M = [_,_,_,_,_,_,_,_,_]
%= L = [_,_,_,_,_,_,_,_,_,_], M = [_,_,_,_,_,_,_,_,_,_]
%= L = [_,_,_,_,_,_,_,_,_,_,_], M = [_,_,_,_,_,_,_,_,_,_,_]
%= L = [_,_,_,_,_,_,_,_,_,_,_,_], M = [_,_,_,_,_,_,_,_,_,_,_,_]
%= L = [_,_,_,_,_,_,_,_,_,_,_,_,_], M = [_,_,_,_,_,_,_,_,_,_,_,_,_]
%= L = [_,_,_,_,_,_,_,_,_,_,_,_,_,_], M = [_,_,_,_,_,_,_,_,_,_,_,_,_,_]
%= L = [_,_,_,_,_,_,_,_,_,_,_,_,_,_,_], M = [_,_,_,_,_,_,_,_,_,_,_,_,_,_,_]
%= L = [_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_], M = [_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_]
%= L = [_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_], M = [_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_]
%= L = [_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_], M = [_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_]
%= L = [_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_], M = [_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_]
%...
%? proper_length([a,b],N).
%= N = 2
%? proper_length([a|T],N).
%= false
%? proper_length(a,N).
%= false
%? flatten([a,[b,[c]],[],d],L).
%= L = [a,b,c,d]
%? flatten(X,L).
%= X = _, L = [_]
%? flatten(a,L).
%= L = [a]
%? flatten([a|b],L).
%= L = [a,b]
%? flatten([a|T],L).
%= T = _, L = [a,_]
%? flatten([X,[Y]],L).
%= X = _, Y = _, L = [_,_]
%? flatten([[]],L).
%= L = []
%? flatten([],L).
%= L = []
%? sum_list([1,2.5],S).
%= S = 3.5
%? sum_list([],S).
%= S = 0
%? sum_list([a],S).
%! error(type_error(evaluable,a/0))
%? sum_list([1+1,2],S).
%= S = 4
%? sumlist([1,2],S).
%= S = 3
%? max_list([1,3,2],S).
%= S = 3
%? max_list([],S).
%= false
%? max_list([1,1.0],S).
%= S = 1.0
%? max_list([1.0,1],S).
%= S = 1.0
%? max_list([a,1],S).
%! error(type_error(evaluable,a/0))
%? min_list([2,1,3],S).
%= S = 1
%? min_list([1,1.0],S).
%= S = 1.0
%? max_member(X,[a,b(c),1,"s",2.0]).
%= X = b(c)
%? max_member(X,[]).
%= false
%? min_member(X,[b,a,1]).
%= X = 1
%? max_member(X,[1,1.0]).
%= X = 1
%? min_member(X,[1,1.0]).
%= X = 1.0
%? max_member(@=<,X,[1,3,2]).
%= X = 3
%? min_member(@=<,X,[2,1,3]).
%= X = 1
%? numlist(1,5,L).
%= L = [1,2,3,4,5]
%? numlist(3,3,L).
%= L = [3]
%? numlist(5,1,L).
%= false
%? numlist(a,1,L).
%! error(type_error(integer,a))
%? numlist(1,X,L).
%! error(instantiation_error)
%? is_set([a,b]).
%= true
%? is_set([a,a]).
%= false
%? is_set([X,Y]).
%= X = _, Y = _
%? is_set([X,X]).
%= false
%? is_set(a).
%= false
%? is_set([a|_]).
%= false
%? list_to_set([b,a,b,c,a],S).
%= S = [b,a,c]
%? list_to_set([X,Y,X,1,1.0,1],S).
%= X = _, Y = _, S = [_,_,1,1.0]
%? list_to_set(L,S).
%! error(instantiation_error)
%? list_to_set([a|T],S).
%! error(instantiation_error)
%? list_to_set(a,S).
%! error(type_error(list,a))
%? list_to_set([],S).
%= S = []
%? clumped([a,a,b,a],L).
%= L = [a-2,b-1,a-1]
%? clumped([],L).
%= L = []
%? clumped([X,X,Y],L).
%= X = _, Y = _, L = [_-2,_-1]
%? transpose([[1,2,3],[4,5,6]],T).
%= T = [[1,4],[2,5],[3,6]]
%? transpose([[1]],T).
%= T = [[1]]
%? transpose([],T).
%= T = []
%? transpose([[],[]],T).
%= T = []
%? transpose([[1,2],[3]],T).
%= false
%? sumlist([a],S).
%! error(type_error(evaluable,a/0))
%? pairs_keys_values(P,[a,b],[1,2]).
%= P = [a-1,b-2]
%? pairs_keys_values([a-1,b-2],K,V).
%= K = [a,b], V = [1,2]
%? pairs_keys_values(P,[a],[1,2]).
%= false
%? pairs_keys([a-1],K).
%= K = [a]
%? pairs_values([a-1],V).
%= V = [1]
%? pairs_keys(P,[a]).
%= P = [a-_]
%? transpose_pairs([a-2,b-1,c-1],P).
%= P = [1-b,1-c,2-a]
%? map_list_to_pairs(atom_length,[abc,d],P).
%= P = [3-abc,1-d]
%? maplist(succ,[1,2],L).
%= L = [2,3]
%? maplist(succ,L,[1,2]).
%= L = [0,1]
%? maplist(succ,[1,2],[2,4]).
%= false
%? maplist(member,[X,Y],[[a,b],[c]]).
%= X = a, Y = c
%= X = b, Y = c
%? maplist(plus,[1,2],[3,4],L).
%= L = [4,6]
%? maplist(succ,[a],L).
%! error(type_error(integer,a))
%? maplist([X,Y,Z,U]>>(U is X+Y+Z),[1],[2],[3],L).
%= X = _, Y = _, Z = _, U = _, L = [6]
%? foldl(plus,[1,2,3],0,S).
%= S = 6
%? foldl([X,Y,S0,S1]>>(S1 is S0+X*Y),[1,2],[3,4],0,S).
%= X = _, Y = _, S0 = _, S1 = _, S = 11
%? foldl(plus,[],0,S).
%= S = 0
%? foldl(plus,L,0,S).
%= L = [], S = 0
%! error(instantiation_error)
%? include([X]>>(X>1),[1,2,3],L).
%= X = _, L = [2,3]
%? exclude([X]>>(X>1),[1,2,3],L).
%= X = _, L = [1]
%? partition([X]>>(X>1),[1,2,3],I,O).
%= X = _, I = [2,3], O = [1]
%? partition([X,C]>>compare(C,X,2),[1,2,3],L,E,G).
%= X = _, C = _, L = [1], E = [2], G = [3]
%? partition([X,C]>>(C=a),[1,2,3],L,E,G).
%! error(type_error(oneof([<,=,>]),a))
%? partition([X,C]>>fail,[1,2,3],L,E,G).
%= false
%? convlist([X,Y]>>(X>1,Y is X*X),[1,2,3],L).
%= X = _, Y = _, L = [4,9]
%? include(member(_),[[],[a]],L).
%= L = [[a]]
%? apply(plus(1),[2,X]).
%= X = 3
%? predsort(compare,[c,a,b,a],L).
%= L = [a,b,c]
%? predsort(compare,[],L).
%= L = []
%? predsort(compare,[a],L).
%= L = [a]
%? group_pairs_by_key([a-1,a-2,b-3,a-4],G).
%= G = [a-[1,2],b-[3],a-[4]]
%? group_pairs_by_key([],G).
%= G = []
%? group_pairs_by_key([X-1,X-2,Y-3],G).
%= X = _, Y = _, G = [_-[1,2],_-[3]]
%? aggregate_all(count,member(_,[a,b]),N).
%= N = 2
%? aggregate_all(count,fail,N).
%= N = 0
%? aggregate_all(sum(X),member(X,[1,2.5]),N).
%= X = _, N = 3.5
%? aggregate_all(sum(X),member(X,[a]),N).
%! error(type_error(evaluable,a/0))
%? aggregate_all(sum(X),fail,N).
%= X = _, N = 0
%? aggregate_all(max(X),member(X,[1,3,2]),N).
%= X = _, N = 3
%? aggregate_all(max(X),member(X,[1,a]),N).
%! error(type_error(evaluable,a/0))
%? aggregate_all(max(X),fail,N).
%= false
%? aggregate_all(min(X),member(X,[3,1,2]),N).
%= X = _, N = 1
%? aggregate_all(max(X,Y),member(X-Y,[1-a,3-b,3-c]),N).
%= X = _, Y = _, N = max(3,b)
%? aggregate_all(min(X,Y),member(X-Y,[1-a,3-b,1-c]),N).
%= X = _, Y = _, N = min(1,a)
%? aggregate_all(max(X,Y),member(X-Y,[x-a]),N).
%! error(type_error(number,x))
%? aggregate_all(max(X,Y),fail,N).
%= false
%? aggregate_all(bag(X),member(X,[c,a,c]),N).
%= X = _, N = [c,a,c]
%? aggregate_all(set(X),member(X,[c,a,c]),N).
%= X = _, N = [a,c]
%? aggregate_all(r(count,max(X),bag(X)),member(X,[1+1,1]),N).
%= X = _, N = r(2,2,[1+1,1])
%? aggregate_all(r(count,bag(X)),fail,N).
%= X = _, N = r(0,[])
%? aggregate_all(r(count,max(X)),fail,N).
%= false
%? aggregate_all(count,G,N).
%! error(instantiation_error)
%? aggregate_all(count,1,N).
%! error(type_error(callable,1))
%? aggregate_all(count,member(_,[a,b]),2).
%= true
%? aggregate_all(count,X,member(X,[a,b,a]),N).
%= X = _, N = 2
%? aggregate_all(sum(X),Y,member(X-Y,[1-a,1-b,1-a]),N).
%= X = _, Y = _, N = 2
%? aggregate_all(max(X),X,member(X,[1,3,2]),N).
%= X = _, N = 3
%? aggregate(count,member(X,[a,b,a]),N).
%= X = a, N = 2
%= X = b, N = 1
%? aggregate(count,X^member(X-K,[1-a,2-b,3-a]),N).
%= X = _, K = a, N = 2
%= X = _, K = b, N = 1
%? aggregate(sum(X),member(X-K,[1-a,2-b,3-a]),N).
%= X = _, K = a, N = 4
%= X = _, K = b, N = 2
%? aggregate(count,X^member(X,[]),N).
%= false
%? aggregate(r(count,max(X)),member(X-K,[1-a,2-b,3-a]),N).
%= X = _, K = a, N = r(2,3)
%= X = _, K = b, N = r(1,2)
%? (bagof(X,member(X,[1,2]),L),member(Q,L)).
%= X = _, L = [1,2], Q = 1
%= X = _, L = [1,2], Q = 2
%? forall(member(X,[1,2]),integer(X)).
%= X = _
%? list_to_ord_set([b,a,b],S).
%= S = [a,b]
%? ord_union([a,c],[b,c],S).
%= S = [a,b,c]
%? ord_union([[a],[c,d],[b]],S).
%= S = [a,b,c,d]
%? ord_union([a,c],[b],S,N).
%= S = [a,b,c], N = [b]
%? ord_subtract([a,b,c],[b],S).
%= S = [a,c]
%? ord_intersection([a,b,c],[b,c,d],S).
%= S = [b,c]
%? ord_intersection([[a,b],[b,c]],S).
%= S = [b]
%? ord_memberchk(b,[a,b,c]).
%= true
%? ord_memberchk(z,[a,b,c]).
%= false
%? ord_add_element([a,c],b,S).
%= S = [a,b,c]
%? ord_del_element([a,b,c],b,S).
%= S = [a,c]
%? ord_symdiff([a,b],[b,c],S).
%= S = [a,c]
%? ord_subset([a],[a,b]).
%= true
%? ord_subset([z],[a,b]).
%= false
%? ord_seteq([a],[a]).
%= true
%? ord_disjoint([a],[b]).
%= true
%? ord_intersect([a],[a]).
%= true
%? ord_empty(S).
%= S = []
%? is_ordset([a,b]).
%= true
%? is_ordset([b,a]).
%= false
%? ord_selectchk(a,[a,b],R).
%= R = [b]
%? (N=3,maplist([X,Y]>>(Y is X*N),[1,2],L)).
%= N = 3, X = _, Y = _, L = [3,6]
%? maplist([X-Y,Y-X]>>true,[1-a,2-b],L).
%= X = _, Y = _, L = [a-1,b-2]
%? maplist([X]>>([X]=[Y]),[1,2]).
%= X = _, Y = _
%? sublist(atom,[a,1,b],L).
%= L = [a,b]
%? checklist(atom,[a,b]).
%= true
%? concat_atom([a,1],A).
%= A = a1
%? concat_atom([a,b],'-',A).
%= A = 'a-b'
%? once(member(X,[a,b])).
%= X = a
%? once(fail).
%= false
%? ignore(member(X,[a,b])).
%= X = a
%? ignore(fail).
%= true
%? not(fail).
%= true
%? not(true).
%= false
%? call_cleanup(true,write(x)).
%> x
%= true
%? call_cleanup(fail,write(x)).
%> x
%= false
%? catch(call_cleanup(throw(a),write(x)),B,true).
%> x
%= B = a
%? setup_call_cleanup(X=1,Y=X,write(Y)).
%> 1
%= X = 1, Y = 1
%? findall(X,limit(2,member(X,[a,b,c])),L).
%= X = _, L = [a,b]
