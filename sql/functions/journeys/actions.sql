-- needs: functions/journeys/tables

-- Lets action nodes run a statement under a name: select pawl.register_action('award_points',
-- 'insert into wallet_ledger (user_id, amount) values ($person::uuid, $amount)'). A word behind a $ is a value that is
-- bound, never pasted: a param of the node, or person (its subject), tenant (its name), organization, run, workflow,
-- node, key (of the step: the same for all attempts). for_tenant: for that tenant alone. Replaces what was registered
-- before. Runs with the caller's rights: for the owner of the schema.
create or replace function pawl.register_action(name text, statement text, for_tenant text default null) returns void
language plpgsql set search_path = pg_catalog as $$
#variable_conflict use_variable
declare
    v_params text[];
    v_statement text := statement;
    v_place int;
begin
    if name is null or name !~ '^[A-Za-z_][A-Za-z0-9_.-]{0,99}$' then
        raise exception 'the name of an action must be letters, digits, _, . and -, not %', quote_nullable(name)
            using errcode = 'invalid_parameter_value', hint = 'Like this: award_points.';
    elsif coalesce(btrim(statement), '') = '' then
        raise exception 'the action % needs a statement', name using errcode = 'invalid_parameter_value';
    elsif statement ~ '\$[A-Za-z_]*\$' or statement ~ '\$[0-9]' then
        raise exception 'the action % names its values by words behind a $, and quotes texts with ''', name
            using errcode = 'invalid_parameter_value', hint = 'Like this: values ($person, $amount).';
    end if;
    select coalesce(array_agg(p.word order by length(p.word) desc, p.word), '{}') into v_params
      from (select distinct m[1] as word from regexp_matches(statement, '\$([a-z][a-z0-9_]*)', 'g') as m) as p;
    for v_place in 1 .. cardinality(v_params) loop
        v_statement := regexp_replace(v_statement, '\$' || v_params[v_place] || '(?![a-z0-9_])', '$' || v_place, 'g');
    end loop;
    insert into pawl.action as a (tenant, name, statement, params)
    values (case when for_tenant is null then 0 else pawl.tenant_number(for_tenant) end, name, v_statement, v_params)
        on conflict on constraint action_pk do update
       set statement = excluded.statement, params = excluded.params, updated_at = now();
end
$$;

-- Takes an action away. True when it was there.
create or replace function pawl.unregister_action(name text, for_tenant text default null) returns boolean
language plpgsql set search_path = pg_catalog as $$
#variable_conflict use_variable
begin
    delete from pawl.action a
     where a.tenant = case when for_tenant is null then 0 else pawl.tenant_number(for_tenant) end and a.name = name;
    return found;
end
$$;

-- What the action of a tenant runs, and what the tenant is called; no row: there is no such action.
create or replace function pawl.find_action(p_tenant int, p_name text)
returns table (statement text, params text[], tenant text, organization uuid)
language sql stable set search_path = pg_catalog as $$
    select a.statement, a.params, t.name, t.organization
      from pawl.action a
      join pawl.tenant t on t.id = p_tenant
     where a.tenant in (p_tenant, 0) and a.name = p_name
     order by a.tenant desc
     limit 1;
$$;
