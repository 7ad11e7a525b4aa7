; Types of arguments, by the hierarchy.
(define (domain polish)
  (:requirements :adl :action-costs)
  (:types cup plate - dish dish knife - thing place)
  (:constants sink - place)
  (:predicates (dirty ?x - dish) (at ?x - thing ?p - place) (sharp ?k - (either knife plate)) (any ?x))
  (:functions (effort ?x - cup) (total-cost))
  (:action polish
    :parameters (?c - cup ?d - dish ?k - knife ?e - (either cup plate) ?f - (either cup knife) ?x)
    :precondition (and (dirty ?c) (dirty ?d) (dirty ?e) (at ?c sink) (any ?k)
      (dirty ?k) ;! E0825 `?k` is of type `knife`, and `dirty` is declared for `dish`
      (dirty ?f) ;! E0825 `?f` is of type `cup or knife`
      (at sink ?c) ;! E0825 `sink` is of type `place` ;! E0825 `?c` is of type `cup`
      (sharp ?k)
      (sharp ?d) ;! E0825 `?d` is of type `dish`, and `sharp` is declared for `knife or plate`
      (dirty ?x)) ;! W0821 `?x` may be anything, and `dirty` is declared for `dish`
    :effect (and (not (dirty sink)) ;! E0825 `sink` is of type `place`
      (when (at ?k ?k) (any ?c)) ;! E0825 `?k` is of type `knife`, and `at` is declared for `place`
      (increase (total-cost) (effort ?d))))) ;! E0825 `?d` is of type `dish`, and `effort` is declared for `cup`
;;; file problem.pddl
(define (problem cups)
  (:domain polish)
  (:objects cup1 - cup knife1 - knife thing1 - thing plain)
  (:init (dirty cup1) (at knife1 sink)
    (dirty knife1) ;! E0825 `knife1` is of type `knife`
    (dirty thing1) ;! E0825 `thing1` is of type `thing`
    (dirty plain) ;! E0825 `plain` is of type `object`
    (= (effort knife1) 2)) ;! E0825 `knife1` is of type `knife`
  (:goal (exists (?k - knife) (dirty ?k)))) ;! E0825 `?k` is of type `knife`
