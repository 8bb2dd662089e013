-- needs: functions/base/ids

-- The key of a gate, as src/model/flow_control.cpp renders it.
create or replace function pawl.render_key(p_text text, p_data jsonb, p_subject text) returns text
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
declare
    c_space constant text := E' \t\n\r';
    v_rest text := p_text;
    v_key text := '';
    v_end int;
    v_content text;
    v_bar int;
    v_segments jsonb;
    v_value jsonb;
    v_literal text;
begin
    while strpos(v_rest, '{{') > 0 loop
        v_key := v_key || left(v_rest, strpos(v_rest, '{{') - 1);
        v_rest := substr(v_rest, strpos(v_rest, '{{') + 2);
        v_end := pawl.placeholder_end(v_rest);
        exit when v_end = 0;
        v_content := btrim(left(v_rest, v_end - 1), c_space);
        v_rest := substr(v_rest, v_end + 2);
        v_value := null;
        v_literal := v_content;
        if left(v_content, 1) not in ('"', '''') then
            v_bar := strpos(v_content, '|');
            select p.segments into v_segments
              from pawl.parse_path(
                  btrim(case when v_bar > 0 then left(v_content, v_bar - 1) else v_content end, c_space)
              ) p;
            v_literal := case when v_bar > 0
                              then btrim(substring(v_content from 'default\s*:(.*)$'), c_space) end;
            if v_segments -> 0 ->> 1 = 'run' then
                v_value := pawl.walk(jsonb_build_object('subject', coalesce(p_subject, '')), v_segments, 1);
            end if;
            v_value := coalesce(
                v_value, pawl.walk(p_data, v_segments, case when v_segments -> 0 ->> 1 = 'input' then 1 else 0 end)
            );
        end if;
        if (v_value is null or v_value = 'null') and v_literal is not null then
            v_value := case when left(v_literal, 1) = ''''
                            then to_jsonb(substr(v_literal, 2, length(v_literal) - 2)) else v_literal::jsonb end;
        end if;
        v_key := v_key || case when v_value = 'null' then 'null' else coalesce(v_value #>> '{}', '') end;
    end loop;
    return regexp_replace(left(v_key || v_rest, 200), '[\u0001-\u001f]', ' ', 'g');
end
$$;

-- A definition is a tenant's: what it limits are runs of that tenant, whatever `scope` it gives.
create or replace function pawl.flow_ticket(p_flow jsonb, p_tenant int, p_workflow int, p_input jsonb, p_subject text)
returns jsonb
language sql immutable parallel safe set search_path = pg_catalog
return (
    with entry as (
        select e.kind, e.value, e.n,
               format(
                   '%s/%s/%s/%s', p_tenant,
                   case when coalesce(e.value ->> 'scope', 'workflow') = 'workflow' then p_workflow else 0 end,
                   coalesce(e.value ->> 'name', e.name),
                   pawl.render_key(coalesce(e.value ->> 'key', ''), p_input, p_subject)
               ) as gate
          from (
              select 'slot', s.value, s.n, case when s.n = 1 then 'concurrency' else 'concurrency_' || s.n end
                from jsonb_array_elements(
                    case jsonb_typeof(p_flow -> 'concurrency') when 'object'
                         then jsonb_build_array(p_flow -> 'concurrency') else p_flow -> 'concurrency' end
                ) with ordinality as s (value, n)
              union all
              select 'rate', p_flow -> 'rate', 1, 'rate' where jsonb_typeof(p_flow -> 'rate') = 'object'
              union all
              select 'gather', p_flow -> g.kind, 1, g.kind
                from (values ('batch'), ('debounce')) as g (kind)
               where jsonb_typeof(p_flow -> g.kind) = 'object'
          ) as e (kind, value, n, name)
    )
    select nullif(jsonb_strip_nulls(jsonb_build_object(
        'slots', (
            select jsonb_agg(jsonb_build_array(e.gate, (e.value ->> 'limit')::int) order by e.n)
              from entry e where e.kind = 'slot'
        ),
        'free', (select true where p_flow ->> 'while_waiting' = 'free' and p_flow ? 'concurrency'),
        'rate', (
            select jsonb_build_array(
                       e.gate, (e.value ->> 'limit')::int, pawl.duration_ms(e.value -> 'per') * 1000,
                       coalesce((e.value ->> 'burst')::int, 1), coalesce(e.value ->> 'over', 'wait') = 'drop'
                   )
              from entry e where e.kind = 'rate'
        ),
        'gather', (
            select jsonb_build_array(
                       e.gate, coalesce((e.value ->> 'size')::int, 0),
                       coalesce(pawl.duration_ms(e.value -> 'period'), 0) * 1000,
                       coalesce(pawl.duration_ms(e.value -> 'max_wait'), 0) * 1000
                   )
              from entry e where e.kind = 'gather'
        )
    )), '{}')
);

-- The tickets of runs that are started by SQL, in the order of the arrays, and event 0 with them; p_flow is empty and
-- nothing is changed when no workflow among them has limits.
create or replace function pawl.tickets_for(
    p_workflow int[], p_version int[], p_tenant int[], p_subject text[], p_data jsonb[], out flow jsonb[],
    out data jsonb[]
)
language plpgsql stable set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set jit = off as $$
begin
    flow := '{}';
    data := p_data;
    if not exists (
        select 1
          from (select distinct u.workflow, u.version from unnest(p_workflow, p_version) as u (workflow, version)) as u
         cross join lateral (
             select 1 from pawl.workflow_version v
              where v.workflow = u.workflow and v.version = u.version and v.definition ? 'flow'
             offset 0
         ) as v
    ) then
        return;
    end if;
    select array_agg(t.ticket order by u.n),
           array_agg(
               case when t.ticket is null then u.data
                    else u.data || jsonb_build_object('flow', t.ticket)
                         || case when v.flow ? 'batch'
                                 then jsonb_build_object(
                                          'input', jsonb_build_object('items', jsonb_build_array(u.data -> 'input'))
                                      )
                                 else '{}' end
               end order by u.n
           )
      into flow, data
      from unnest(p_workflow, p_version, p_tenant, p_subject, p_data) with ordinality
           as u (workflow, version, tenant, subject, data, n)
      left join lateral (
          select w.definition -> 'flow' as flow
            from pawl.workflow_version w
           where w.workflow = u.workflow and w.version = u.version
          offset 0
      ) as v on true
     cross join lateral (
         select case when v.flow is not null
                     then pawl.flow_ticket(v.flow, u.tenant, u.workflow, u.data -> 'input', u.subject) end
     ) as t (ticket);
end
$$;

-- Inconsistencies: gates that count wrongly, that have room while runs wait and are not marked, or that are left
-- behind; runs that wait nowhere, and the reverse. No rows on a system that works. Reads all open runs.
create or replace function pawl.flow_problems(p_bucket smallint) returns table (gate text, problem text)
language plpgsql stable set search_path = pg_catalog set jit = off as $$
#variable_conflict use_column
begin
    return query
    with inside as (
        select s.slot ->> 0 as gate, count(*)::int as count
          from pawl.live_run l
         cross join lateral jsonb_array_elements(l.flow -> 'slots') as s (slot)
         where l.bucket = p_bucket and l.slot = 1
         group by 1
    )
    select coalesce(g.gate, i.gate), format('counts %s, and %s are inside', coalesce(g.held, 0), coalesce(i.count, 0))
      from (select * from pawl.flow_gate o where o.bucket = p_bucket) as g
      full join inside i on i.gate = g.gate
     where coalesce(g.held, 0) <> coalesce(i.count, 0)
    union all
    select g.gate, 'has room while runs wait'
      from pawl.flow_gate g
     where g.bucket = p_bucket and (g.held < g."limit" and not g.look or not g.waited)
       and exists (select 1 from pawl.flow_wait w where w.bucket = p_bucket and w.gate = g.gate)
    union all
    select g.gate, 'is left behind'
      from pawl.flow_gate g
     where g.bucket = p_bucket and g.held = 0 and not g.look
       and not exists (select 1 from pawl.flow_wait w where w.bucket = p_bucket and w.gate = g.gate)
    union all
    select w.gate, format('run %s waits, and %s', w.run_id,
                          case when l.run_id is null then 'is not queued' else 'the gate is not there' end)
      from pawl.flow_wait w
      left join pawl.live_run l on l.bucket = w.bucket and l.run_id = w.run_id and l.state = 3
     where w.bucket = p_bucket
       and (l.run_id is null
            or not exists (select 1 from pawl.flow_gate g where g.bucket = w.bucket and g.gate = w.gate))
    union all
    select l.flow -> 'slots' -> 0 ->> 0, format('run %s is queued and waits nowhere', l.run_id)
      from pawl.live_run l
     where l.bucket = p_bucket and l.state = 3
       and not exists (select 1 from pawl.flow_wait w where w.bucket = p_bucket and w.run_id = l.run_id);
end
$$;
