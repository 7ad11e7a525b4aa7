% A variable begins with a small letter.
% query: owner(rex, ann)
% culprit: 8

dog(rex, ann).

owner(Dog, Person) :-
    dog(dog, Person).
