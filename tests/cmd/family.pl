% A program for queries.

parent(tom, bob).
parent(bob, ann).
