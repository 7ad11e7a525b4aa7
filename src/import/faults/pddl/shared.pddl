; An object that is no constant is for the domain to use if all problems have it.
(define (domain polish)
  (:predicates (dirty ?x) (wet ?x))
  (:action polish
    :parameters (?x)
    :precondition (and (dirty ?x) (wet rag)) ;! E0821 no object `rag`
    :effect (not (dirty ?x))))
;;; file first.pddl
(define (problem cups) (:domain polish) (:objects one rag) (:init (dirty one)) (:goal (dirty one)))
;;; file second.pddl
(define (problem cups) (:domain polish) (:objects one) (:init (dirty one)) (:goal (dirty one)))
