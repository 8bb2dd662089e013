-- What is wrong with a wait, as src/model/flow_reader.cpp reads it.
-- needs: functions/nodes/conditions

-- What is wrong with the filter of an event, which sees the event and nothing of the run; null: nothing.
create or replace function pawl.event_filter_problem(p_filter jsonb) returns text
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
begin
    return (
    select coalesce('filter.' || pawl.condition_problem(p_filter), (
        select case
                   when c.part ? 'query' then 'filter: cannot ask the database'
                   when pawl.condition_operator(c.part) in ('older than', 'within last')
                   then 'filter: cannot compare with the present moment: use before and after'
                   when s.root in ('input', 'steps', 'run', 'item', 'outer')
                   then format('filter: ''%s'' is of the run, and a path of a filter is of the event', s.path)
                   when s.root = 'event' and s.member <> all (array['id', 'name', 'key', 'data'])
                   then format('filter: ''%s'' is not defined: an event has id, name, key, data', s.path) end
          from pawl.condition_parts(p_filter) as c
         cross join lateral (select coalesce(c.part ->> 'path', c.part ->> 'field') as path) as n
         cross join lateral (
             select n.path, r.segments -> 0 ->> 1 as root, r.segments -> 1 ->> 1 as member
               from pawl.read_placeholder(coalesce(n.path, '')) as r
         ) as s
         where not c.part ?| '{all,any,not}'
         order by 1
         limit 1
    ))
    );
end
$$;

-- The texts that stand for what a template says, when it is looked at whether a wait can end; null: nothing is known.
create or replace function pawl.wait_sample(p_config jsonb, p_key text, p_usual text) returns text
language sql immutable parallel safe
return case when pawl.has_template(p_config -> p_key) then p_usual else p_config ->> p_key end;


