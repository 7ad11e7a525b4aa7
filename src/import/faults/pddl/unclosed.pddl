; A parenthesis is missing: the part that it belongs to begins a line.
(define (domain polish)
  (:predicates (dirty ?x) (wet ?x))
  (:action polish ;! E0802 not closed
    :parameters (?x)
    :precondition
      (and (dirty ?x)
    :effect (wet ?x))
  (:action wipe
    :parameters (?x)
    :effect (not (wet ?x))))
