% Who owns the zebra? (Life International, 1962)
:- use_module(library(clpfd)).

zebra(Owner, All) :-
    All = [English,Spaniard,Japanese,Ukrainian,Norwegian,
           Red,Green,Ivory,Yellow,Blue,
           Dog,Snails,Fox,Horse,Zebra,
           Coffee,Tea,Milk,Juice,Water,
           OldGold,Kools,Chesterfield,LuckyStrike,Parliament],
    All ins 1..5,
    Nations = [English,Spaniard,Japanese,Ukrainian,Norwegian],
    all_different(Nations),
    all_different([Red,Green,Ivory,Yellow,Blue]),
    all_different([Dog,Snails,Fox,Horse,Zebra]),
    all_different([Coffee,Tea,Milk,Juice,Water]),
    all_different([OldGold,Kools,Chesterfield,LuckyStrike,Parliament]),
    English #= Red, Spaniard #= Dog, Coffee #= Green, Ukrainian #= Tea,
    Green #= Ivory + 1, OldGold #= Snails, Kools #= Yellow, Milk #= 3,
    Norwegian #= 1, abs(Chesterfield - Fox) #= 1, abs(Kools - Horse) #= 1,
    LuckyStrike #= Juice, Japanese #= Parliament, abs(Norwegian - Blue) #= 1,
    Owner = [english-English, spaniard-Spaniard, japanese-Japanese, ukrainian-Ukrainian,
             norwegian-Norwegian, zebra-Zebra].

main :-
    forall(between(1, 3000, _), ( zebra(_, All), label(All) )),
    zebra(Owners, Vs),
    label(Vs),
    print(Owners), nl.
