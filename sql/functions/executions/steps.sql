-- needs: functions/versions/steps

-- The place in the list of the step that a run is at, from 0. For pawl.workflow_executions.
create or replace function pawl.execution_step(p_bucket smallint, p_run uuid, p_workflow int, p_version int) returns int
language plpgsql stable parallel safe
set search_path = pg_catalog set plan_cache_mode = force_generic_plan set jit = off
set enable_seqscan = off set enable_bitmapscan = off as $$
begin
    return coalesce((
        select coalesce(pawl.step_after(v.definition, e.node),
                        array_position(pawl.step_names(v.definition), e.node) - 1)
          from pawl.event e
         cross join pawl.workflow_version v
         where e.bucket = p_bucket and e.run_id = p_run and v.workflow = p_workflow and v.version = p_version
           and (e.type = 1 or (e.type = 2 and not coalesce(e.data ? 'retry_at', false)
                and pawl.steps_of(v.definition) -> (array_position(pawl.step_names(v.definition), e.node) - 1)
                    ->> 'on_failure' = 'continue'))
         order by e.seq desc
         limit 1
    ), 0);
end
$$;

-- The key of one visit to a step, the same for every attempt: what makes a call idempotent.
create or replace function pawl.step_key(p_run uuid, p_token int, p_node text, p_visit int) returns text
language sql immutable parallel safe
return format('%s:%s:%s:%s', p_run, p_token, p_node, p_visit);

-- The key of a step whose own run made p_key. A retry has those of the first run of its chain, and of the run that
-- began anew where things were undone; so has a child that stands for one before, but for its branches and items. What
-- undoes another step has a key that only the log tells: null.
create or replace function pawl.shown_key(p_key text, p_chain jsonb, p_step jsonb, p_definition jsonb) returns text
language sql immutable parallel safe
return case
    when p_key is null then null
    when exists (
        select 1
          from jsonb_array_elements(pawl.steps_of(p_definition)) as s (step)
         where s.step ->> 'compensate' = coalesce(p_step ->> 'id', p_step ->> 'name')
    ) then null
    when not p_chain ? 'first_run' or p_step ?| array['call', 'foreach'] or p_step ->> 'type' in ('call', 'foreach')
        then p_key
    when split_part(p_key, ':', 2) <> '0'
        then coalesce(p_chain ->> 'branch_run', p_chain ->> 'anew_run', p_chain ->> 'first_run') || substr(p_key, 37)
    when p_chain ? 'anew_run' and p_step ? 'compensate' then (p_chain ->> 'anew_run') || substr(p_key, 37)
    else (p_chain ->> 'first_run') || substr(p_key, 37)
end;

