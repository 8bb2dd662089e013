-- Names and keys of any length fit into an index; both sides make them the same way. No commit fails by what a template
-- made of them.
create or replace function pawl.event_key(p_key text) returns text
language sql immutable parallel safe
return case when octet_length(p_key) <= 500 then coalesce(p_key, '') else 'md5:' || md5(p_key) end;

-- Queues events of the inbox for the matcher: one row of pawl.inbox_pending for up to 100 numbers.
create or replace function pawl.pend_events(p_bucket smallint, p_number bigint[]) returns void
language plpgsql
set search_path = pg_catalog as $$
declare
    c_list constant int := 100;
begin
    insert into pawl.inbox_pending (bucket, id, more)
    select p_bucket, p_number[n], p_number[n + 1:n + c_list - 1]
      from generate_series(1, cardinality(p_number), c_list) as n;
end
$$;

-- Takes events in. Returns those that are new; one whose id is known is not taken twice.
create or replace function pawl.publish_events(
    p_bucket smallint, p_tenant int[], p_id text[], p_name text[], p_key text[], p_subject text[], p_source text[],
    p_time timestamptz[], p_data jsonb[]
) returns table (tenant int, event_id text)
language plpgsql set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set jit = off as $$
#variable_conflict use_column
declare
    v_number bigint[];
    v_tenant int[];
    v_name text[];
    v_id text[];
begin
    begin
        with fresh as (
            insert into pawl.inbox (bucket, tenant, event_id, name, key, subject, source, time, data)
            select p_bucket, u.tenant, u.id, pawl.event_key(u.name), pawl.event_key(u.key), u.subject, u.source,
                   u.time, u.data
              from unnest(p_tenant, p_id, p_name, p_key, p_subject, p_source, p_time, p_data) with ordinality
                   as u (tenant, id, name, key, subject, source, time, data, place)
             order by u.place
            returning id, tenant, name, event_id
        )
        select array_agg(f.id), array_agg(f.tenant), array_agg(f.name), array_agg(f.event_id)
          into v_number, v_tenant, v_name, v_id
          from fresh f;
    exception when unique_violation then
        with fresh as (
            insert into pawl.inbox (bucket, tenant, event_id, name, key, subject, source, time, data)
            select p_bucket, u.tenant, u.id, pawl.event_key(u.name), pawl.event_key(u.key), u.subject, u.source,
                   u.time, u.data
              from unnest(p_tenant, p_id, p_name, p_key, p_subject, p_source, p_time, p_data) with ordinality
                   as u (tenant, id, name, key, subject, source, time, data, place)
             order by u.place
                on conflict do nothing
            returning id, tenant, name, event_id
        )
        select array_agg(f.id), array_agg(f.tenant), array_agg(f.name), array_agg(f.event_id)
          into v_number, v_tenant, v_name, v_id
          from fresh f;
    end;
    perform pawl.pend_events(p_bucket, v_number);
    if exists (select 1 from pawl.goal g) then
        perform pawl.pend_goals(p_bucket, v_number, v_tenant, v_name);
    end if;
    insert into pawl.trigger_pending (bucket, id)
    select p_bucket, f.id
      from unnest(v_number, v_tenant, v_name) as f (id, tenant, name)
     cross join lateral (
         select 1 from pawl.event_trigger t where t.tenant = f.tenant and t.event = f.name limit 1
     ) as t;
    return query select f.tenant, f.id from unnest(v_tenant, v_id) as f (tenant, id);
end
$$;
