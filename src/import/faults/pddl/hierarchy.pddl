; No type is above itself; a type may have several above it.
(define (domain polish)
  (:requirements :typing)
  (:types a - b b - c c - a ;! E0825 the type `a` is above `b` and below it
    place area - object area crate - surface
    d - d ;! E0825 the type `d` is above itself
    e1 object - e) ;! E0825 `object` is the type of all objects
  (:predicates (on ?x -surface) (near ?x -e1) (in ?x - object))
  (:action go :parameters (?x - area) :precondition (on ?x) :effect (in ?x)))
(define (problem p) (:domain polish) (:objects one - area) (:init (on one)) (:goal (in one)))
