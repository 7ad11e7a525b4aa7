; Warnings alone: the task is imported.
(define (domain polish)
  (:predicates (dirty ?x) (wet ?x))
  (:action polish
    :parameters (?x)
    :precondition (and (dirty ?x) (not (wet rag))) ;! W0820 `:negative-preconditions` ;! W0822 `rag` is no constant of the domain
    :effect (not (dirty ?x))))
;;; file first.pddl
(define (problem cups) (:domain polish)
  (:objects one - cup two - cup rag - cloth) ;! W0822 the type `cup` means nothing ;! W0822 the type `cloth` means nothing ;! W0820 `:typing`
  (:init (dirty one)) (:goal (dirty two)))
;;; file second.pddl
(define (problem cups) (:domain polish) (:objects one rag) (:init (dirty one)) (:goal (dirty one)))
