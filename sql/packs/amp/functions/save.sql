-- needs: packs/amp/functions/merchants
-- needs: packs/amp/functions/definition
-- needs: packs/amp/functions/watch
-- needs: functions/versions/apply
-- needs: functions/versions/activate
-- needs: functions/versions/parts

-- Trigger on the tables of journeys, before the others: a row is the session's own merchant's, unless the session sees
-- all. Runs with the caller's rights, as amp_merchant has to, and before anything is looked up for the merchant: what
-- is refused says nothing about whether that one exists.
create or replace function pawl.amp_own_row() returns trigger
language plpgsql set search_path = pg_catalog as $$
begin
    if tg_op = 'UPDATE' and new.merchant_id = old.merchant_id or pawl.current_tenant() is not null
       or pawl.amp_sees_all() then
        return new;
    end if;
    new.merchant_id := coalesce(new.merchant_id, pawl.amp_merchant());
    if new.merchant_id is null then
        raise exception 'the row has no merchant_id' using errcode = 'insufficient_privilege',
            hint = 'Give it, or sign in as a merchant (get_current_merchant_id).';
    elsif new.merchant_id is distinct from pawl.amp_merchant() then
        raise exception 'merchant % is another one', new.merchant_id using errcode = 'insufficient_privilege';
    end if;
    return new;
end
$$;

-- Trigger on amp_workflow, before a row is written: whose it is, its workflow in Pawl, and that it changed.
create or replace function pawl.amp_prepare_workflow() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    if tg_op = 'UPDATE' then
        if (new.id, new.merchant_id) is distinct from (old.id, old.merchant_id) then
            raise exception 'workflow % keeps its id and its merchant', old.id using errcode = 'check_violation',
                hint = 'select bff_duplicate_amp_workflow(...) makes another workflow of it.';
        end if;
        new.tenant := old.tenant;
        new.workflow := old.workflow;
        new.changes := old.changes + 1;
        new.updated_at := now();
        return new;
    end if;
    new.tenant := pawl.amp_tenant(new.merchant_id);
    new.changes := 0;
    if coalesce(new.workflow_code, '') = '' or coalesce(new.name, '') = '' then
        raise exception 'the workflow needs a workflow_code and a name' using errcode = 'not_null_violation',
            hint = 'Like this: insert into amp_workflow (merchant_id, workflow_code, name) values (...)';
    end if;
    if exists (select 1 from pawl.amp_workflow w
                where w.id = new.id or w.merchant_id = new.merchant_id and w.workflow_code = new.workflow_code) then
        -- A constraint says so, or ON CONFLICT goes another way: no workflow is made for it.
        new.workflow := 0;
        return new;
    end if;
    perform pawl.hold_definitions(new.tenant);
    new.workflow := pawl.workflow_id(new.tenant, pawl.amp_name(new.tenant, new.workflow_code, new.id));
    return new;
end
$$;

create or replace trigger amp_workflow_prepare before insert or update on pawl.amp_workflow
for each row execute function pawl.amp_prepare_workflow();

-- By its name it fires before the other.
create or replace trigger amp_workflow_own before insert or update on pawl.amp_workflow
for each row execute function pawl.amp_own_row();

-- Trigger on the rows of a graph and on lines of the log, before one is written: whose it is. Without a merchant it is
-- its workflow's. The workflow of another merchant is none.
create or replace function pawl.amp_prepare_part() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    select w.tenant, coalesce(new.merchant_id, w.merchant_id) into new.tenant, new.merchant_id
      from pawl.amp_workflow w
     where w.id = new.workflow_id and w.merchant_id = coalesce(new.merchant_id, w.merchant_id);
    if not found then
        raise exception 'there is no workflow %', coalesce(new.workflow_id::text, 'null')
            using errcode = 'foreign_key_violation', hint = 'Insert its row of amp_workflow first.';
    elsif tg_table_name = 'amp_workflow_node' and tg_op = 'UPDATE' then
        new.updated_at := now();
    end if;
    return new;
end
$$;

-- Trigger on the rows of a graph, after a statement: their workflows have changed.
create or replace function pawl.amp_touch() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    if tg_op = 'DELETE' then
        update pawl.amp_workflow w set changes = w.changes where w.id in (select o.workflow_id from amp_old o);
    else
        update pawl.amp_workflow w set changes = w.changes where w.id in (select n.workflow_id from amp_new n);
    end if;
    return null;
end
$$;

do $$
declare
    v_table text;
    v_operation text;
