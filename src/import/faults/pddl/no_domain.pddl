(define (problem cups) (:domain polish) (:objects one) (:init) (:goal (dirty one))) ;! E0811 no domain
