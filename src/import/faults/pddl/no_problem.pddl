(define (domain polish) (:predicates (dirty ?x))) ;! E0811 no problem
