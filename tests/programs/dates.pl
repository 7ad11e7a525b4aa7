% Dates, streams over text, clause references, portray/1 on parts of a term.

:- dynamic p/1.
p(a). p(b).
portray(s(X)) :- write('<'), write(X), write('>').

%? format_time(atom(A), '%Y-%m-%d %H:%M:%S', 1700000000).
%= A = '2023-11-14 22:13:20'
%? format_time(atom(A), '%a %d %b %j %U %V %u %p %I %%', 1709210096).
%= A = 'Thu 29 Feb 060 08 09 4 PM 12 %'
%? format_time(atom(A), '%F %T', date(2000,2,29,1,2,3.0,0,'UTC',-)).
%= A = '2000-02-29 01:02:03'
%? stamp_date_time(0, D, 'UTC').
%= D = date(1970,1,1,0,0,0.0,0,'UTC',-)
%? date_time_stamp(date(2024,2,29,12,34,56.0,0,'UTC',-), S).
%= S = 1709210096.0
%? stamp_date_time(-1, date(Y,M,D,H,Mn,S,_O,_Z,_T), 'UTC').
%= Y = 1969, M = 12, D = 31, H = 23, Mn = 59, S = 59.0
%? open_string("a b;c", _S), read_string(_S, ";", " ", Sep, T), read_string(_S, ";", " ", End, Rest).
%= Sep = 59, T = "a b", End = -1, Rest = "c"
%? open_string("abc", _S), copy_stream_data(_S, user_output, 2).
%> ab
%= true
%? open_string("abc. d.", _S), read(_S, X), read(_S, Y), read(_S, Z).
%= X = abc, Y = d, Z = end_of_file
%? nth_clause(p(_), 2, _R), clause(H, B, _R).
%= H = p(b), B = true
%? print(f([s(1),'A b'],- s(2))).
%> f([<1>,'A b'],- <2>)
%= true
%? format("~p ~k", [g(s(x)),'A'+1]).
%> g(<x>) +('A',1)
%= true
%? setof(W, Y^member(X-W-Y, [1-a-b]), X).
%= false
%? sub_atom_icasechk('Hello World', S, 'WORLD').
%= S = 6
%? unknown(Old, Old).
%= Old = error
