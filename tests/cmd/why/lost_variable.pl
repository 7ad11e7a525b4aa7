% A variable is spelt in two ways: its value is not handed on.
% query: price(lamp, 7)
% culprit: 11

listed(lamp, 10).
discount(lamp, 3).

price(Thing, Price) :-
    listed(Thing, Listed),
    discount(Thing, Discount),
    reduced(Listed, Discunt, Price).

reduced(Listed, Discount, Price) :-
    number(Discount),
    Price is Listed - Discount.
