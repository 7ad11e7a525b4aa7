% date.pl: days of weeks and years, dates from text (library(date)).

%! day_of_the_week(+Date, -Day)
%  Day is 1 for a Monday to 7 for a Sunday; Date is date(Year, Month, DayOfMonth).
%  ?- day_of_the_week(date(2024,2,29), D).
%  D = 4.
day_of_the_week(date(Year, Month, DayOfMonth), Day) :-
    '$day_number'(Year, Month, DayOfMonth, Number),
    Day is (Number+2) mod 7 + 1.

%! day_of_the_year(+Date, -Day)
%  Day is 1 for the first of January.
%  ?- day_of_the_year(date(2024,3,1), D).
%  D = 61.
day_of_the_year(date(Year, Month, DayOfMonth), Day) :-
    '$day_number'(Year, Month, DayOfMonth, Number),
    '$day_number'(Year, 1, 1, First),
    Day is Number-First+1.

% Days since 1 March of the year 0: Richards, "Mapping time", 1998.
'$day_number'(Year, Month, Day, Number) :-
    Shift is (14-Month)//12,
    Y is Year-Shift,
    M is Month+12*Shift-3,
    Number is Day-1 + (153*M+2)//5 + 365*Y + Y div 4 - Y div 100 + Y div 400.

%! parse_time(+Text, -Stamp), parse_time(+Text, ?Format, -Stamp)
%  Stamp is the time that a text says, in seconds of the epoch. Format is iso_8601 or rfc_1123. A
%  text without a time zone is in UTC, one without a time at midnight.
%  ?- parse_time('2006-12-08T15:29:44+02:00', T).
%  T = 1165584584.0.
parse_time(Text, Stamp) :-
    parse_time(Text, _, Stamp).

parse_time(Text, Format, Stamp) :-
    text_to_string(Text, String),
    string_codes(String, Codes),
    '$time_format'(Format, Codes, Days, Seconds),
    Stamp is float(Days*86400 + Seconds), !.

'$time_format'(iso_8601, Codes, Days, Seconds) :-
    phrase('$iso_time'(Days, Seconds), Codes).
'$time_format'(rfc_1123, Codes, Days, Seconds) :-
    phrase('$rfc_time'(Days, Seconds), Codes).

'$iso_time'(Days, Seconds) -->
    '$iso_date'(Days),
    (   ( "T" ; " " )
    ->  '$iso_clock'(Clock),
        '$iso_zone'(Offset),
        { Seconds is Clock-Offset }
    ;   { Seconds = 0 }
    ).

'$iso_date'(Days) -->
    '$digits'(4, Year), "-W", !, '$digits'(2, Week),
    ( "-", '$digits'(1, Day) -> [] ; { Day = 1 } ),
    { '$week_day'(Year, Week, Day, Days) }.
'$iso_date'(Days) -->
    '$digits'(4, Year), "W", !, '$digits'(2, Week),
    ( '$digits'(1, Day) -> [] ; { Day = 1 } ),
    { '$week_day'(Year, Week, Day, Days) }.
'$iso_date'(Days) -->
    '$digits'(4, Year), "-", '$digits'(2, Month),
    ( "-", '$digits'(2, Day) -> [] ; { Day = 1 } ),
    \+ '$digits'(1, _),
    { '$epoch_days'(Year, Month, Day, Days) }.
'$iso_date'(Days) -->
    '$digits'(4, Year), '$digits'(2, Month), '$digits'(2, Day), !,
    { '$epoch_days'(Year, Month, Day, Days) }.
'$iso_date'(Days) -->
    '$digits'(4, Year), ( "-" -> [] ; [] ), '$digits'(3, DayOfYear), !,
    { '$epoch_days'(Year, 1, 1, First), Days is First+DayOfYear-1 }.
'$iso_date'(Days) -->
    '$digits'(4, Year),
    { '$epoch_days'(Year, 1, 1, Days) }.

'$week_day'(Year, Week, Day, Days) :-
    '$epoch_days'(Year, 1, 4, Fourth),
    day_of_the_week(date(Year, 1, 4), WeekDay),
    Days is Fourth-WeekDay+1 + (Week-1)*7 + Day-1.

'$epoch_days'(Year, Month, Day, Days) :-
    '$day_number'(Year, Month, Day, Number),
    '$day_number'(1970, 1, 1, Epoch),
    Days is Number-Epoch.

'$iso_clock'(Seconds) -->
    '$digits'(2, Hour),
    (   ":", '$digits'(2, Minute)
    ->  ( ":", '$digits'(2, Second) -> '$second_fraction'(Fraction) ; { Second = 0, Fraction = 0 } )
    ;   '$digits'(2, Minute)
    ->  ( '$digits'(2, Second) -> '$second_fraction'(Fraction) ; { Second = 0, Fraction = 0 } )
    ;   { Minute = 0, Second = 0, Fraction = 0 }
    ),
    { Seconds is Hour*3600 + Minute*60 + Second + Fraction }.

'$second_fraction'(Fraction) -->
    ( "." ; "," ), !,
    digits(Codes),
    { Codes = [_|_], number_codes(Fraction, [0'0,0'.|Codes]) }.
'$second_fraction'(0) --> [].

'$iso_zone'(0) --> "Z", !.
'$iso_zone'(Offset) -->
    '$sign'(Sign), !,
    '$digits'(2, Hours),
    ( ":" -> '$digits'(2, Minutes) ; '$digits'(2, Minutes) -> [] ; { Minutes = 0 } ),
    { Offset is Sign*(Hours*3600 + Minutes*60) }.
'$iso_zone'(0) --> [].

'$sign'(1) --> "+".
'$sign'(-1) --> "-".

'$digits'(Count, Value) -->
    '$digits'(Count, 0, Value).

'$digits'(0, Value, Value) --> !.
'$digits'(Count, Value0, Value) -->
    [Code],
    { Code >= 0'0, Code =< 0'9,
      Value1 is Value0*10 + Code - 0'0,
      Count1 is Count-1 },
    '$digits'(Count1, Value1, Value).

'$rfc_time'(Days, Seconds) -->
    '$letters'(_), ", ",
    digits(DayCodes), ( " " ; "-" ), !,
    '$letters'(Month), ( " " ; "-" ), !,
    '$digits'(4, Year), " ",
    '$iso_clock'(Clock), " ",
    '$rfc_zone'(Offset),
    { number_codes(Day, DayCodes),
      nth1(Number, ['Jan','Feb','Mar','Apr','May','Jun','Jul','Aug','Sep','Oct','Nov','Dec'],
           Month),
      '$epoch_days'(Year, Number, Day, Days),
      Seconds is Clock-Offset }.

'$rfc_zone'(0) --> ( "GMT" ; "UTC" ; "UT" ), !.
'$rfc_zone'(Offset) --> '$iso_zone'(Offset).

'$letters'(Atom) -->
    '$letter_codes'(Codes),
    { Codes = [_|_], atom_codes(Atom, Codes) }.

'$letter_codes'([Code|Codes]) -->
    [Code],
    { code_type(Code, alpha) }, !,
    '$letter_codes'(Codes).
'$letter_codes'([]) --> [].
