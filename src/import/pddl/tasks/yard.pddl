; Engines push wagons about a yard; who leaves a track with a broken signal pays more.
(define (domain yard)
  (:requirements :strips :typing :equality :negative-preconditions :adl :action-costs :derived-predicates)
  (:types engine wagon - vehicle track)
  (:constants depot - track)
  (:predicates (on ?v - vehicle ?t - track) (joined ?a ?b - track) (coupled ?e - engine ?w - wagon)
               (broken ?t - track) (lit) (linked ?a ?b - track) (busy ?t - track) (heavy ?w - wagon))
  (:functions (total-cost) (way ?a ?b - track))
  (:derived (linked ?a ?b - track)
    (or (joined ?a ?b) (exists (?c - track) (and (joined ?a ?c) (not (broken ?c)) (linked ?c ?b)))))
  (:derived (busy ?t - track) (exists (?v - vehicle) (on ?v ?t)))
  ; All that is coupled comes along.
  (:action drive
    :parameters (?e - engine ?from ?to - track)
    :precondition (and (on ?e ?from) (joined ?from ?to) (not (= ?from ?to)) (not (broken ?to)))
    :effect (and (not (on ?e ?from)) (on ?e ?to) (increase (total-cost) (way ?from ?to))
                 (increase (total-cost) 1)
                 (forall (?w - wagon) (when (coupled ?e ?w) (and (not (on ?w ?from)) (on ?w ?to))))))
  (:action couple
    :parameters (?e - engine ?w - wagon ?t - track)
    :precondition (and (on ?e ?t) (on ?w ?t) (forall (?o - engine) (not (coupled ?o ?w)))
                       (imply (heavy ?w) (not (exists (?x - wagon) (coupled ?e ?x)))))
    :effect (and (coupled ?e ?w) (increase (total-cost) 1)))
  (:action leave
    :parameters (?e - engine ?w - wagon)
    :precondition (coupled ?e ?w)
    :effect (not (coupled ?e ?w)))
  (:action mend
    :parameters (?t - track)
    :precondition (and (broken ?t) (lit) (or (busy depot) (linked depot ?t)))
    :effect (and (not (broken ?t)) (increase (total-cost) 5)))
  (:action light :parameters () :precondition (not (lit)) :effect (lit))
  (:action shut :parameters () :precondition (lit) :effect (and (not (lit)) (when (busy depot) (broken depot)))))
