-- The views tell the keys that steps really send, also of runs that go on from others.
-- breaking: no

set local lock_timeout = '5s';

-- The key of a step whose own run made p_key. A retry has those of the first run of its chain, and of the run that
-- began anew where things were undone. What undoes another step has a key that only the log tells: null.
create function pawl.shown_key(p_key text, p_chain jsonb, p_step jsonb, p_definition jsonb) returns text
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
    when p_chain ? 'anew_run' and (p_step ? 'compensate' or split_part(p_key, ':', 2) <> '0')
        then (p_chain ->> 'anew_run') || substr(p_key, 37)
    else (p_chain ->> 'first_run') || substr(p_key, 37)
end;

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
    v_ways text[] := array(select w."from" || ' ' || w."to" from pawl.ways_of(v_definition) w);
    v_start timestamptz;
    v_chain jsonb;
begin
    select greatest(e.at, pawl.uuid7_time(p_run), to_timestamp((e.data ->> 'start_at')::bigint / 1000000.0)),
           e.data
      into v_start, v_chain
      from pawl.event e where e.bucket = p_bucket and e.run_id = p_run and e.seq = 0;
    return query
    with done as materialized (
        select d.*, lag(d.last_seq) over w as before_seq, lag(d.at) over w as before_at
          from pawl.execution_steps_done(p_bucket, p_run, v_definition) d
        window w as (partition by d.token order by d.first_seq)
    ), everything as (
        -- A step is come to when the one before it ends: of its branch, or where its branch began.
        select d.node, d.key, d.first_seq, d.last_type, d.ended, d.withdrawn, d.attempts, d.data, d.error, d.at,
               coalesce(d.before_seq, b.last_seq, 0) as since_seq, coalesce(d.before_at, b.at, v_start) as since,
               null::jsonb as config
          from done d
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
               case when (select count(distinct d.token) from done d) <= 1 and not v_definition ? 'code'
                    then pawl.step_key(
                   p_run, coalesce((select max(d.token) from done d), 0), u.node,
                   1 + (select count(*) from done d where d.node = u.node)::int) end,
               2147483647, null, false, false, 0, null, null, u.at, u.since_seq, u.at, u.config
          from pawl.execution_steps_due(p_bucket, p_run, v_definition) u
         where p_status = 0
    ), placed as (
        select a.*, s.step, s.place, to_timestamp((a.data ->> 'retry_at')::bigint / 1000000.0) as retry_at,
               row_number() over (order by a.since_seq, s.place, a.first_seq) as n
          from everything a
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
           pawl.shown_key(p.key, v_chain, p.step, v_definition),
           coalesce(p.error ->> 'message', p.error ->> 'code'), p.since, greatest(p.since, p.at),
           coalesce(ceil(extract(epoch from p.retry_at - p.at)), 0)::int,
           p.ended and p_status = 2 and p.last_type = 2 and not coalesce(p.data ? 'caught', false)
               and p.step ->> 'on_failure' is distinct from 'continue'
      from placed p;
end
$$;
