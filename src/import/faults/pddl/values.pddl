; Functions without a value for what an action may ask, as far as types and static conditions tell.
(define (domain walk)
  (:requirements :typing :action-costs)
  (:types place thing - object)
  (:predicates (at ?p - place) (way ?p ?q - place) (free ?p - place))
  (:functions (length ?p ?q - place) (toll ?p - place) (rest ?t - thing) (total-cost))
  (:action go
    :parameters (?p ?q - place ?t - thing)
    :precondition (and (at ?p) (way ?p ?q) (free ?q))
    :effect (and (not (at ?p)) (at ?q)
      (increase (total-cost) (length ?p ?q))
      (increase (total-cost) (toll ?q)) ;! W0823 `toll` with `c` has no value in the problem `p`
      (increase (total-cost) (rest ?t))))) ;! W0823 `rest` has no value in the problem `p`
(define (problem p) (:domain walk) (:objects a b c d - place)
  (:init (at a) (way a b) (way b c) (way c d) (free b) (free c)
    (= (length a b) 1) (= (length b c) 2) (= (length c d) 2) (= (toll b) 1) (= (toll d) 0))
  (:goal (at c))
  (:metric minimize (total-cost)))
(define (problem q) (:domain walk) (:objects a b - place) (:init (at a)) (:goal (at b)))
