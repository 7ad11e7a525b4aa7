; Words that are misspelt: which may be meant.
(define (domain polish)
  (:requirement :typing) ;! E0822 `:requirement` ;? did you mean `:requirements`?
  (types cup) ;! E0822 `types` ;? did you mean `:types`?
  (:predicates (dirty ?x))
  (:acton polish :parameters ()) ;! E0822 `:acton` ;? did you mean `:action`?
  (:action polish
    :parameter (?x ?y) ;! E0822 `:parameter` ;? did you mean `:parameters`?
    :precondition (adn (dirty ?x) (dirty ?y)) ;! E0822 `adn` ;? did you mean `and`?
    :effect (dirty ?x)
    :efect ())) ;! E0822 `:efect` ;? did you mean `:effect`?
(define (problem cups) (:domain polish) (:objects one) (:init)
  (:gaol (dirty one)) ;! E0822 `:gaol` ;? did you mean `:goal`?
  (:goal (dirty one)))
