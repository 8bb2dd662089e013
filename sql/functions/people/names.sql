-- The name of a person without the blanks around it, and with one blank where several were. All of Unicode's space
-- separators are blanks. The same as person_name in src/model/person.cpp.
create or replace function pawl.person_name(p_written text) returns text
language sql immutable parallel safe
return btrim(regexp_replace(
    p_written, '[ \t\n\r\f\v\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+', ' ', 'g'), ' ');

-- What all spellings of the name of one person have in common; upper case counts from A to Z, as in C++, whatever the
-- locale of the database. human_task_person is an index of it: a change of what it gives has to make that one anew.
create or replace function pawl.person_key(p_written text) returns text
language sql immutable parallel safe
return lower(pawl.person_name(p_written) collate "C");

-- Whether two names are of one person: blanks beyond one inside and upper case do not count.
create or replace function pawl.is_same_person(p_one text, p_other text) returns boolean
language sql immutable parallel safe
return pawl.person_key(p_one) = pawl.person_key(p_other);

-- Whether a person is among these names.
create or replace function pawl.is_among(p_names text[], p_by text) returns boolean
language sql immutable parallel safe
return coalesce((select bool_or(pawl.is_same_person(n.name, p_by)) from unnest(p_names) as n (name)), false);

-- A list of names with another one in the place of a person, or with nothing there.
create or replace function pawl.replace_person(p_names text[], p_by text, p_to text) returns text[]
language sql immutable parallel safe
return array(
    select case when pawl.is_same_person(n.name, p_by) then p_to else n.name end
      from unnest(p_names) with ordinality as n (name, place)
     where p_to is not null or not pawl.is_same_person(n.name, p_by)
     order by n.place
);
