% ugraphs.pl: directed graphs as sorted lists of Vertex-Neighbours.

%! vertices_edges_to_ugraph(+Vertices, +Edges, -Graph)
%  The graph with these vertices and edges From-To.
%  ?- vertices_edges_to_ugraph([c], [a-b], G).
%  G = [a-[b],b-[],c-[]].
vertices_edges_to_ugraph(Vertices, Edges, Graph) :-
    '$edge_ends'(Edges, Ends),
    append(Vertices, Ends, All0),
    sort(All0, All),
    sort(Edges, Sorted),
    '$gather'(All, Sorted, Graph).

'$edge_ends'([], []).
'$edge_ends'([A-B|Edges], [A,B|Ends]) :-
    '$edge_ends'(Edges, Ends).

'$gather'([], _, []).
'$gather'([V|Vs], Edges, [V-Ns|Graph]) :-
    '$neighbours_of'(Edges, V, Ns, Rest),
    '$gather'(Vs, Rest, Graph).

'$neighbours_of'(Edges, V, Ns, Rest) :-
    (   Edges = [A-B|Edges1],
        A == V
    ->  Ns = [B|Ns1],
        '$neighbours_of'(Edges1, V, Ns1, Rest)
    ;   Ns = [],
        Rest = Edges
    ).

%! vertices(+Graph, -Vertices)
%  The vertices in order.
%  ?- vertices([a-[b],b-[]], Vs).
%  Vs = [a,b].
vertices(Graph, Vertices) :-
    pairs_keys(Graph, Vertices).

%! edges(+Graph, -Edges)
%  The edges From-To in order.
%  ?- edges([a-[b],b-[]], Es).
%  Es = [a-b].
edges([], []).
edges([V-Ns|Graph], Edges) :-
    '$edges_from'(Ns, V, Edges, Edges1),
    edges(Graph, Edges1).

'$edges_from'([], _, Edges, Edges).
'$edges_from'([N|Ns], V, [V-N|Edges], Tail) :-
    '$edges_from'(Ns, V, Edges, Tail).

%! add_vertices(+Graph0, +Vertices, -Graph)
%  Graph is Graph0 with further vertices.
%  ?- add_vertices([a-[]], [b], G).
%  G = [a-[],b-[]].
add_vertices(Graph0, Vertices, Graph) :-
    edges(Graph0, Edges),
    vertices(Graph0, Vertices0),
    append(Vertices, Vertices0, All),
    vertices_edges_to_ugraph(All, Edges, Graph).

%! del_vertices(+Graph0, +Vertices, -Graph)
%  Graph is Graph0 without some vertices and their edges.
%  ?- del_vertices([a-[b],b-[]], [b], G).
%  G = [a-[]].
del_vertices(Graph0, Vertices, Graph) :-
    sort(Vertices, Out),
    '$del_vertices'(Graph0, Out, Graph).

'$del_vertices'([], _, []).
'$del_vertices'([V-Ns0|Graph0], Out, Graph) :-
    (   ord_memberchk(V, Out)
    ->  '$del_vertices'(Graph0, Out, Graph)
    ;   ord_subtract(Ns0, Out, Ns),
        Graph = [V-Ns|Graph1],
        '$del_vertices'(Graph0, Out, Graph1)
    ).

%! add_edges(+Graph0, +Edges, -Graph)
%  Graph is Graph0 with further edges.
%  ?- add_edges([a-[],b-[]], [a-b], G).
%  G = [a-[b],b-[]].
add_edges(Graph0, Edges, Graph) :-
    edges(Graph0, Edges0),
    vertices(Graph0, Vertices),
    append(Edges, Edges0, All),
    vertices_edges_to_ugraph(Vertices, All, Graph).

%! del_edges(+Graph0, +Edges, -Graph)
%  Graph is Graph0 without some edges.
%  ?- del_edges([a-[b],b-[]], [a-b], G).
%  G = [a-[],b-[]].
del_edges(Graph0, Edges, Graph) :-
    edges(Graph0, Edges0),
    vertices(Graph0, Vertices),
    sort(Edges, Out),
    ord_subtract(Edges0, Out, Kept),
    vertices_edges_to_ugraph(Vertices, Kept, Graph).

