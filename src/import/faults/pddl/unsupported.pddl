; What is not supported, by its place.
(define (domain polish)
  (:requirements :adl :action-costs :durative-actions) ;! E0822 `:durative-actions`
  (:predicates (dirty ?x))
  (:functions (effort ?x) (total-cost) (fuel) (owner ?x) - object) ;! E0822 a function whose values are no numbers
  (:constraints (always (dirty ?x))) ;! E0822 `:constraints`
  (:durative-action wait :parameters ()) ;! E0822 `:durative-action`
  (:durative-action stay :parameters ()) ;! E0822 `:durative-action`
  (:action polish
    :parameters (?x)
    :vars (?y) ;! E0822 `:vars`
    :precondition (and (dirty ?y) (when (dirty ?x) (dirty ?z)) ;! E0821 `when` can't stand here
      (> (fuel) 0) ;! E0822 a condition on numbers
      (= (fuel) 3) ;! E0822 a condition on numbers
      (preference p (dirty ?x))) ;! E0822 `preference`
    :effect (and (assign (fuel) 2) ;! E0822 `assign`
      (probabilistic 0.5 (dirty ?z)) ;! E0822 `probabilistic`
      (increase (total-cost) (* 6 (effort ?x))) ;! E0822 arithmetic
      (increase (fuel) 1) ;! E0822 an increase of anything but `total-cost`
      (increase (total-cost) -1) ;! E0822 a cost below 0
      (when (dirty ?x) (increase (total-cost) 1))))) ;! E0822 a cost under a condition
;;; file problem.pddl
(define (problem cups) (:domain polish) (:objects one)
  (:init (dirty one) (and (dirty one) (dirty two)) ;! E0821 `and` can't stand here
    (at 5 (dirty one)) ;! E0822 a timed initial literal
    (= (effort one) -3)) ;! E0822 a cost below 0
  (:goal (dirty one))
  (:length (:serial 3)) ;! E0822 `:length`
  (:metric maximize (total-cost))) ;! E0822 a metric other than
