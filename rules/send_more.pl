% send_more.pl: SEND + MORE = MONEY.
%
%      S E N D
%    + M O R E
%    ---------
%    M O N E Y
%
% Each letter stands for a digit, different letters for different digits, and no number begins with 0 (H. E. Dudeney,
% Strand Magazine 1924).
%
%     zug solve send_more.pl              what the letters are
%     zug solve send_more.pl --unique     and that nothing else will do
%     zug send_more.pl                    ?- model(Vs).   what constraints alone find out

:- use_module(library(clpfd)).

model([s=S, e=E, n=N, d=D, m=M, o=O, r=R, y=Y]) :-
    Letters = [S,E,N,D,M,O,R,Y],
    Letters ins 0..9,
    all_different(Letters),
    S #\= 0,
    M #\= 0,
    1000*S + 100*E + 10*N + D + 1000*M + 100*O + 10*R + E
        #= 10000*M + 1000*O + 100*N + 10*E + Y.