begin
    create or replace trigger amp_event_prepare before insert on pawl.amp_event
    for each row execute function pawl.amp_prepare_part();
    create or replace trigger amp_event_own before insert on pawl.amp_event
    for each row execute function pawl.amp_own_row();
    foreach v_table in array array['amp_workflow_node', 'amp_workflow_edge', 'amp_workflow_trigger'] loop
        execute format('create or replace trigger %1$s_prepare before insert or update on pawl.%1$s'
                       ' for each row execute function pawl.amp_prepare_part()', v_table);
        execute format('create or replace trigger %1$s_own before insert or update on pawl.%1$s'
                       ' for each row execute function pawl.amp_own_row()', v_table);
        foreach v_operation in array array['insert', 'update', 'delete'] loop
            execute format('create or replace trigger %1$s_%2$s after %2$s on pawl.%1$s referencing %3$s'
                           ' for each statement execute function pawl.amp_touch()', v_table, v_operation,
                           case v_operation when 'delete' then 'old table as amp_old' else 'new table as amp_new' end);
        end loop;
    end loop;
end
$$;

-- What the log has to know of the nodes of a version. An action that sends a message is one.
create or replace function pawl.amp_keep_nodes(p_workflow pawl.amp_workflow) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    v_nodes pawl.amp_known_node[] := array(
        select row(pawl.amp_step_name(n.id),
                   case pawl.amp_kind(n.node_type, n.node_config) when 'message' then 'message' else n.node_type end,
                   pawl.amp_action(n.node_type, n.node_config), n.id, n.tenant)::pawl.amp_known_node
          from pawl.amp_workflow_node n
         where n.workflow_id = (p_workflow).id
    );
begin
    delete from pawl.amp_known_node k
     using unnest(v_nodes) as u
     where k.node = u.node and (k.node_type, k.action_type) is distinct from (u.node_type, u.action_type);
    insert into pawl.amp_known_node select u.* from unnest(v_nodes) as u on conflict do nothing;
end
$$;

-- Refuses a workflow that is to be active when a node names what its merchant does not have: an action, a template.
create or replace function pawl.amp_check_parts(p_workflow pawl.amp_workflow, p_nodes jsonb) returns void
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
declare
    v_missing record;
begin
    select m.problem, m.remedy, to_jsonb(n) as node into v_missing
      from pawl.missing_parts((p_workflow).tenant, p_nodes) as m
      join pawl.amp_workflow_node n on n.workflow_id = (p_workflow).id and pawl.amp_step_name(n.id) = m.node
     order by m.place
     limit 1;
    if found then
        perform pawl.refuse_definition(format('%s: %s', pawl.amp_label(v_missing.node), v_missing.problem),
                                       coalesce(v_missing.remedy, 'Or save the workflow as one that is not active.'));
    end if;
end
$$;

-- Makes a version of what the rows of a workflow say. One that is not active is a draft, and while its graph is not
-- whole there is none.
create or replace function pawl.amp_save(p_workflow pawl.amp_workflow) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    v_name text := (select w.name from pawl.workflow w where w.id = (p_workflow).workflow);
    v_definition jsonb;
begin
    if (p_workflow).is_active then
        perform pawl.amp_check_triggers((p_workflow).id);
        perform pawl.amp_watch(t.trigger_table, t.trigger_operation)
           from pawl.amp_workflow_trigger t
          where t.workflow_id = (p_workflow).id and t.is_active;
        v_definition := pawl.amp_definition(p_workflow);
        perform pawl.amp_check_parts(p_workflow, v_definition -> 'nodes');
        perform pawl.apply_workflow(v_name, v_definition, (p_workflow).tenant);
    else
        perform pawl.deactivate_workflow((p_workflow).tenant, v_name);
        begin
            v_definition := pawl.amp_definition(p_workflow);
        exception when invalid_parameter_value then
            return;
        end;
        perform pawl.save_draft((p_workflow).tenant, v_name, v_definition);
    end if;
    perform pawl.amp_keep_nodes(p_workflow);
end
$$;

-- Trigger on amp_workflow at the end of a transaction: the last of its changes saves a version.
create or replace function pawl.amp_save_last() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    v_workflow pawl.amp_workflow;
begin
    if tg_op = 'DELETE' then
        perform pawl.deactivate_workflow(old.tenant, w.name) from pawl.workflow w where w.id = old.workflow;
        return null;
    end if;
    select w.* into v_workflow from pawl.amp_workflow w where w.id = new.id and w.changes = new.changes;
    if found then
        perform pawl.amp_save(v_workflow);
    end if;
    return null;
end
$$;

do $$
begin
    if not exists (select 1 from pg_trigger g
                    where g.tgrelid = 'pawl.amp_workflow'::regclass and g.tgname = 'amp_workflow_saved_check') then
        create constraint trigger amp_workflow_saved_check after insert or update or delete on pawl.amp_workflow
        deferrable initially deferred for each row execute function pawl.amp_save_last();
    end if;
end
$$;
