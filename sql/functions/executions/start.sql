-- In SQL, planned once for a query, because whole lists ask it. The setting keeps it from being made part of the query.
create or replace function pawl.execution_begun(p_bucket smallint, p_run uuid) returns boolean
language sql stable parallel safe set jit = off
begin atomic
    select exists (select 1 from pawl.event e where e.bucket = p_bucket and e.run_id = p_run and e.seq = 1);
end;

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

-- Of an open run: what failed last, if nothing has happened since. Of a failed one: the step that failed.
create or replace function pawl.execution_failure(
    p_bucket smallint, p_run uuid, p_status smallint, out message text, out node text
)
language plpgsql stable parallel safe
set search_path = pg_catalog set plan_cache_mode = force_generic_plan set jit = off
set enable_seqscan = off set enable_bitmapscan = off as $$
begin
    if p_status = 0 then
        select case when e.type = 2 then e.error ->> 'message' end, case when e.type = 2 then e.node end
          into message, node
          from pawl.event e
         where e.bucket = p_bucket and e.run_id = p_run
         order by e.seq desc
         limit 1;
    else
        select e.node into node
          from pawl.event e
         where e.bucket = p_bucket and e.run_id = p_run and e.type = 2
         order by e.seq desc
         limit 1;
    end if;
end
$$;

-- How many times steps of a run were tried again. For pawl.workflow_executions.
create or replace function pawl.execution_retries(p_bucket smallint, p_run uuid) returns int
language plpgsql stable parallel safe
set search_path = pg_catalog set plan_cache_mode = force_generic_plan set jit = off
set enable_seqscan = off set enable_bitmapscan = off as $$
begin
    return (
        select count(*)
          from pawl.event e
         where e.bucket = p_bucket and e.run_id = p_run and e.type = 2 and e.data ? 'retry_at'
    );
end
$$;
