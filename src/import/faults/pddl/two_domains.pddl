(define (domain polish) (:predicates (dirty ?x)))
(define (problem cups) (:domain polish) (:objects one) (:init) (:goal (dirty one)))
(define (domain wash) (:predicates (dirty ?x))) ;! E0811 a second domain, `wash`
