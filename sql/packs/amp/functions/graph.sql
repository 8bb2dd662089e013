-- needs: packs/amp/functions/save

-- Nodes of a builder with ids. One that has a name instead keeps that as `called`, and always gets the same id.
create or replace function pawl.amp_own_nodes(p_workflow uuid, p_nodes jsonb) returns jsonb
language sql set search_path = pg_catalog
begin atomic
    select coalesce(jsonb_agg(e.value || jsonb_build_object(
               'id', case when e.value ->> 'id' is null then gen_random_uuid()
                          when pawl.is_uuid(e.value ->> 'id') then (e.value ->> 'id')::uuid
                          else md5(p_workflow || ':' || (e.value ->> 'id'))::uuid end,
               'called', e.value ->> 'id',
               'node_config', coalesce(nullif(e.value -> 'node_config', 'null'), '{}')) order by e.place), '[]')
      from jsonb_array_elements(p_nodes) with ordinality as e (value, place);
end;

-- Edges of a builder, between the ids of the nodes that they name. One without an id keeps that of the edge that is
-- there between the same nodes.
create or replace function pawl.amp_own_edges(p_workflow uuid, p_nodes jsonb, p_edges jsonb) returns jsonb
language sql set search_path = pg_catalog
begin atomic
    with node as (
        select n.value ->> 'called' as called, min(n.value ->> 'id') as id
          from jsonb_array_elements(p_nodes) as n
         group by n.value ->> 'called'
    ), edge as (
        select x.value, x.place, coalesce(f.id, x.value ->> 'from_node_id') as from_id,
               coalesce(t.id, x.value ->> 'to_node_id') as to_id,
               coalesce(x.value ->> 'source_handle', 'default') as handle
          from jsonb_array_elements(p_edges) with ordinality as x (value, place)
          left join node f on f.called = x.value ->> 'from_node_id'
          left join node t on t.called = x.value ->> 'to_node_id'
    ), there as (
        select o.from_node_id::text as from_id, o.to_node_id::text as to_id, o.source_handle as handle,
               min(o.id::text)::uuid as id
          from pawl.amp_workflow_edge o
         where o.workflow_id = p_workflow
         group by 1, 2, 3
    )
    select coalesce(jsonb_agg(e.value || jsonb_build_object(
               'id', coalesce(case when pawl.is_uuid(e.value ->> 'id') then (e.value ->> 'id')::uuid end, o.id,
                              gen_random_uuid()),
               'from_node_id', e.from_id, 'to_node_id', e.to_id) order by e.place), '[]')
      from edge e
      left join there o on o.from_id = e.from_id and o.to_id = e.to_id and o.handle = e.handle;
end;

-- A list of objects, given as one JSON list or as several values.
create or replace function pawl.amp_list(p_items jsonb[], p_what text) returns jsonb
language plpgsql stable set search_path = pg_catalog as $$
declare
    v_list jsonb;
begin
    select coalesce(jsonb_agg(e.value order by i.place, e.place), '[]') into v_list
      from unnest(p_items) with ordinality as i (item, place)
     cross join lateral jsonb_array_elements(case jsonb_typeof(i.item) when 'array' then i.item
                                                  else jsonb_build_array(i.item) end)
           with ordinality as e (value, place);
    if exists (select 1 from jsonb_array_elements(v_list) as e where jsonb_typeof(e.value) <> 'object') then
        raise exception '% must be a list of objects', p_what using errcode = 'invalid_parameter_value',
            hint = 'Nothing was saved.';
    end if;
    return v_list;
end
$$;

-- Writes the row of a workflow, new or there already, and returns it. Keys that are not given keep what they have.
create or replace function pawl.amp_put_workflow(p_workflow jsonb) returns pawl.amp_workflow
language plpgsql set search_path = pg_catalog as $$
declare
    v_row pawl.amp_workflow;
    v_taken uuid;
