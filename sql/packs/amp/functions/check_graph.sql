-- needs: packs/amp/functions/check_names

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

-- The ways out of a node, beside those for errors.
create or replace function pawl.amp_handles(p_node jsonb) returns text[]
language sql immutable parallel safe
return case pawl.amp_kind(p_node ->> 'node_type', p_node -> 'node_config')
    when 'condition' then '{true,false}'
    when 'message' then '{default,skipped,failed}'
    when 'wait' then '{default,timeout}'::text[] || array(
        select h.handle #>> '{}' from jsonb_path_query(p_node -> 'node_config', '$.events[*].handle') as h (handle))
    when 'agent' then '{default,rejected,timeout}'::text[] || array(
        select h.handle #>> '{}' from jsonb_path_query(p_node -> 'node_config', '$.decide[*]') as h (handle))
    else '{default}'::text[]
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
               when not pawl.is_identifier(e.handle, true)
               then format('%s: the source_handle of its edge %s must be a name such as default',
                           pawl.amp_label(f.node), e.name)
               when h.wrong
               then format('%s: it has no handle "%s": a%s leaves by %s, or error', pawl.amp_label(f.node), e.handle,
                           case when f.node ->> 'node_type' like 'a%' then 'n ' else ' ' end
                           || (f.node ->> 'node_type'), array_to_string(h.handles, ', '))
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
     cross join lateral (
         select o.handles, e.handle !~ '^error(\.|$)' and e.handle <> all (o.handles) as wrong
           from (select pawl.amp_handles(f.node) as handles) as o
     ) as h
     where f.node is null or t.node is null or h.wrong or e.same > 1 or not pawl.is_identifier(e.handle, true)
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

-- A graph as numbers: node i is ids[i], and its edges lead to next[first[i]] up to next[first[i + 1] - 1].
create or replace function pawl.amp_links(
    p_nodes jsonb, p_edges jsonb, out ids uuid[], out first int[], out next int[]
)
language plpgsql immutable set search_path = pg_catalog as $$
begin
    with node as (
        select (e.value ->> 'id')::uuid as id, e.place
          from jsonb_array_elements(p_nodes) with ordinality as e (value, place)
    ), edge as (
        select f.place, t.place::int as target
          from jsonb_array_elements(p_edges) as x
          join node f on f.id = (x.value ->> 'from_node_id')::uuid
          join node t on t.id = (x.value ->> 'to_node_id')::uuid
    ), degree as (
        select n.place, count(e.target) as edges from node n left join edge e on e.place = n.place group by n.place
    )
    select (select array_agg(n.id order by n.place) from node n),
           (select array_agg(d.upto order by d.place)
              from (select g.place, 1 + sum(g.edges) over (order by g.place) - g.edges as upto from degree g
                     union all
                    select count(*) + 1, 1 + sum(g.edges) from degree g) as d),
           coalesce((select array_agg(e.target order by e.place) from edge e), '{}')
      into ids, first, next;
end
$$;

-- The nodes that runs can come to, and how many edges they are away from the entry.
create or replace function pawl.amp_reached(p_nodes jsonb, p_edges jsonb) returns table (id uuid, depth int)
language plpgsql immutable set search_path = pg_catalog as $$
declare
    v_graph record := pawl.amp_links(p_nodes, p_edges);
    v_ids uuid[] := v_graph.ids;
    v_first int[] := v_graph.first;
    v_next int[] := v_graph.next;
    v_depth int[] := array_fill(null::int, array[cardinality(v_ids)]);
    v_order int[];
    v_at int;
begin
    v_order := array[array_position(v_ids, pawl.amp_entry(p_nodes, p_edges))];
    v_depth[v_order[1]] := 0;
    for i in 1 .. cardinality(v_ids) loop
        exit when i > cardinality(v_order);
        v_at := v_order[i];
        id := v_ids[v_at];
        depth := v_depth[v_at];
        return next;
        for j in v_first[v_at] .. v_first[v_at + 1] - 1 loop
            if v_depth[v_next[j]] is null then
                v_depth[v_next[j]] := v_depth[v_at] + 1;
                v_order := v_order || v_next[j];
            end if;
        end loop;
    end loop;
end
$$;

-- A node of a circle in which no run ever waits; null: there is none. Takes nodes away that no other one of the rest
-- leads to; then goes back from one of the rest, until it must be in the circle.
create or replace function pawl.amp_circle(p_nodes jsonb, p_edges jsonb) returns uuid
language plpgsql immutable set search_path = pg_catalog as $$
declare
    v_graph record := pawl.amp_links(p_nodes, (
        select coalesce(jsonb_agg(x.value), '[]')
          from jsonb_array_elements(p_edges) as x
         where x.value ->> 'to_node_id' not in (
                   select e.value ->> 'id' from jsonb_array_elements(p_nodes) as e
                    where e.value ->> 'node_type' = 'wait')
    ));
    v_first int[] := v_graph.first;
    v_next int[] := v_graph.next;
    v_count int := cardinality(v_graph.ids);
    v_incoming int[] := array_fill(0, array[v_count]);
    v_before int[] := array_fill(0, array[v_count]);
    v_free int[];
    v_at int;
begin
    for j in 1 .. cardinality(v_next) loop
        v_incoming[v_next[j]] := v_incoming[v_next[j]] + 1;
    end loop;
    v_free := array(select u.n::int from unnest(v_incoming) with ordinality as u (edges, n) where u.edges = 0);
    for i in 1 .. v_count loop
        exit when i > coalesce(cardinality(v_free), 0);
        v_at := v_free[i];
        for j in v_first[v_at] .. v_first[v_at + 1] - 1 loop
            v_incoming[v_next[j]] := v_incoming[v_next[j]] - 1;
            if v_incoming[v_next[j]] = 0 then
                v_free := v_free || v_next[j];
            end if;
        end loop;
    end loop;
    for i in 1 .. v_count loop
        continue when v_incoming[i] = 0;
        v_at := i;
        for j in v_first[i] .. v_first[i + 1] - 1 loop
            v_before[v_next[j]] := i;
        end loop;
    end loop;
    for i in 1 .. v_count loop
        exit when v_before[v_at] = 0;
        v_at := v_before[v_at];
    end loop;
    return case when v_before[v_at] > 0 then v_graph.ids[v_at] end;
end
$$;

-- Refuses a graph that the engine could not run: one error, which names the node and says why. Both are rows of their
-- tables as JSON. Callers are amp_graph_check and the saves: it says what p_tenant has, so that no role may call it.
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
    perform pawl.amp_check_names(p_nodes, p_edges);
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
