; Names that are declared twice; upper and lower case are the same.
(define (domain polish)
  (:requirements :typing :action-costs :equality)
  (:types cup thing Cup) ;! E0823 the type `cup` is declared twice
  (:constants sink - thing SINK - thing sponge - thing) ;! E0823 the object `sink` is declared twice
  (:predicates (dirty ?x - cup)
    (Dirty ?x - cup) ;! E0823 the predicate `dirty` is declared twice
    (sharp ?x ?x - cup))
  (:functions (effort ?x - cup) (total-cost)
    (EFFORT ?x - thing) ;! E0823 the function `effort` is declared twice
    (sharp ?x - cup)) ;! E0823 the function `sharp` is declared twice
  (:action polish
    :parameters (?x ?X - cup) ;! E0823 the variable `?x` is declared twice
    :precondition (dirty ?x)
    :precondition (dirty ?x) ;! E0823 a second `:precondition`
    :effect (not (dirty ?x)))
  (:action Polish :parameters () :effect (and)) ;! E0823 the action `polish` is declared twice
  (:predicates (wet))) ;! E0823 a second `:predicates`
;;; file problem.pddl
(define (problem cups)
  (:domain polish)
  (:objects one - cup two - cup
    One - cup ;! E0823 the object `one` is declared twice
    two - thing ;! W0822 the object `two` has several types
    sink - thing ;! W0822 the object `sink` is a constant of the domain
    sponge - cup) ;! E0823 the object `sponge` is a constant of the domain of another type
  (:init (dirty one) (not (dirty one)) (not (dirty two)) ;! E0823 the first state has this fact of `dirty` and denies it
     (dirty ONE) (= (effort one) 1) (= (effort one) 1.0)
    (= (effort one) 2)) ;! E0823 `(effort one)` has two values, 1 and 2
  (:goal (dirty one))
  (:goal (dirty two))) ;! E0823 a second `:goal`
