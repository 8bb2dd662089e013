-- needs: packs/amp/functions/check

-- Refuses nodes of which one is wrong. p_nodes: rows of amp_workflow_node as JSON.
create or replace function pawl.amp_check_nodes(p_tenant int, p_nodes jsonb) returns void
language plpgsql stable set search_path = pg_catalog as $$
declare
    c_types constant text[] := '{trigger,condition,message,wait,api_call,action,agent}';
    v_node jsonb;
    v_what text;
begin
    select n.value, n.what into v_node, v_what
      from (
          select e.value, e.place, case
                     when e.value ->> 'id' is null then 'it has no id'
                     when count(*) over (partition by e.value ->> 'id') > 1 then 'its id is used twice'
                     when coalesce(e.value ->> 'node_type', '') <> all (c_types)
                     then format('%s is not a node type: use one of %s', coalesce(e.value -> 'node_type', 'null'),
                                 array_to_string(c_types, ', '))
                     else pawl.amp_node_problem(p_tenant, e.value ->> 'node_type', e.value -> 'node_config') end as what
            from jsonb_array_elements(p_nodes) with ordinality as e (value, place)
      ) as n
     where n.what is not null
     order by n.place
     limit 1;
    if v_what is not null then
        perform pawl.refuse_definition(format('%s: %s', pawl.amp_label(v_node), v_what), 'Nothing was saved.');
    end if;
end
$$;

