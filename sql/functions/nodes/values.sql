-- What is wrong with values in the config of a node, as the readers of src/model have it: a test holds both together.
-- needs: functions/versions/templates
-- needs: functions/versions/schemas

-- Whether a value is a text with a template in it, which stands for another value until the step runs.
create or replace function pawl.is_template(p_value jsonb) returns boolean
language sql immutable parallel safe
return coalesce(jsonb_typeof(p_value) = 'string' and strpos(p_value #>> '{}', '{{') > 0, false);


-- Whether there is a template anywhere in a value.
create or replace function pawl.has_template(p_value jsonb) returns boolean
language sql immutable parallel safe
return jsonb_path_exists(p_value, 'strict $.** ? (@.type() == "string" && @ like_regex "[{][{]")');


-- The first template of a value that is malformed; null: none is.
create or replace function pawl.template_problem(p_value jsonb) returns text
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
begin
    return (
    select p.problem
      from jsonb_path_query(p_value, 'strict $.** ? (@.type() == "string" && @ like_regex "[{][{]")')
           with ordinality as s (text, place)
     cross join lateral pawl.placeholders(s.text #>> '{}')
           with ordinality as p (path, segments, has_default, problem, n)
     where p.problem is not null
     order by s.place, p.n
     limit 1
    );
end
$$;

-- Whether a text is a name that may stand in a definition; p_dots: with dots in it.
create or replace function pawl.is_identifier(p_text text, p_dots boolean default false) returns boolean
language sql immutable parallel safe
return coalesce(p_text ~ case when p_dots then '^[A-Za-z_][A-Za-z0-9_.-]{0,99}$'
                              else '^[A-Za-z_][A-Za-z0-9_-]{0,99}$' end, false);


-- How many seconds a duration has: "1h30m", "PT5M", 90. Null: it is none.
create or replace function pawl.duration_seconds(p_duration jsonb) returns numeric
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
begin
    return (
    select case
        when jsonb_typeof(p_duration) = 'number' then case when p_duration::numeric >= 0 then p_duration::numeric end
        when jsonb_typeof(p_duration) <> 'string' then null
        when t.text ~ '^[0-9]+([.][0-9]*)?$' then rtrim(t.text, '.')::numeric
        when t.text ~ '^([0-9]+([.][0-9]*)?(d|h|ms|m|s|us) *)+$' or t.text ~ ('^P([0-9]+([.][0-9]*)?[WD])*'
                         '(T([0-9]+([.][0-9]*)?[HMS])+)?$') and t.text <> 'P'
        then (
            select sum(rtrim(m.part[1], '.')::numeric * case m.part[2]
                       when 'W' then 604800 when 'd' then 86400 when 'D' then 86400 when 'h' then 3600
                       when 'H' then 3600
                       when 'm' then 60 when 'M' then 60 when 's' then 1 when 'S' then 1 when 'ms' then 0.001
                       when 'us' then 0.000001 end)
              from regexp_matches(t.text, '([0-9]+(?:[.][0-9]*)?)(ms|us|[A-Za-z])', 'g') as m (part)
        ) end
      from (select btrim(p_duration #>> '{}', ' ') as text) as t
    );
end
$$;

-- What is wrong with a duration; null: nothing. p_back: it may be negative, if it is a text.
create or replace function pawl.duration_problem(p_duration jsonb, p_back boolean default false) returns text
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
begin
    return (
    select case when pawl.is_template(p_duration) then pawl.template_problem(p_duration)
                when s.seconds is null then format(
                    '''%s'' is not a duration: write it like "30s", "5m", "1h30m", "2d" or "PT5M"', case
                    when jsonb_typeof(p_duration) in ('string', 'number') then left(p_duration #>> '{}', 40)
                    else 'a JSON ' || jsonb_typeof(p_duration) end)
                when s.seconds > 3660 * 86400 then 'the duration is longer than 3660d'
                when b.back and not p_back then 'may not be negative' end
      from (select jsonb_typeof(p_duration) = 'string' and starts_with(p_duration #>> '{}', '-') as back) as b
     cross join lateral (select pawl.duration_seconds(case when b.back then to_jsonb(substr(p_duration #>> '{}', 2))
                                                           else p_duration end) as seconds) as s
    );
end
$$;

-- Whether a text is a moment: 2026-03-01, 2026-03-01T09:00:00Z.
create or replace function pawl.is_moment(p_text text) returns boolean
language sql immutable parallel safe
return coalesce(length(p_text) = 10 and pawl.is_date(p_text) or pawl.has_format('date-time', p_text), false);


-- What is wrong with a time of the day; null: nothing.
create or replace function pawl.clock_problem(p_text text) returns text
language sql immutable parallel safe
return case when p_text !~ '^([01]?[0-9]|2[0-3]):[0-5][0-9]$'
            then format('''%s'' is not a time of day: write it like "09:00" or "17:30"', left(p_text, 40)) end;


-- What is wrong with the name of a time zone; null: nothing. Asks the session, which reads one file; the list of all
-- names takes it 100 ms. Posix rules, which the engine does not know, are no names.
create or replace function pawl.zone_problem(p_zone text) returns text
language plpgsql stable set search_path = pg_catalog set TimeZone = 'UTC' as $$
begin
    if p_zone is null or p_zone in ('', 'UTC') then
        return null;
    elsif p_zone ~ '^[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+)*$' and p_zone !~ '^(posix|right)/'
          and p_zone not in ('localtime', 'posixrules', 'Factory') and (
              p_zone ~ '/' or p_zone !~ '[0-9]'
              or p_zone in ('EST5EDT', 'CST6CDT', 'MST7MDT', 'PST8PDT', 'GMT0', 'GMT+0', 'GMT-0'))
    then
        begin
            perform set_config('TimeZone', p_zone, true);
            if current_setting('TimeZone') = p_zone then
                return null;
            end if;
        exception when invalid_parameter_value then
            null;
        end;
    end if;
    return format('''%s'' is not a time zone: write a name such as Europe/Berlin or UTC', left(p_zone, 60));
end
$$;
