; What can't be read; reading goes on.
(define (domain polish)
  (:requirements :adl :action-costs :derived-predicates)
  (:types cup -) ;! E0821 a type is missing
  (:predicates (dirty ?x) wet (and ?x) (sharp x)) ;! E0821 a list that begins with a name ;! E0821 `and` has a meaning of its own ;! E0821 a variable is expected here, `?x`
  (:functions (total-cost) (fuel))
  lonely ;! E0821 a list that begins with a name
  (:action) ;! E0821 an action has a name
  (:action polish
    :parameters ?x ;! E0821 a list is expected
    :precondition (and (not) (imply (dirty ?y)) dirty (dirty (dirty))) ;! E0821 `not` takes 1, and not 0 ;! E0821 `imply` takes 2, and not 1 ;! E0821 a list that begins ;! E0821 a name is expected
    :effect (and (or (dirty one)) (when (dirty one)) (increase (total-cost) much)) ;! E0821 `or` can't stand here ;! E0821 `when` takes 2, and not 1 ;! E0821 `much` is no number
    :effect) ;! E0821 `:effect` has no value
  (:derived (dirty ?x))) ;! E0821 a derived predicate has a head and a condition
;;; file problem.pddl
(define (problem cups) (:domain polish other) ;! E0821 one name of a domain
  (:objects ?one) ;! E0821 an object is expected here
  (:init (= (fuel) high)) ;! E0821 `high` is no number
  (:goal (and) (and)) ;! E0821 one goal is expected
  (:metric minimize)) ;! E0821 `:metric` takes