begin
    select w.* into v_row from pawl.amp_workflow w where w.id = (p_workflow ->> 'id')::uuid for update;
    if not found then
        v_row.id := coalesce((p_workflow ->> 'id')::uuid, gen_random_uuid());
        v_row.merchant_id := coalesce((p_workflow ->> 'merchant_id')::uuid, pawl.amp_merchant());
    end if;
    select w.id into v_taken
      from pawl.amp_workflow w
     where w.merchant_id = v_row.merchant_id and w.workflow_code = p_workflow ->> 'workflow_code' and w.id <> v_row.id;
    if found then
        raise exception 'workflow_code "%" is taken by workflow %', p_workflow ->> 'workflow_code', v_taken
            using errcode = 'unique_violation', hint = 'Give the workflow another code, or save it with that id.';
    elsif v_row.merchant_id is null then
        raise exception 'the workflow has no merchant_id' using errcode = 'not_null_violation',
            hint = 'Give it in p_workflow, or sign in as a merchant (get_current_merchant_id).';
    elsif coalesce(p_workflow ->> 'workflow_code', v_row.workflow_code, '') = ''
          or coalesce(p_workflow ->> 'name', v_row.name, '') = '' then
        raise exception 'the workflow needs a workflow_code and a name' using errcode = 'not_null_violation',
            hint = 'Like this: {"workflow_code": "welcome_series", "name": "Welcome Series"}.';
    end if;
    insert into pawl.amp_workflow as w (id, merchant_id, workflow_code, name, description, is_active, created_by)
    values (v_row.id, v_row.merchant_id, coalesce(p_workflow ->> 'workflow_code', v_row.workflow_code),
            coalesce(p_workflow ->> 'name', v_row.name),
            case when p_workflow ? 'description' then p_workflow ->> 'description' else v_row.description end,
            coalesce((p_workflow ->> 'is_active')::boolean, v_row.is_active, false),
            coalesce((p_workflow ->> 'created_by')::uuid, v_row.created_by))
        on conflict (id) do update
       set workflow_code = excluded.workflow_code, name = excluded.name, description = excluded.description,
           is_active = excluded.is_active, created_by = excluded.created_by
    returning w.* into v_row;
    return v_row;
end
$$;

-- Makes the nodes of a workflow those of p_nodes.
create or replace function pawl.amp_put_nodes(p_workflow pawl.amp_workflow, p_nodes jsonb) returns void
language plpgsql set search_path = pg_catalog as $$
declare
    v_other uuid;
begin
    select n.id into v_other
      from pawl.amp_workflow_node n
      join jsonb_array_elements(p_nodes) as e on n.id = (e.value ->> 'id')::uuid
     where n.workflow_id <> (p_workflow).id
     limit 1;
    if found then
        raise exception 'node %: it belongs to another workflow', v_other using errcode = 'unique_violation',
            hint = 'Give the node an id of its own. Nothing was saved.';
    end if;
    delete from pawl.amp_workflow_node n
     where n.workflow_id = (p_workflow).id
       and n.id not in (select (e.value ->> 'id')::uuid from jsonb_array_elements(p_nodes) as e);
    insert into pawl.amp_workflow_node as n (id, workflow_id, merchant_id, node_type, node_name, node_config,
                                             position_x, position_y)
    select (e.value ->> 'id')::uuid, (p_workflow).id, (p_workflow).merchant_id, e.value ->> 'node_type',
           e.value ->> 'node_name', e.value -> 'node_config', coalesce((e.value ->> 'position_x')::numeric, 0),
           coalesce((e.value ->> 'position_y')::numeric, 0)
      from jsonb_array_elements(p_nodes) as e
        on conflict (id) do update
       set node_type = excluded.node_type, node_name = excluded.node_name, node_config = excluded.node_config,
           position_x = excluded.position_x, position_y = excluded.position_y
     where (n.node_type, n.node_name, n.node_config, n.position_x, n.position_y) is distinct from
           (excluded.node_type, excluded.node_name, excluded.node_config, excluded.position_x, excluded.position_y);
end
$$;

-- Makes the edges of a workflow those of p_edges.
create or replace function pawl.amp_put_edges(p_workflow pawl.amp_workflow, p_edges jsonb) returns void
language plpgsql set search_path = pg_catalog as $$
begin
    delete from pawl.amp_workflow_edge e
     where e.workflow_id = (p_workflow).id
       and e.id not in (select (x.value ->> 'id')::uuid from jsonb_array_elements(p_edges) as x);
    insert into pawl.amp_workflow_edge as e (id, workflow_id, merchant_id, from_node_id, to_node_id, source_handle,
                                             edge_label)
    select (x.value ->> 'id')::uuid, (p_workflow).id, (p_workflow).merchant_id, (x.value ->> 'from_node_id')::uuid,
           (x.value ->> 'to_node_id')::uuid, coalesce(x.value ->> 'source_handle', 'default'), x.value ->> 'edge_label'
      from jsonb_array_elements(p_edges) as x
        on conflict (id) do update
       set from_node_id = excluded.from_node_id, to_node_id = excluded.to_node_id,
           source_handle = excluded.source_handle, edge_label = excluded.edge_label
     where (e.from_node_id, e.to_node_id, e.source_handle, e.edge_label) is distinct from
           (excluded.from_node_id, excluded.to_node_id, excluded.source_handle, excluded.edge_label);
end
$$;