-- What is wrong with days of the week, one or a list; null: nothing.
create or replace function pawl.weekdays_problem(p_days jsonb) returns text
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
begin
    return (
    select case when count(*) = 0 then 'name at least one weekday, such as mon'
                else min(format('''%s'' is not a weekday: use mon, tue, wed, thu, fri, sat, sun',
                                left(d.day #>> '{}', 40)))
                     filter (where coalesce(lower(d.day #>> '{}'), '') !~
                             '^(sun|mon|tue|wed|thu|fri|sat|sunday|monday|tuesday|wednesday|thursday|friday|saturday)$')
           end
      from jsonb_array_elements(case jsonb_typeof(p_days) when 'array' then p_days
                                     else jsonb_build_array(p_days) end) as d (day)
    );
end
$$;

-- What is wrong with a time of the day, its zone and its weekdays; null: nothing.
create or replace function pawl.window_problem(p_window jsonb) returns text
language plpgsql stable set search_path = pg_catalog as $$
begin
    return (
    select coalesce(
        'timezone: ' || pawl.zone_problem(nullif(pawl.wait_sample(p_window, 'timezone', ''), '')),
        'local_time: ' || pawl.clock_problem(nullif(pawl.wait_sample(p_window, 'local_time', ''), '')),
        case when coalesce(p_window -> 'weekdays', 'null') <> 'null' and not pawl.has_template(p_window -> 'weekdays')
             then 'weekdays: ' || pawl.weekdays_problem(p_window -> 'weekdays') end
    )
    );
end
$$;

-- What is wrong with a date, and what is added to it; null: nothing.
create or replace function pawl.date_problem(p_config jsonb) returns text
language plpgsql stable set search_path = pg_catalog as $$
begin
    return (
    select coalesce(
        case when jsonb_typeof(p_config -> 'date') = 'object' then 'date: must be a date such as 2026-03-01' end,
        pawl.window_problem(p_config - 'weekdays'),
        case when s.back !~ '^([0-9]+d)*([0-9. ]|h|m|s|u)*$' or s.back !~ '^[0-9]'
             then format('offset: ''%s'' is not an offset: write it like "-3d", "1d12h" or "-90m"',
                         left(s.offset, 40)) end,
        case when not pawl.is_moment(s.date)
                  and not pawl.is_moment(replace(s.date, ' ', 'T') ||
                                         case length(s.date) when 16 then ':00Z' else 'Z' end)
             then format('date: ''%s'' is not a date: write it like "2026-03-01" or "2026-03-01T09:00:00Z"',
                         left(s.date, 40))
             when left(s.date, 4) not between '1000' and '8999'
             then 'date: the time is out of the calendar: years 1000 to 8999 are known' end)
      from (
          select pawl.wait_sample(p_config, 'date', '2026-03-01') as date,
                 pawl.wait_sample(p_config, 'offset', null) as offset,
                 ltrim(pawl.wait_sample(p_config, 'offset', null), '-') as back
      ) as s
    );
end
$$;

-- What is wrong with the moment, or the time of the day, that a wait is for; null: nothing.
create or replace function pawl.wait_until_problem(p_until jsonb) returns text
language plpgsql stable set search_path = pg_catalog as $$
begin
    return (
    select case
        when p_until is null then null
        when jsonb_typeof(p_until) = 'object'
        then 'until.' || coalesce(
                 pawl.fields_problem(p_until, array[
                     array['local_time', 'text', 'must be a time of the day, such as 09:00'],
                     array['weekdays', 'any', null], array['timezone', 'text', null]]),
                 pawl.window_problem(p_until),
                 case when p_until -> 'timezone' = '""'
                      then 'timezone: must name a time zone, such as Asia/Bangkok' end)
        when jsonb_typeof(p_until) <> 'string' then 'until: must be text'
        when pawl.template_problem(p_until) is not null then 'until: ' || pawl.template_problem(p_until)
        when not pawl.is_template(p_until) and not pawl.is_moment(p_until #>> '{}')
        then format('until: ''%s'' is not a time such as 2026-03-01T09:00:00Z', left(p_until #>> '{}', 40)) end
    );
end
$$;

-- What is wrong with the length of names that indexes hold; null: nothing.
create or replace function pawl.long_name_problem(p_config jsonb, p_names text[]) returns text
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
begin
    return (
    select format('%s: has %s bytes; at most 500 are possible', n.name, octet_length(p_config ->> n.name))
      from unnest(p_names) with ordinality as n (name, place)
     where octet_length(p_config ->> n.name) > 500 and not pawl.has_template(p_config -> n.name)
     order by n.place
     limit 1
    );
end
$$;

-- What is wrong with the events that a wait is for; null: nothing.
create or replace function pawl.wait_events_problem(p_events jsonb) returns text
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
begin
    return (
    select coalesce(
        case when p_events = '[]' then 'events: must be a list of {event, key, filter, handle}, 50 at most' end,
        pawl.items_problem(jsonb_build_object('events', p_events), 'events', 50, array[
            array['event', 'name', 'must name the event to wait for'], array['key', 'text', null],
            array['filter', 'any', null], array['handle', 'fixed', null]]),
        (
            select format('events[%s].', e.place - 1) || w.problem
              from jsonb_array_elements(p_events) with ordinality as e (item, place)
             cross join lateral (
                 select coalesce(
                     pawl.event_filter_problem(nullif(e.item -> 'filter', 'null')),
                     case when not pawl.is_identifier(coalesce(e.item ->> 'handle', 'default'), true)
                          then 'handle: must be a name' end,
                     pawl.long_name_problem(e.item, '{event,key}')) as problem
             ) as w
             where w.problem is not null
             order by e.place
             limit 1
        ))
    );
end
$$;

-- What is wrong with the config of a wait; null: nothing.
create or replace function pawl.wait_problem(p_config jsonb) returns text
language plpgsql stable set search_path = pg_catalog as $$
begin
    return (
    select case
        when w.forms = 0 then 'does not say what to wait for: give one of duration, until, local_time, date, event, '
                              'events, signal'
        when w.forms > 1 then 'waits for more than one thing: keep one of duration, until, local_time, date, event, '
                              'events, signal'
        else coalesce(
            pawl.fields_problem(p_config, array[
                array['duration', 'duration', null], array['until', 'any', null], array['event', 'name', null],
                array['key', 'text', null], array['filter', 'any', null], array['events', 'any', null],
                array['signal', 'name', null], array['date', 'any', null], array['offset', 'offset', null],
                array['local_time', 'text', null], array['weekdays', 'any', null], array['timezone', 'text', null],
                array['timeout', 'duration', null],
                array[case when p_config ? 'events' then 'mode' else 'timeout' end, 'any', null]]),
            case when p_config -> 'event' = '""' then 'event: must name the event to wait for'
                 when p_config -> 'signal' = '""' then 'signal: must name the signal to wait for'
                 when p_config ? 'filter' and not p_config ? 'event'
                 then 'filter: is for a wait for an event; of events, each has its own'
                 when p_config ? 'mode'
                 then 'mode: ' || pawl.field_problem('one of any, all', p_config -> 'mode') end,
            pawl.event_filter_problem(p_config -> 'filter'),
            pawl.wait_until_problem(p_config -> 'until'),
            pawl.wait_events_problem(p_config -> 'events'),
            case when p_config ? 'date' then pawl.date_problem(p_config)
                 when p_config ? 'local_time' then pawl.window_problem(p_config) end,
            pawl.long_name_problem(p_config, '{event,signal,key}')) end
      from (
          select num_nonnulls(p_config -> 'duration', p_config -> 'until', p_config -> 'event', p_config -> 'events',
                              p_config -> 'signal', p_config -> 'date',
                              case when not p_config ? 'date' then p_config -> 'local_time' end) as forms
      ) as w
    );
end
$$;
