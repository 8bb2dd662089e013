-- A time zone that the server knows: the one of the person, else that of the policy, else UTC.
create or replace function pawl.known_zone(p_zone text, p_other text) returns text
language plpgsql stable
set search_path = pg_catalog as $$
begin
    if p_zone is not null then
        perform now() at time zone p_zone;
        return p_zone;
    end if;
    return case when p_other is null then 'UTC' else pawl.known_zone(p_other, null) end;
exception when invalid_parameter_value then
    return case when p_other is null then 'UTC' else pawl.known_zone(p_other, null) end;
end
$$;

-- When the quiet hours end in which p_now is; null: it is in none. The wall clock of the zone counts: a night with a
-- change of the clock is an hour longer or shorter. An end that the clock leaps over is as many minutes after the leap
-- as it is after the hour that is missing; of one that comes twice, the second.
create or replace function pawl.quiet_until(p_now timestamptz, p_zone text, p_from text, p_to text) returns timestamptz
language sql stable parallel safe
return (
    select case
        when p_from < p_to and l.clock >= p_from and l.clock < p_to then (l.day + p_to::interval) at time zone p_zone
        when p_from > p_to and l.clock >= p_from then (l.day + interval '1 day' + p_to::interval) at time zone p_zone
        when p_from > p_to and l.clock < p_to then (l.day + p_to::interval) at time zone p_zone
    end
      from (select date_trunc('day', p_now at time zone p_zone) as day,
                   to_char(p_now at time zone p_zone, 'HH24:MI') as clock) as l
);