-- The key that a step sends which undoes p_record, as plan::idempotency_key has it. What it undoes was done between two
-- places of the log: when those belong to runs of their own, only the log tells which one it is (null).
create or replace function pawl.undo_key(
    p_run uuid, p_chain jsonb, p_node text, p_record jsonb, p_first int, p_last int
)
returns text
language sql immutable parallel safe
return (
    select coalesce(min(o.run), p_chain ->> 'branch_run', p_chain ->> 'anew_run', p_chain ->> 'first_run', p_run::text)
           || ':undo-' || (p_record #>> '{}') || ':' || p_node
      from unnest(array[p_first, p_last]) as p (seq)
     cross join lateral (
         select (select w.one ->> 'run'
                   from jsonb_array_elements(p_chain -> 'owners') with ordinality as w (one, place)
                  where p.seq <= (w.one ->> 'until')::int
                  order by w.place
                  limit 1) as run
     ) as o
    having count(distinct coalesce(o.run, '')) = 1
);

-- The steps that are done for each item of a list: what the edges `each` of a foreach lead to.
create or replace function pawl.steps_of_items(p_definition jsonb) returns text[]
language sql immutable parallel safe
begin atomic
    with recursive inside as (
        select w."to" as node, w."from" as list
          from pawl.ways_of(p_definition) w
          join jsonb_array_elements(pawl.steps_of(p_definition)) as s (step)
            on coalesce(s.step ->> 'id', s.step ->> 'name') = w."from"
         where w.handle = 'each' and (s.step ->> 'type' = 'foreach' or s.step ? 'foreach')
         union
        select w."to", i.list
          from inside i join pawl.ways_of(p_definition) w on w."from" = i.node
         where w."to" <> i.list
    )
    select coalesce(array_agg(distinct i.node), '{}') from inside i;
end;

-- The events of a run that are about a step, each with the visit it belongs to: how often that branch had come to that
-- step before. A visit ends when the step is over, and not when it will be tried again. What is still heard of a step
-- that was skipped while it was under way is of the same visit.
create or replace function pawl.execution_visits(p_bucket smallint, p_run uuid)
returns table (seq int, type smallint, node text, token int, attempt int, data jsonb, error jsonb, at timestamptz,
               ends boolean, visit int)
language plpgsql stable parallel safe
set search_path = pg_catalog set plan_cache_mode = force_generic_plan set jit = off
set enable_seqscan = off set enable_bitmapscan = off as $$
#variable_conflict use_column
declare
    v_began timestamptz := greatest(pawl.uuid7_time(p_run), (
        select s.at from pawl.event s where s.bucket = p_bucket and s.run_id = p_run and s.seq = 0
    ));
begin
    return query
    select e.seq, e.type, e.node, coalesce(e.token, 0), e.attempt::int, e.data, e.error, greatest(e.at, v_began),
           e.ends,
           coalesce(sum((e.ends and not e.goes_on)::int) over (
               partition by e.token, e.node order by e.seq rows between unbounded preceding and 1 preceding), 0)::int
      from (
          select v.seq, v.type, v.node, v.token, v.attempt, v.data, v.error, v.at,
                 v.type in (1, 7, 9, 16) or v.type = 2 and not coalesce(v.data ? 'retry_at', false) as ends,
                 v.type = 16 and coalesce(v.data -> 'withdrawn' @> to_jsonb(coalesce(v.token, 0)), false) as goes_on
            from pawl.event v
           where v.bucket = p_bucket and v.run_id = p_run and v.node is not null
             and v.type in (1, 2, 3, 7, 9, 11, 15, 16)
      ) as e
     order by e.seq;
end
$$;

-- The visits of a run, one row each, with the key that the effect of each has. Steps of the items of a list count their
-- visits an item, and a branch is of one item; all others count them a run. A branch that was withdrawn goes no
-- further.
create or replace function pawl.execution_steps_done(p_bucket smallint, p_run uuid, p_definition jsonb)
returns table (token int, node text, visit int, key text, first_seq int, last_seq int, last_type smallint,
               ended boolean, withdrawn boolean, attempts int, data jsonb, error jsonb, at timestamptz)
language plpgsql stable parallel safe
set search_path = pg_catalog set plan_cache_mode = force_generic_plan set jit = off
set enable_seqscan = off set enable_bitmapscan = off as $$
#variable_conflict use_column
declare
    v_items text[] := case when p_definition::text like '%foreach%' then pawl.steps_of_items(p_definition) end;
    v_withdrawn int[] := array(
        select t.token::int
          from pawl.event e
         cross join jsonb_array_elements_text(
             case when jsonb_typeof(e.data -> 'cancelled') = 'array' then e.data -> 'cancelled' end
         ) as t (token)
         where e.bucket = p_bucket and e.run_id = p_run and e.type in (7, 9)
    );
begin
    return query
    select g.token, g.node, g.visit,
           pawl.step_key(p_run, g.token, g.node, case
               when g.node = any (v_items) then g.visit + 1
               else (row_number() over (partition by g.node order by g.first_seq))::int end),
           g.first_seq, g.seq, g.type, g.ends, g.token = any (v_withdrawn), g.attempts, g.data, g.error, g.at
      from (
          select distinct on (v.token, v.node, v.visit) v.*,
                 min(v.seq) over (partition by v.token, v.node, v.visit) as first_seq,
                 (count(*) filter (where v.type in (1, 2))
                      over (partition by v.token, v.node, v.visit))::int as attempts
            from pawl.execution_visits(p_bucket, p_run) v
           -- A step that was skipped ended so, whatever its call came to.
           order by v.token, v.node, v.visit, (v.type = 16) desc, v.seq desc
      ) as g;
end
$$;

-- The steps that an open run stands at and that its log says nothing of yet: what the ends of the others lead to.
create or replace function pawl.execution_steps_due(p_bucket smallint, p_run uuid, p_definition jsonb)
returns table (node text, since_seq int, at timestamptz, config jsonb)
language plpgsql stable parallel safe
set search_path = pg_catalog set plan_cache_mode = force_generic_plan set jit = off
set enable_seqscan = off set enable_bitmapscan = off as $$
#variable_conflict use_column
begin
    if p_definition ? 'code' then
        return query
        select a.node, a.seq, a.at, a.config
          from (
              select s.step ->> 'step' as node, e.seq, e.at, s.step -> 'config' as config,
                     row_number() over (partition by s.step ->> 'step' order by e.seq, s.place) as n
                from pawl.event e
               cross join jsonb_array_elements(e.data -> 'steps') with ordinality as s (step, place)
               where e.bucket = p_bucket and e.run_id = p_run and e.type = 17
          ) as a
         where a.n > (select count(distinct (v.token, v.visit))
                        from pawl.execution_visits(p_bucket, p_run) v where v.node = a.node);
        return;
    elsif exists (select 1 from pawl.event e where e.bucket = p_bucket and e.run_id = p_run and e.type = 14) then
        return;  -- it goes back, and not on
    end if;
    return query
    with done as materialized (
        select d.* from pawl.execution_steps_done(p_bucket, p_run, p_definition) d
    ), ended as (
        select d.node, d.last_seq, d.at,
               case d.last_type
                   when 7 then d.data ->> 'handle'
                   when 2 then coalesce(d.data ->> 'caught', 'default')
                   when 1 then case when s.step ->> 'type' = 'condition'
                                    then coalesce(d.data ->> 'result', 'false') else 'default' end
                   else coalesce(d.data ->> 'handle', 'default') end as handle,
               (select r.data -> 'edges' from pawl.event r
                 where r.bucket = p_bucket and r.run_id = p_run and r.type = 8 and r.token = d.token
                   and r.node = d.node and r.seq > d.last_seq
                 order by r.seq limit 1) as edges
          from done d
          left join jsonb_array_elements(pawl.steps_of(p_definition)) as s (step)
            on coalesce(s.step ->> 'id', s.step ->> 'name') = d.node
         where d.ended and not d.withdrawn
    ), led as (
        select w."to" as node, e.last_seq as seq, e.at
          from ended e
          join pawl.ways_of(p_definition) w
            on w."from" = e.node
               and case when e.edges is null then w.handle = e.handle else e.edges @> to_jsonb(w.place) end
         union all
        select (pawl.step_names(p_definition))[1], e.seq, e.at
          from pawl.event e
         where e.bucket = p_bucket and e.run_id = p_run and e.seq = 0
    )
    select l.node, max(l.seq), max(l.at), null::jsonb
      from led l
     where not exists (select 1 from done d where d.node = l.node and d.first_seq > l.seq)
     group by l.node;
end
$$;

-- The steps that a run has reached, each with when that was, and those that are due while it is open. p_chain, p_start:
-- what its first event says, and when it began. Called by execution_steps, whose settings it needs.
create or replace function pawl.execution_steps_reached(
    p_bucket smallint, p_run uuid, p_definition jsonb, p_status smallint, p_chain jsonb, p_start timestamptz
) returns table (node text, key text, first_seq int, last_type smallint, ended boolean, withdrawn boolean, attempts int,
                 data jsonb, error jsonb, at timestamptz, since_seq int, since timestamptz, config jsonb, undo_key text)
language plpgsql stable parallel safe set search_path = pg_catalog as $$
#variable_conflict use_column
declare
    v_ways text[] := array(select w."from" || ' ' || w."to" from pawl.ways_of(p_definition) w);
begin
    return query
    with done as materialized (
        select d.*, lag(d.last_seq) over w as before_seq, lag(d.at) over w as before_at
          from pawl.execution_steps_done(p_bucket, p_run, p_definition) d
        window w as (partition by d.token order by d.first_seq)
    )
    -- A step is reached when the one before it ends, of its branch or where its branch began; in a list, when its item
    -- begins.
    select d.node, d.key, d.first_seq, d.last_type, d.ended, d.withdrawn, d.attempts, d.data, d.error, d.at,
           coalesce(u.since_seq, d.before_seq, i.seq, b.last_seq, 0),
           coalesce(u.since, d.before_at, i.at, b.at, p_start), null::jsonb, u.key
      from done d
      left join pawl.execution_undoing(p_bucket, p_run, p_definition, p_chain, p_start) u
        on u.token = d.token and u.node = d.node and u.visit = d.visit
      left join pawl.execution_items_begun(p_bucket, p_run, p_definition) i
        on i.token = d.token and d.before_seq is null
      left join lateral (
          select p.last_seq, p.at
            from done p
           where d.before_seq is null and p.ended and p.last_seq < d.first_seq
             and p.node || ' ' || d.node = any (v_ways)
           order by p.last_seq desc
           limit 1
      ) as b on true
     union all
    select u.node,
           -- Which branch comes to it is known here when there is but one.
           case when (select count(distinct d.token) from done d) <= 1 and not p_definition ? 'code'
                then pawl.step_key(
               p_run, coalesce((select max(d.token) from done d), 0), u.node,
               1 + (select count(*) from done d where d.node = u.node)::int) end,
           2147483647, null, false, false, 0, null, null, u.at, u.since_seq, u.at, u.config, null
      from pawl.execution_steps_due(p_bucket, p_run, p_definition) u
     where p_status = 0;
end
$$;

-- The steps of a run as the document has them. p_status: how the run ended, 0 while it is open; p_held: by a worker.
create or replace function pawl.execution_steps(
    p_bucket smallint, p_run uuid, p_workflow int, p_version int, p_status smallint, p_held boolean
) returns table (id uuid, step_name text, seq int, status text, input jsonb, result jsonb, attempts int,
                 max_attempts int, next_attempt_at timestamptz, idempotency_key text, error text,
                 created_at timestamptz, updated_at timestamptz, backoff_seconds int, dead_letter boolean)
language plpgsql stable parallel safe
set search_path = pg_catalog set plan_cache_mode = force_generic_plan set jit = off
set enable_seqscan = off set enable_bitmapscan = off as $$
#variable_conflict use_column
declare
    v_definition jsonb := (
        select v.definition from pawl.workflow_version v where v.workflow = p_workflow and v.version = p_version
    );
    v_start timestamptz;
    v_chain jsonb;
begin
    select greatest(e.at, pawl.uuid7_time(p_run), to_timestamp((e.data ->> 'start_at')::bigint / 1000000.0)),
           e.data
      into v_start, v_chain
      from pawl.event e where e.bucket = p_bucket and e.run_id = p_run and e.seq = 0;
    return query
    with placed as (
        select a.*, s.step, s.place, to_timestamp((a.data ->> 'retry_at')::bigint / 1000000.0) as retry_at,
               row_number() over (order by a.since_seq, s.place, a.first_seq) as n
          from pawl.execution_steps_reached(p_bucket, p_run, v_definition, p_status, v_chain, v_start) a
          left join jsonb_array_elements(pawl.steps_of(v_definition)) with ordinality as s (step, place)
            on coalesce(s.step ->> 'id', s.step ->> 'name') = a.node
    )
    select md5(coalesce(p.key, p_run || ':' || p.node || ':' || p.since_seq))::uuid, p.node, p.n::int,
           case when p.ended and p.error is null then 'completed'
                when p.ended then 'failed'
                when p_status > 0 or p.withdrawn then 'cancelled'
                when p.last_type in (3, 11) then 'waiting'
                when p_held and (p.retry_at is null or p.retry_at <= now()) then 'in_progress'
                else 'pending' end,
           coalesce(p.config, pawl.input_of(p.step)),
           case when p.last_type = 1 then p.data when p.ended then p.data -> 'value' end,
           p.attempts, pawl.attempts_of(v_definition, p.step),
           case when p.ended or p_status > 0 or p.withdrawn then null
                when p.last_type = 2 then p.retry_at
                else to_timestamp((p.data ->> 'until')::bigint / 1000000.0) end,
           coalesce(p.undo_key, pawl.shown_key(p.key, v_chain, p.step, v_definition)),
           coalesce(p.error ->> 'message', p.error ->> 'code'), p.since, greatest(p.since, p.at),
           coalesce(ceil(extract(epoch from p.retry_at - p.at)), 0)::int,
           p.ended and p_status = 2 and p.last_type = 2 and not coalesce(p.data ? 'caught', false)
               and p.step ->> 'on_failure' is distinct from 'continue'
      from placed p;
end
$$;
