-- A run that gathered several starts shows the input that it ran with, not that of the first start. What waits and
-- people answered is a part of the context, under names that the input does not have. A run is not closed before it was
-- started, whatever clock dated its id.
-- breaking: no
set local lock_timeout = '5s';

-- Event 0, with the input that the run has: the last one of a debounce, or all items of a batch.
create or replace function pawl.execution_start(p_bucket smallint, p_run uuid) returns jsonb
language plpgsql stable parallel safe
set search_path = pg_catalog
set plan_cache_mode = force_generic_plan
set jit = off
set enable_seqscan = off
set enable_bitmapscan = off
as $$
declare
    v_data jsonb := (select e.data from pawl.event e where e.bucket = p_bucket and e.run_id = p_run and e.seq = 0);
    v_last jsonb;
    v_items jsonb;
begin
    if not coalesce(v_data -> 'flow' ? 'gather', false) then
        return v_data;
    end if;
    select (array_agg(e.data -> 'data' -> 'input' order by e.seq desc) filter (where e.data -> 'data' ? 'input'))[1],
           jsonb_agg(e.data -> 'data' -> 'item' order by e.seq) filter (where e.data -> 'data' ? 'item')
      into v_last, v_items
      from pawl.event e
     where e.bucket = p_bucket and e.run_id = p_run and e.type = 10 and e.data ->> 'kind' = 'gather';
    if v_last is not null then
        v_data := jsonb_set(v_data, '{input}', v_last);
    end if;
    if v_items is not null and jsonb_typeof(v_data #> '{input,items}') = 'array' then
        v_data := jsonb_set(v_data, '{input,items}', (v_data #> '{input,items}') || v_items);
    end if;
    return v_data;
end
$$;

create or replace function pawl.find_run(p_bucket smallint, p_tenant int, p_run uuid)
returns table (
    run_id uuid, workflow text, version int, status text, subject text, started_at timestamptz, closed_at timestamptz,
    due_at timestamptz, output jsonb, error jsonb, workflow_id int, priority smallint, retried_as uuid, data jsonb
)
language plpgsql stable
set search_path = pg_catalog
set plan_cache_mode = force_custom_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set jit = off
as $$
#variable_conflict use_column
begin
    return query
    select x.run_id, w.name, x.version, x.status, x.subject, x.started_at, x.closed_at, x.due_at, x.output, x.error,
           x.workflow, x.priority, x.retried_as, pawl.execution_start(p_bucket, p_run)
      from (
          select l.run_id, l.workflow, l.version, pawl.open_status_name(l.state, l.due_at) as status, l.subject,
                 pawl.uuid7_time(l.run_id) as started_at, null::timestamptz as closed_at,
                 case when l.state <> 2 then l.due_at end as due_at, null::jsonb as output, null::jsonb as error,
                 l.priority, null::uuid as retried_as
            from pawl.live_run l
           where l.bucket = p_bucket and l.run_id = p_run and l.tenant = p_tenant
           union all
          select r.run_id, r.workflow, r.version, pawl.run_status_name(r.status), r.subject,
                 least(r.started_at, r.closed_at), r.closed_at, null, r.output, r.error, null, r.retried_as
            from pawl.run r
           where r.bucket = p_bucket and r.run_id = p_run and r.tenant = p_tenant
      ) as x
      join pawl.workflow w on w.id = x.workflow;
end
$$;

-- What one event adds to the context of a run, of which a higher rank wins: what a wait or a person answered, the
-- input, the results of the other steps, and each outcome under the number of its step.
create or replace function pawl.context_part(
    p_definition jsonb, p_type smallint, p_node text, p_data jsonb, p_error jsonb
) returns table (rank int, key text, value jsonb)
language sql immutable parallel safe
begin atomic
    select case when s.step ->> 'type' in ('wait', 'human') then -1 else 1 end, a.key, a.value
      from (
               select pawl.steps_of(p_definition) -> (array_position(pawl.step_names(p_definition), p_node) - 1)
           ) as s (step)
     cross join lateral jsonb_each(
               case when p_type = 7 and jsonb_typeof(p_data -> 'value') = 'object' then p_data -> 'value' end
           ) as a (key, value)
     union all
    select 0, i.key, i.value
      from jsonb_each(
               case when p_type = 0 and jsonb_typeof(p_data -> 'input') = 'object' then p_data -> 'input' end
           ) as i (key, value)
     union all
    select 1, r.key, r.value
      from jsonb_each(case when p_type = 1 and jsonb_typeof(p_data) = 'object' then p_data end) as r (key, value)
     union all
    select 2, format('step_%s_%s', n.place - 1, case p_type when 1 then 'result' else 'error' end),
           case p_type when 1 then coalesce(p_data, 'null') else coalesce(p_error -> 'message', '""') end
      from (select array_position(pawl.step_names(p_definition), p_node)) as n (place)
     where n.place is not null
       and (p_type = 1
            or p_type = 2 and not coalesce(p_data ? 'retry_at', false)
            and pawl.steps_of(p_definition) -> (n.place - 1) ->> 'on_failure' = 'continue');
end;

create or replace function pawl.execution_context(p_bucket smallint, p_run uuid, p_workflow int, p_version int)
returns jsonb
language plpgsql stable parallel safe
set search_path = pg_catalog
set plan_cache_mode = force_generic_plan
set jit = off
set enable_seqscan = off
set enable_bitmapscan = off
as $$
begin
    return (
        select coalesce(jsonb_object_agg(p.key, p.value order by p.rank, e.seq), '{}')
          from pawl.event e
         cross join pawl.workflow_version v
         cross join lateral pawl.context_part(
                   v.definition, e.type, e.node,
                   case when e.seq = 0 then pawl.execution_start(p_bucket, p_run) else e.data end, e.error
               ) p
         where e.bucket = p_bucket and e.run_id = p_run and v.workflow = p_workflow and v.version = p_version
    );
end
$$;
