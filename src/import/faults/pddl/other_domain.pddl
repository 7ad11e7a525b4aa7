(define (problem cups) (:domain polich) (:objects one) (:init) (:goal (dirty one))) ;! E0826 the domain is `polish`
;;; file domain.pddl
(define (domain polish) (:predicates (dirty ?x)))
