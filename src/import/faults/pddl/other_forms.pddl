(in-package "user") ;! E0820 is expected here
(define (domain) (:predicates (dirty ?x))) ;! E0820 is expected here
