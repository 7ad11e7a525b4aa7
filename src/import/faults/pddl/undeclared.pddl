; Names that are not declared, wherever they stand.
(define (domain polish)
  (:requirements :adl :action-costs :derived-predicates)
  (:types cup - thing place)
  (:constants sink - plaec) ;! E0821 no type `plaec`
  (:predicates (dirty ?x - thng) (at ?x - thing ?p - place) (clean ?p - place) (tidy ?p - place)) ;! E0821 no type `thng`
  (:functions (effort ?x - (either cup plate)) (total-cost)) ;! E0821 no type `plate`
  (:action polish
    :parameters (?x - cpu) ;! E0821 no type `cpu`
    :precondition (and (drity ?x) ;! E0821 no predicate `drity`
      (at ?x ?y) ;! E0821 no variable `?y`
      (not (at ?x shelf)) ;! E0821 no object `shelf`
      (forall (?p - spot) (imply (at ?x ?p) (shiny ?p))) ;! E0821 no type `spot` ;! E0821 no predicate `shiny`
      (exists (?p - place) (or (clean ?q) (= ?p ?r)))) ;! E0821 no variable `?q` ;! E0821 no variable `?r`
    :effect (and (not (dirty ?z)) ;! E0821 no variable `?z`
      (when (wet ?x) (clean sink)) ;! E0821 no predicate `wet`
      (forall (?p - place) (when (at ?x ?p) (clean ?pp))) ;! E0821 no variable `?pp`
      (increase (total-cost) (efort ?x)))) ;! E0821 no function `efort`
  (:derived (clear ?p - place) (at sink ?p)) ;! E0821 no predicate `clear`
  (:derived (tidy ?p - place) (at ?c ?p))) ;! E0821 no variable `?c`
;;; file problem.pddl
(define (problem cups)
  (:domain polish)
  (:objects cup1 - cup cup2 - cop) ;! E0821 no type `cop`
  (:init (dirty cup3) ;! E0821 no object `cup3`
    (durty cup1) ;! E0821 no predicate `durty`
    (not (dirty cup4)) ;! E0821 no object `cup4`
    (= (effort cup5) 1) ;! E0821 no object `cup5`
    (= (cost cup1) 1)) ;! E0821 no function `cost`
  (:goal (and (dirty ?x) ;! E0821 no variable `?x`
    (not (dirty cupp)) ;! E0821 no object `cupp`
    (exists (?y - cupboard) (dirty ?y)))) ;! E0821 no type `cupboard`
  (:metric minimize (+ (total-cost) (mess)))) ;! E0821 no function `mess`
