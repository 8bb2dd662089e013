-- needs: functions/base/texts

-- One piece of a regular expression that RE2, which the engine uses, and Postgres read alike: a character with how
-- often it is repeated, or a place between them. The captures: all of it, the character, the repetition. As
-- model/shared_pattern.cpp has it.
create or replace function pawl.pattern_piece() returns text
language sql immutable parallel safe
return replace(replace(replace(replace(
    '(LIST|\\[dDwWsS]|ESCAPE|[^][\\^$|?*+(){\u0001-\u001f]|]|\))([*+?]\??|\{COUNT(?:,(?:COUNT)?)?\}\??)?'
    '|\((?:\?:)?|[|^$]',
    'LIST', '\[\^?(?:-|-?(?:\[:(?:alnum|alpha|digit|lower|punct|space|upper|xdigit):\]|\\[dws]'
            '|LISTED(?:-LISTED)?)+-?)\]'),
    'LISTED', '(?:[^][\\\u0001-\u001f-]|ESCAPE)'),
    'ESCAPE', '\\[tnrfv]|\\[ -/:-@[-^`{-~]'),
    -- With a zero before it, RE2 takes it for text.
    'COUNT', '(?:0|[1-9][0-9]{0,2})');

-- At least how many instructions of RE2 one character of a pattern takes.
create or replace function pawl.piece_weight(p_atom text) returns int
language sql immutable parallel safe
return case
    when p_atom is null then 0
    when p_atom in ('.', '\D', '\W', '\S') then 12
    when p_atom like '\\%' then 4
    when p_atom not like '[%' then octet_length(p_atom)
    else (
        select case when s.list ~ '[^\u0001-\u007f]'
                    then octet_length(s.list) * 2 + case when p_atom like '[^%' then 10 else 0 end
                    else octet_length(s.list) + case when p_atom like '[^%' then 6 else 0 end end
          from regexp_replace(regexp_replace(substr(p_atom, 2, length(p_atom) - 2), '\\[dws]', 'xxxx', 'g'),
                              '[!-~]-[!-~]', 'x', 'g') as s (list)
    )
end;

-- How many ^ and $ each open group of a pattern has behind this piece of it. One in a group that is repeated counts as
-- too many: Postgres may take hours to read it.
create or replace function pawl.pattern_ties(p_ties int[], p_piece text, p_repeated boolean) returns int[]
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
declare
    v_last int := cardinality(p_ties);
begin
    if p_piece in ('^', '$') then
        p_ties[v_last] := p_ties[v_last] + 1;
    elsif p_piece like '(%' then
        p_ties := p_ties || 0;
    elsif p_piece like ')%' and v_last > 1 then
        p_ties[v_last - 1] := p_ties[v_last - 1] + case when p_repeated and p_ties[v_last] > 0 then 100
                                                       else p_ties[v_last] end;
        p_ties := trim_array(p_ties, 1);
    end if;
    return p_ties;
end
$$;

-- What is wrong with a pattern of an input_schema; null: the engine and the database read it alike, and it does not
-- become too large for the engine. check_shared_pattern says the same.
create or replace function pawl.pattern_problem(p_pattern text) returns text
language plpgsql immutable set search_path = pg_catalog as $$
declare
    v_rest text := p_pattern;
    v_piece text[];
    v_counts text[];
    v_least int;
    v_most int;
    v_weight int := 0;
    v_groups int := 1;
    v_ties int[] := '{0}';  -- how many ^ and $ each open group has
