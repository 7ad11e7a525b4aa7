% A grammar with a slip in one of its words.
% query: phrase(greeting, [hello, world])
% culprit: 6

greeting -->
    [hello], place.
place --> [wrld].
place --> [moon].
