-- Up to p_count instants at which a meeting of p_minutes collides with none in the calendar of a tenant: whole hours
-- from 9 to 16 (UTC) on weekdays, from the day after p_from, at most 30 days ahead.
create or replace function pawl.free_slots(p_tenant int, p_minutes int, p_count int, p_from timestamptz default now())
returns setof timestamptz
language sql stable set search_path = pg_catalog, pg_temp set enable_seqscan = off set enable_bitmapscan = off
set jit = off
begin atomic
    with busy as materialized (
        select e.starts_at, e.ends_at
          from pawl.calendar_event e
         where e.tenant = p_tenant and e.ends_at > p_from
           and e.starts_at < p_from + interval '30 days' + make_interval(mins => p_minutes)
    )
    select s.at
      from generate_series(date_trunc('day', p_from at time zone 'UTC') at time zone 'UTC' + interval '33 hours',
                           p_from + interval '30 days', interval '1 hour') as s (at)
     where extract(isodow from s.at at time zone 'UTC') < 6
       and extract(hour from s.at at time zone 'UTC') between 9 and 16
       and not exists (
           select 1 from busy b where b.starts_at < s.at + make_interval(mins => p_minutes) and b.ends_at > s.at
       )
     order by s.at limit p_count;
end;

-- Puts a meeting into the calendar, once for each uid, and returns when it is. Null: something else is there then.
create or replace function pawl.book_meeting(
    p_tenant int, p_uid text, p_title text, p_description text, p_attendee text, p_starts timestamptz, p_minutes int
)
returns timestamptz
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
    perform pawl.hold(p_tenant, 'calendar');
    insert into pawl.calendar_event (tenant, uid, title, description, attendee, starts_at, ends_at)
    select p_tenant, p_uid, p_title, p_description, p_attendee, p_starts, p_starts + make_interval(mins => p_minutes)
     where not exists (
         select 1 from pawl.calendar_event e
          where e.tenant = p_tenant and e.ends_at > p_starts
            and e.starts_at < p_starts + make_interval(mins => p_minutes)
     )
        on conflict do nothing;
    return (select e.starts_at from pawl.calendar_event e where e.tenant = p_tenant and e.uid = p_uid);
end
$$;
