-- needs: functions/versions/steps

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

-- The context of a run as its steps see it, folded from its log. For pawl.workflow_executions; reads the whole log of
-- the run.
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
