; There is neither. ;! E0820 no `(define (domain NAME) …)`
