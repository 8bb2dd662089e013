-- The limit of a gate: what was set, else what the definition says.
create or replace function pawl.limit_of(p_gate text, p_base int) returns int
language plpgsql stable set search_path = pg_catalog as $$
declare
    v_limit int;
begin
    select l."limit" into v_limit
      from pawl.flow_limit l
     where l.gate in (p_gate, substring(p_gate from '^[^/]*/[^/]*/[^/]*/'))
     order by length(l.gate) desc
     limit 1;
    return coalesce(v_limit, p_base);
end
$$;

-- Sets a limit over that of the definitions, or takes it away again (null): of one key, or of all keys. p_workflow is
-- null for a limit that the workflows of a tenant share; p_tenant is 0 for one that all tenants share. Waiting runs get
-- in at once where there is room now. Returns the name of the gate; null when there is no such workflow.
create or replace function pawl.set_limit(p_tenant int, p_workflow text, p_name text, p_key text, p_limit int)
returns text
language plpgsql set search_path = pg_catalog set enable_seqscan = off set jit = off as $$
declare
    v_workflow int := 0;
    v_gate text collate "C";
    v_bucket smallint;
begin
    if p_limit not between 0 and 1000000 then
        raise exception 'a limit is a number from 0 to 1000000' using errcode = 'invalid_parameter_value';
    elsif coalesce(p_name, '') = '' or strpos(p_name, '/') > 0 then
        raise exception 'a limit has a name, without a slash' using errcode = 'invalid_parameter_value';
    end if;
    if p_workflow is not null then
        select w.id into v_workflow from pawl.workflow w where w.tenant = p_tenant and w.name = p_workflow;
        if not found then
            return null;
        end if;
    end if;
    v_gate := format('%s/%s/%s/%s', p_tenant, v_workflow, p_name, left(p_key, 200));
    if p_limit is null then
        delete from pawl.flow_limit l where l.gate = v_gate;
    else
        insert into pawl.flow_limit (gate, "limit") values (v_gate, p_limit)
            on conflict (gate) do update set "limit" = excluded."limit", at = now();
    end if;
    -- In the order in which others lock them.
    perform 1
       from pawl.flow_gate g
      where g.gate >= v_gate and g.gate < v_gate || chr(1114111) and (p_key is null or g.gate = v_gate)
      order by g.gate
        for no key update;
    for v_bucket in
        with changed as (
            update pawl.flow_gate g
               set "limit" = pawl.limit_of(g.gate, g.base), look = true
             where g.gate >= v_gate and g.gate < v_gate || chr(1114111) and (p_key is null or g.gate = v_gate)
            returning g.bucket
        )
        select distinct c.bucket from changed c
    loop
        perform pg_notify('pawl_wake', v_bucket::text);
    end loop;
    return v_gate;
end
$$;

-- Gates that runs are inside of or wait at, and limits that were set, by name of the gate; those of a tenant and those
-- that all tenants share. `waiting` counts up to 10000.
create or replace function pawl.list_limits(p_tenant int, p_workflow text, p_after text, p_limit int)
returns table (gate text, scope text, workflow text, name text, key text, "limit" int, defined int, set int,
               running int, waiting int)
language plpgsql stable set search_path = pg_catalog set plan_cache_mode = force_custom_plan set enable_seqscan = off
set jit = off as $_$
#variable_conflict use_column
begin
    return query
    select x.gate, case when p.workflow = 0 then 'tenant' else 'workflow' end, w.name,
           p.name, nullif(p.key, ''), coalesce(x."limit", x.set), x.base, x.set, coalesce(x.held, 0),
           (select count(*)::int
              from (select 1 from pawl.flow_wait q where q.gate = x.gate limit 10000) as q)
      from (
          select coalesce(g.gate, l.gate) as gate, g."limit", g.base, g.held, l."limit" as set
            from pawl.flow_gate g
            full join pawl.flow_limit l on l.gate = g.gate
      ) as x
     cross join lateral (
         select split_part(x.gate, '/', 1)::int, split_part(x.gate, '/', 2)::int, split_part(x.gate, '/', 3),
                substring(x.gate from '^[^/]*/[^/]*/[^/]*/(.*)$')
     ) as p (tenant, workflow, name, key)
      left join pawl.workflow w on w.id = p.workflow
     where p.tenant = p_tenant and (p_workflow is null or w.name = p_workflow)
       and (p_after is null or x.gate collate "C" > p_after collate "C")
     order by x.gate collate "C"
     limit p_limit;
end
$_$;
