; Numbers of arguments.
(define (domain polish)
  (:requirements :adl :action-costs :derived-predicates)
  (:predicates (dirty ?x) (at ?x ?p) (near ?x ?p) (done))
  (:functions (effort ?x) (total-cost))
  (:action polish
    :parameters (?x)
    :precondition (and (dirty ?x ?x) (or (at ?x) (done ?x))) ;! E0824 `dirty` has 1 argument, and not 2 ;! E0824 `at` has 2 arguments, and not 1 ;! E0824 `done` has 0 arguments, and not 1
    :effect (and (not (at)) ;! E0824 `at` has 2 arguments, and not 0
      (when (dirty) (done)) ;! E0824 `dirty` has 1 argument, and not 0
      (increase (total-cost) (effort)))) ;! E0824 `effort` has 1 argument, and not 0
  (:derived (near ?x) (dirty ?x))) ;! E0824 `near` has 2 arguments, and not 1
;;; file problem.pddl
(define (problem cups)
  (:domain polish)
  (:objects cup)
  (:init (dirty cup cup) ;! E0824 `dirty` has 1 argument, and not 2
    (= (effort cup cup) 1) ;! E0824 `effort` has 1 argument
    (= (total-cost cup) 1)) ;! E0824 `total-cost` has 0 arguments
  (:goal (forall (?x) (at ?x)))) ;! E0824 `at` has 2 arguments, and not 1