-- The ways out of a node; errors have one too.
create or replace function pawl.amp_handles(p_node jsonb) returns text[]
language sql immutable parallel safe
return case pawl.amp_kind(p_node ->> 'node_type', p_node -> 'node_config')
    when 'condition' then '{true,false,error}'
    when 'message' then '{default,skipped,failed,error}'
    when 'wait' then '{default,timeout,error}'::text[] || array(
        select h.handle #>> '{}' from jsonb_path_query(p_node -> 'node_config', '$.events[*].handle') as h (handle))
    when 'agent' then null
    else '{default,error}'::text[]
end;

-- Refuses edges of which one is wrong.
create or replace function pawl.amp_check_edges(p_nodes jsonb, p_edges jsonb) returns void
language plpgsql stable set search_path = pg_catalog as $$
declare
    v_what text;
begin
    select case
               when f.node is null then format('edge %s begins at node %s, which is not there', e.name,
                                               coalesce(e.value ->> 'from_node_id', 'null'))
               when t.node is null then format('%s: its edge %s leads nowhere: there is no node %s',
                                               pawl.amp_label(f.node), e.name,
                                               coalesce(e.value ->> 'to_node_id', 'null'))
               when e.handle <> all (h.handles)
               then format('%s: it has no handle "%s": a %s leaves by %s', pawl.amp_label(f.node), e.handle,
                           f.node ->> 'node_type', array_to_string(h.handles, ', '))
               else format('%s: two edges lead to %s by the handle "%s"', pawl.amp_label(f.node),
                           pawl.amp_label(t.node), e.handle) end
      into v_what
      from (
          select x.value, x.place, coalesce(x.value ->> 'id', 'number ' || x.place) as name,
                 coalesce(x.value ->> 'source_handle', 'default') as handle,
                 count(*) over (partition by x.value ->> 'from_node_id', x.value ->> 'to_node_id',
                                             coalesce(x.value ->> 'source_handle', 'default')) as same
            from jsonb_array_elements(p_edges) with ordinality as x (value, place)
      ) as e
      left join jsonb_array_elements(p_nodes) as f (node) on f.node ->> 'id' = e.value ->> 'from_node_id'
      left join jsonb_array_elements(p_nodes) as t (node) on t.node ->> 'id' = e.value ->> 'to_node_id'
     cross join lateral (select pawl.amp_handles(f.node) as handles) as h
     where f.node is null or t.node is null or e.handle <> all (h.handles) or e.same > 1
     order by e.place
     limit 1;
    if found then
        perform pawl.refuse_definition(v_what, 'Nothing was saved.');
    end if;
end
$$;

-- The id of the node where runs begin: the one without incoming edges. Of several, the only trigger. Null: none.
create or replace function pawl.amp_entry(p_nodes jsonb, p_edges jsonb) returns uuid
language sql immutable parallel safe
return (
    select case when count(*) = 1 then min(n.id) when count(*) filter (where n.starts) = 1
                then min(n.id) filter (where n.starts) end::uuid
      from (
          select e.value ->> 'id' as id, e.value ->> 'node_type' = 'trigger' as starts
            from jsonb_array_elements(p_nodes) as e
           where not exists (select 1 from jsonb_array_elements(p_edges) as x
                              where x.value ->> 'to_node_id' = e.value ->> 'id')
      ) as n
);

-- The nodes that runs can come to, and how many edges they are away from the entry.
create or replace function pawl.amp_reached(p_nodes jsonb, p_edges jsonb) returns table (id uuid, depth int)
language sql immutable set search_path = pg_catalog
begin atomic
    with recursive way (id, path) as (
        select pawl.amp_entry(p_nodes, p_edges), 0
         union
        select (x.value ->> 'to_node_id')::uuid, w.path + 1
          from way w
          join jsonb_array_elements(p_edges) as x on (x.value ->> 'from_node_id')::uuid = w.id
         where w.path < jsonb_array_length(p_nodes)
    )
    select w.id, min(w.path) from way w group by w.id;
end;

-- A node of a circle in which no run ever waits; null: there is none.
create or replace function pawl.amp_circle(p_nodes jsonb, p_edges jsonb) returns uuid
language plpgsql immutable set search_path = pg_catalog as $$
declare
    v_left text[] := array(
        select e.value ->> 'id' from jsonb_array_elements(p_nodes) as e where e.value ->> 'node_type' <> 'wait');
    v_fewer text[];
begin
    loop
        -- Nodes that no other one of the rest leads to, or that lead to none, are in no circle.
        v_fewer := array(
            select u.id
              from unnest(v_left) as u (id)
             where exists (select 1 from jsonb_array_elements(p_edges) as x
                            where x.value ->> 'to_node_id' = u.id and x.value ->> 'from_node_id' = any (v_left))
               and exists (select 1 from jsonb_array_elements(p_edges) as x
                            where x.value ->> 'from_node_id' = u.id and x.value ->> 'to_node_id' = any (v_left)));
        exit when cardinality(v_fewer) = cardinality(v_left);
        v_left := v_fewer;
    end loop;
    return v_left[1]::uuid;
end
$$;

-- Refuses a graph that the engine could not run: one error, which names the node and says why. Both are rows of their
-- tables as JSON. Callers are bff_upsert_amp_workflow_with_graph and the saves.
create or replace function pawl.amp_check_graph(p_tenant int, p_nodes jsonb, p_edges jsonb) returns void
language plpgsql stable security definer set search_path = pg_catalog, pg_temp set jit = off as $$
declare
    v_entry uuid;
    v_node jsonb;
begin
    if p_nodes = '[]' then
        perform pawl.refuse_definition('the workflow has no node to begin with', 'Add a node of the type trigger.');
    end if;
    perform pawl.amp_check_nodes(p_tenant, p_nodes);
    perform pawl.amp_check_edges(p_nodes, p_edges);
    v_entry := pawl.amp_entry(p_nodes, p_edges);
    if v_entry is null then
        perform pawl.refuse_definition(
            coalesce('there is no entry: runs could begin at ' || (
                select string_agg(pawl.amp_label(e.value), ' and ' order by e.place)
                  from jsonb_array_elements(p_nodes) with ordinality as e (value, place)
                 where not exists (select 1 from jsonb_array_elements(p_edges) as x
                                    where x.value ->> 'to_node_id' = e.value ->> 'id')),
                'there is no entry: an edge leads to every node, also to ' || pawl.amp_label(p_nodes -> 0)),
            'Runs begin at the one node that no edge leads to, or at the trigger among several.');
    end if;
    select e.value into v_node
      from jsonb_array_elements(p_nodes) with ordinality as e (value, place)
     where (e.value ->> 'id')::uuid not in (select r.id from pawl.amp_reached(p_nodes, p_edges) r)
     order by e.place
     limit 1;
    if found then
        perform pawl.refuse_definition(
            format('%s: no run comes to it: no edge leads there from the entry', pawl.amp_label(v_node)),
            'Lead an edge to it, or take it out.');
    end if;
    select e.value into v_node
      from jsonb_array_elements(p_nodes) as e
     where (e.value ->> 'id')::uuid = pawl.amp_circle(p_nodes, p_edges);
    if found then
        perform pawl.refuse_definition(
            format('%s: it is part of a circle without a wait, which would never end', pawl.amp_label(v_node)),
            'Put a node of the type wait into the circle, or take an edge out.');
    end if;
end
$$;
