(define (problem cups) ;! E0821 the problem has no domain ;! E0821 the problem has no initial state ;! E0821 the problem has no goal
  (:objects one))
(define (domain polish) (:predicates (dirty ?x)))
