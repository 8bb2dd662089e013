-- The name of a person without the blanks around it.
create or replace function pawl.person_name(p_written text) returns text
language sql immutable parallel safe
return btrim(p_written, E' \t\n\r\f\v');

-- Whether two names are of one person: blanks around them and upper case do not count.
create or replace function pawl.is_same_person(p_one text, p_other text) returns boolean
language sql immutable parallel safe
return lower(pawl.person_name(p_one)) = lower(pawl.person_name(p_other));

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
