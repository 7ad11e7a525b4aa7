% Another language of planning.
%! E0120 3
(define (domain blocks)
  (:predicates (on ?x ?y)))
