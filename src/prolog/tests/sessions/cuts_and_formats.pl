
?- G = ( ( X = 1 ; X = 2 ), ( ! *-> true ) ), findall(X, G, Xs)
    G = ((X=1;X=2),(!*->true)), Xs = [1,2]
?- format(atom(A), "~3s|~s", ["abcdef", [0'g]])
    A = 'abc|g'