%! neighbours(+Vertex, +Graph, -Neighbours)
%  The vertices that an edge from Vertex leads to.
%  ?- neighbours(a, [a-[b],b-[]], Ns).
%  Ns = [b].
neighbours(Vertex, Graph, Neighbours) :-
    memberchk(Vertex-Neighbours0, Graph),
    Neighbours = Neighbours0.

%! neighbors(+Vertex, +Graph, -Neighbours)
%  neighbours/3 in another spelling.
%  ?- neighbors(a, [a-[b],b-[]], Ns).
%  Ns = [b].
neighbors(Vertex, Graph, Neighbours) :-
    neighbours(Vertex, Graph, Neighbours).

%! transpose_ugraph(+Graph, -Transposed)
%  Every edge turned round.
%  ?- transpose_ugraph([a-[b],b-[]], G).
%  G = [a-[],b-[a]].
transpose_ugraph(Graph, Transposed) :-
    edges(Graph, Edges),
    '$flip_pairs'(Edges, Flipped),
    vertices(Graph, Vertices),
    vertices_edges_to_ugraph(Vertices, Flipped, Transposed).

%! reachable(+Vertex, +Graph, -Vertices)
%  The vertices that can be reached from Vertex, itself included, in order.
%  ?- reachable(a, [a-[b],b-[c],c-[],d-[]], Vs).
%  Vs = [a,b,c].
reachable(Vertex, Graph, Vertices) :-
    '$reachable'([Vertex], Graph, [Vertex], Vertices).

'$reachable'([], _, Vertices, Vertices).
'$reachable'([V|Vs], Graph, Seen0, Vertices) :-
    (   neighbours(V, Graph, Ns)
    ->  ord_union(Seen0, Ns, Seen, New),
        append(New, Vs, Vs1),
        '$reachable'(Vs1, Graph, Seen, Vertices)
    ;   '$reachable'(Vs, Graph, Seen0, Vertices)
    ).

%! transitive_closure(+Graph, -Closure)
%  An edge wherever Graph has a path.
%  ?- transitive_closure([a-[b],b-[c],c-[]], G).
%  G = [a-[b,c],b-[c],c-[]].
transitive_closure(Graph, Closure) :-
    '$closure'(Graph, Graph, Closure).

'$closure'([], _, []).
'$closure'([V-Ns|Rest], Graph, [V-Reached|Closure]) :-
    '$reachable'(Ns, Graph, Ns, Reached),
    '$closure'(Rest, Graph, Closure).

%! top_sort(+Graph, -Sorted)
%  The vertices so that every edge leads forward; fails for a cycle.
%  ?- top_sort([a-[b],b-[c],c-[]], L).
%  L = [a,b,c].
top_sort(Graph, Sorted) :-
    '$in_degrees'(Graph, Degrees),
    '$sources'(Graph, Degrees, Sources),
    list_to_assoc(Degrees, Counts),
    '$top_sort'(Sources, Graph, Counts, Sorted, 0, N),
    length(Graph, N), !.

'$in_degrees'(Graph, Degrees) :-
    edges(Graph, Edges),
    pairs_values(Edges, Targets0),
    msort(Targets0, Targets),
    '$clumped_targets'(Graph, Targets, Degrees).

'$clumped_targets'([], _, []).
'$clumped_targets'([V-_|Graph], Targets, [V-N|Degrees]) :-
    '$count_targets'(Targets, V, 0, N, Rest),
    '$clumped_targets'(Graph, Rest, Degrees).

'$count_targets'(Targets, V, N0, N, Rest) :-
    (   Targets = [T|Targets1],
        T == V
    ->  N1 is N0 + 1,
        '$count_targets'(Targets1, V, N1, N, Rest)
    ;   N = N0,
        Rest = Targets
    ).

'$sources'([], [], []).
'$sources'([V-_|Graph], [_-N|Degrees], Sources) :-
    (   N =:= 0
    ->  Sources = [V|Sources1],
        '$sources'(Graph, Degrees, Sources1)
    ;   '$sources'(Graph, Degrees, Sources)
    ).

'$top_sort'([], _, _, [], N, N).
'$top_sort'([V|Vs], Graph, Counts0, [V|Sorted], N0, N) :-
    neighbours(V, Graph, Ns),
    '$release'(Ns, Counts0, Counts, Vs, Vs1),
    N1 is N0 + 1,
    '$top_sort'(Vs1, Graph, Counts, Sorted, N1, N).