begin
    if octet_length(p_pattern) > 200 then
        return format('has %s bytes; at most 200 are allowed', octet_length(p_pattern));
    end if;
    while v_rest <> '' loop
        v_piece := regexp_match(v_rest collate "C", '^(' || pawl.pattern_piece() || ')');
        v_counts := regexp_match(v_piece[3], '^\{([0-9]+)(,?)([0-9]*)');
        v_least := coalesce(v_counts[1]::int, 1);
        v_most := coalesce(nullif(v_counts[3], '')::int, v_least + octet_length(coalesce(v_counts[2], '')));
        if v_piece is null or v_piece[2] = '[^]' or v_most > 255 or v_most < v_least then
            return format('is not understood from ''%s'' on: only what the engine and the database read alike is, '
                          'which is letters, . [a-z] [^a-z] (a|b) ^ $ * + ? {2,5} \d \w \s and \ before a sign',
                          pawl.cut_text(v_rest, 40));
        end if;
        v_ties := pawl.pattern_ties(v_ties, v_piece[1], v_piece[3] ~ '^[*+]' or v_most > 1);
        v_most := greatest(v_most, 1);
        if v_piece[2] = ')' then
            v_groups := least(v_groups * v_most, 10000);
        else
            v_weight := v_weight + (pawl.piece_weight(v_piece[2]) + 1) * v_most + 1;
        end if;
        v_rest := substr(v_rest, length(v_piece[1]) + 1);
    end loop;
    if v_weight * v_groups > 950 then
        return 'repeats too much: use smaller counts';
    elsif (select sum(t.ties) from unnest(v_ties) as t (ties)) > 8 then
        return 'may have ^ and $ 8 times at most, and not in a group that is repeated';
    end if;
    -- What is left is a group that does not end, or a range from back to front.
    begin
        perform '' ~ pawl.database_pattern(p_pattern);
    exception when invalid_regular_expression then
        return format('''%s'' is not a regular expression: %s', p_pattern, sqlerrm);
    end;
    return null;
end
$$;

-- The characters of a class, as RE2 has them, for a list in brackets.
create or replace function pawl.pattern_class(p_class text) returns text
language sql immutable parallel safe
return case p_class when 'd' then '0-9' when 'w' then '0-9A-Za-z_' when 's' then ' \t\n\f\r'
                    when 'alnum' then '0-9A-Za-z' when 'alpha' then 'A-Za-z' when 'digit' then '0-9'
                    when 'lower' then 'a-z' when 'upper' then 'A-Z' when 'xdigit' then '0-9A-Fa-f'
                    when 'space' then ' \t\n\v\f\r' when 'punct' then '!-/:-@\[-`{-~' end;

-- A list in brackets with the characters that its classes stand for.
create or replace function pawl.plain_list(p_list text) returns text
language sql immutable parallel safe
return (
    select string_agg(coalesce(pawl.pattern_class(coalesce(p.part[2], p.part[3])), p.part[1]), '' order by p.n)
      -- A backslash that stands for itself may have a d behind it.
      from regexp_matches(p_list, '(\[:([a-z]+):\]|\\([dws])|\\.|.)', 'g') with ordinality as p (part, n)
);

-- A pattern as Postgres has to be given it: there . is a line break too, \s a vertical tab, and \d, \w and [:alpha:]
-- are what the language of the database says.
create or replace function pawl.database_pattern(p_pattern text) returns text
language sql immutable parallel safe
return (
    select coalesce(string_agg(case
               when p.piece[2] = '.' then '[^\n]' || coalesce(p.piece[3], '')
               when p.piece[2] ~ '^\\[dws]$'
               then '[' || pawl.pattern_class(substr(p.piece[2], 2)) || ']' || coalesce(p.piece[3], '')
               when p.piece[2] ~ '^\\[DWS]$'
               then '[^' || pawl.pattern_class(lower(substr(p.piece[2], 2))) || ']' || coalesce(p.piece[3], '')
               when p.piece[2] like '[%' then pawl.plain_list(p.piece[2]) || coalesce(p.piece[3], '')
               when p.piece[1] = '(' then '(?:'
               else p.piece[1] end, '' order by p.n), '')
      from regexp_matches(p_pattern collate "C", '(' || pawl.pattern_piece() || ')', 'g')
           with ordinality as p (piece, n)
);
