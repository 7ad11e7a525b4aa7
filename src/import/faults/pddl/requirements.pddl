; A requirement that is not understood is an error, one that is not named a warning.
(define (domain polish)
  (:requirements :strips :fluents :tpying) ;! E0822 the requirement `:fluents` is not supported ;! E0822 the requirement `:tpying`
  (:predicates (dirty ?x - object) (wet ?x)) ;! W0820 `:typing`
  (:functions (effort ?x)) ;! W0820 `:action-costs`
  (:derived (wet ?x) (dirty ?x)) ;! W0820 `:derived-predicates`
  (:action polish
    :parameters (?x ?y)
    :precondition (and
      (not (dirty ?y)) ;! W0820 `:negative-preconditions`
      (not (= ?x ?y)) ;! W0820 `:equality`
      (or (dirty ?x) (dirty ?y)) ;! W0820 `:disjunctive-preconditions`
      (exists (?z) (dirty ?z)) ;! W0820 `:existential-preconditions`
      (forall (?z) (dirty ?z))) ;! W0820 `:universal-preconditions`
    :effect (when (dirty ?x) (dirty ?y)))) ;! W0820 `:conditional-effects`
;;; file problem.pddl
(define (problem cups) (:domain polish) (:objects one) (:init (dirty one))
  (:goal (not (dirty one)))) ;! W0820 `:negative-preconditions`