'$release'([], Counts, Counts, Vs, Vs).
'$release'([V|Ns], Counts0, Counts, Vs0, Vs) :-
    get_assoc(V, Counts0, N0),
    N is N0 - 1,
    put_assoc(V, Counts0, N, Counts1),
    (   N =:= 0
    ->  '$release'(Ns, Counts1, Counts, [V|Vs0], Vs)
    ;   '$release'(Ns, Counts1, Counts, Vs0, Vs)
    ).

%! ugraph_union(+Graph1, +Graph2, -Graph)
%  Graph has the vertices and edges of both.
%  ?- ugraph_union([a-[b],b-[]], [b-[a]], G).
%  G = [a-[b],b-[a]].
ugraph_union(Graph1, Graph2, Graph) :-
    '$union_graphs'(Graph1, Graph2, Graph).

'$union_graphs'([], Graph, Graph) :- !.
'$union_graphs'(Graph, [], Graph) :- !.
'$union_graphs'([V-Vs|Graph1], [W-Ws|Graph2], Graph) :-
    compare(Order, V, W),
    (   Order = (=)
    ->  ord_union(Vs, Ws, All),
        Graph = [V-All|More],
        '$union_graphs'(Graph1, Graph2, More)
    ;   Order = (<)
    ->  Graph = [V-Vs|More],
        '$union_graphs'(Graph1, [W-Ws|Graph2], More)
    ;   Graph = [W-Ws|More],
        '$union_graphs'([V-Vs|Graph1], Graph2, More)
    ).

%! compose(+Graph1, +Graph2, -Graph)
%  Graph has the vertices of both, and an edge where one of Graph1 and then one of Graph2 lead.
%  ?- compose([a-[b],b-[]], [b-[c],c-[]], G).
%  G = [a-[c],b-[],c-[]].
compose(Graph1, Graph2, Graph) :-
    vertices(Graph1, Vertices1),
    vertices(Graph2, Vertices2),
    ord_union(Vertices1, Vertices2, Vertices),
    '$composed'(Vertices, Graph1, Graph2, Graph).

'$composed'([], _, _, []).
'$composed'([V|Vs], Graph1, Graph2, [V-Ends|Graph]) :-
    (   '$edges_from'(Graph1, V, Middles)
    ->  findall(Set, ( member(M, Middles), '$edges_from'(Graph2, M, Set) ), Sets),
        ord_union(Sets, Ends)
    ;   Ends = []
    ),
    '$composed'(Vs, Graph1, Graph2, Graph).

'$edges_from'(Graph, V, Ends) :-
    member(W-Ends0, Graph),
    W == V, !,
    Ends = Ends0.

%! complement(+Graph, -Complement)
%  Complement has the same vertices, and an edge between two where Graph has none.
%  ?- complement([a-[b],b-[]], G).
%  G = [a-[],b-[a]].
complement(Graph, Complement) :-
    vertices(Graph, Vertices),
    '$complement'(Graph, Vertices, Complement).

'$complement'([], _, []).
'$complement'([V-Vs|Graph], Vertices, [V-Others|Complement]) :-
    ord_add_element(Vs, V, Known),
    ord_subtract(Vertices, Known, Others),
    '$complement'(Graph, Vertices, Complement).

%! connect_ugraph(+Graph, -Start, -Connected)
%  Connected has a vertex Start more, before all others in the order of terms, from which an edge leads to each.
%  ?- connect_ugraph([a-[],b-[]], S, G).
%  G = [0-[a,b],a-[],b-[]], S = 0.
connect_ugraph([], 0, []) :- !.
connect_ugraph(Graph, Start, [Start-Vertices|Graph]) :-
    vertices(Graph, Vertices),
    Vertices = [First|_],
    (   number(First)
    ->  Start is First-1
    ;   Start = 0
    ).

%! top_sort(+Graph, -Sorted, ?Rest)
%  As top_sort/2, with Rest behind the vertices.
top_sort(Graph, Sorted, Rest) :-
    top_sort(Graph, Vertices),
    append(Vertices, Rest, Sorted).
