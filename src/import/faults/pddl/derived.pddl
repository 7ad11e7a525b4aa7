; Derived predicates: no action changes them, the first state does not say them, none depends on its contrary.
(define (domain polish)
  (:requirements :adl :derived-predicates)
  (:predicates (dirty ?x) (wet ?x) (odd ?x) (even ?x) (all ?x) (near ?x ?y) (safe ?x))
  (:derived (wet ?x) (dirty ?x)) ;! E0827 `wet` is derived, and an action changes it
  (:derived (odd ?x) (not (even ?x))) ;! E0827 `odd` depends on the contrary of itself
  (:derived (even ?x) (exists (?y) (and (near ?x ?y) (odd ?y))))
  (:derived (all ?x) (forall (?y) (imply (near ?x ?y) (all ?y)))) ;! E0827 `all` depends on the contrary of itself, through `all`, or on itself within `forall`
  (:derived (safe ?x) (and (not (dirty ?x)) (exists (?y) (and (near ?x ?y) (safe ?y)))))
  (:action polish :parameters (?x) :precondition (dirty ?x) :effect (not (wet ?x))))
;;; file problem.pddl
(define (problem cups) (:domain polish) (:objects one)
  (:init (dirty one) (safe one)) ;! E0827 `safe` is derived
  (:goal (safe one)))
