(define (domain polish) (:predicates (dirty ?x)))) ;! E0801 no parenthesis is open
;;; file problem.pddl
(define (problem cups) ;! E0802 not closed
  (:domain polish)
