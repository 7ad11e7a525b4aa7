% Rock, paper, scissors, lizard, Spock.  (By S. Kass and K. Bryla.)
%
% Five hands: each of them beats two others and loses against two.  There are fewer
% draws than with three.
%
% Things to try: what is the equilibrium?  Let a win with Spock count 2, as Spock
% would find logical, and see who is shown more often then.

players([one, two]).

action(_, _, Hand) :- hand(Hand).

hand(rock).
hand(paper).
hand(scissors).
hand(lizard).
hand(spock).

beats(scissors, paper).         % cut
beats(paper,    rock).          % covers
beats(rock,     lizard).        % crushes
beats(lizard,   spock).         % poisons
beats(spock,    scissors).      % smashes
beats(scissors, lizard).        % decapitate
beats(lizard,   paper).         % eats
beats(paper,    spock).         % disproves
beats(spock,    rock).          % vaporizes
beats(rock,     scissors).      % crushes

payoff([A, B], [1, -1]) :- beats(A, B).
payoff([A, B], [-1, 1]) :- beats(B, A).
payoff([A, A], [0, 0]) :- hand(A).
