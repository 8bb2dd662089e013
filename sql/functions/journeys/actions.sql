-- needs: functions/journeys/tables

-- Lets action nodes run a statement under a name: select pawl.register_action('award_points',
-- 'insert into wallet_ledger (user_id, amount) values ($person::uuid, $amount)'). A word behind a $ is a value that is
-- bound, never pasted: a param of the node, or person (its subject), tenant (its name), organization, run, workflow,
-- node, key (of the step: the same for all attempts). for_tenant: for that tenant alone. schema: JSON Schema that the
-- params of a node must fit, when it is published and when it runs. The statement is parsed (check_action). Replaces
-- what was registered before. Runs with the caller's rights: for the owner of the schema.
create or replace function pawl.register_action(
    name text, statement text, for_tenant text default null, schema jsonb default null
) returns void
language plpgsql set search_path = pg_catalog as $$
#variable_conflict use_variable
declare
    v_params text[];
    v_statement text := statement;
    v_place int;
    v_unused text;
begin
    if name is null or name !~ '^[A-Za-z_][A-Za-z0-9_.-]{0,99}$' then
        raise exception 'the name of an action must be letters, digits, _, . and -, not %', quote_nullable(name)
            using errcode = 'invalid_parameter_value', hint = 'Like this: award_points.';
    elsif coalesce(btrim(statement), '') = '' then
        raise exception 'the action % needs a statement', name using errcode = 'invalid_parameter_value';
    elsif statement ~ '\$(?:[A-Za-z0-9_]|[^\x01-\x7f])*\$' or statement ~ '\$[0-9]' then
        raise exception 'the action % names its values by words behind a $, and quotes texts with ''', name
            using errcode = 'invalid_parameter_value', hint = 'Like this: values ($person, $amount).';
    elsif jsonb_typeof(schema) <> 'object' or octet_length(schema::text) > 100000 then
        raise exception 'the schema of the action % must be a JSON Schema of at most 100000 bytes', name
            using errcode = 'invalid_parameter_value',
                  hint = 'Like this: {"properties": {"amount": {"type": "integer", "minimum": 1}}}.';
    end if;
    select coalesce(array_agg(p.word order by length(p.word) desc, p.word), '{}') into v_params
      from (select distinct m[1] as word from regexp_matches(statement, '\$([a-z][a-z0-9_]*)', 'g') as m) as p;
    select k.key into v_unused
      from jsonb_object_keys(case jsonb_typeof(schema -> 'properties') when 'object' then schema -> 'properties'
                                  else '{}' end) as k (key)
     where k.key <> all (pawl.given_params(v_params))
     limit 1;
    if found and v_unused = any (v_params) then
        raise exception 'the schema of the action % names %, which a node cannot give', name, quote_literal(v_unused)
            using errcode = 'invalid_parameter_value',
                  hint = 'Every action knows it. Call a value that nodes give by another word.';
    elsif found then
        raise exception 'the schema of the action % names the param %, which its statement does not use', name,
            quote_literal(v_unused)
            using errcode = 'invalid_parameter_value', hint = 'Use it as a word behind a $, or take it out.';
    end if;
    for v_place in 1 .. cardinality(v_params) loop
        v_statement := regexp_replace(v_statement, '\$' || v_params[v_place] || '(?![a-z0-9_])', '$' || v_place, 'g');
    end loop;
    perform pawl.check_action(name, v_statement, v_params);
    insert into pawl.action as a (tenant, name, statement, params, schema)
    values (case when for_tenant is null then 0 else pawl.tenant_number(for_tenant) end, name, v_statement, v_params,
            schema)
        on conflict on constraint action_pk do update
       set statement = excluded.statement, params = excluded.params, schema = excluded.schema, updated_at = now();
end
$$;

-- Whether a text is at most one statement, as far as that can be told without a parser: quotes of texts and names, and
-- comments, hide what is between them.
create or replace function pawl.is_one_statement(p_text text) returns boolean
language sql immutable
return case when p_text !~ ';[;\s]*[^;\s]' then true
            when p_text ~ '\\|/\*' then false
            else regexp_replace(p_text, '''(?:[^'']|'''')*''|"(?:[^"]|"")*"|--[^\n\r]*', '', 'g')
                 !~ ';[;\s]*[^;\s]' end;

-- Refuses the statement of an action that is none, or that the server cannot parse: a wrong word, a table, column,
-- function or type that is not there, a param whose type cannot be told. Nothing of it runs. Names are looked up as in
-- a new session of the caller. p_statement has numbers for its params. What does more than to read and write rows, such
-- as CALL, is not parsed. Called by register_action.
create or replace function pawl.check_action(p_name text, p_statement text, p_params text[]) returns void
language plpgsql set search_path = pg_catalog as $$
declare
    v_word text := lower(substring(
        p_statement from '^(?:[\s(]|--[^\n\r]*[\n\r]|/\*(?:[^*]|\*+[^*/])*\*+/)*([A-Za-z]+)'
    ));
    v_called text := left('action ' || p_name, 63);
    v_number int;
    v_what text;
begin
    if not pawl.is_one_statement(p_statement) then
        raise exception 'the action % must be one statement', p_name using errcode = 'invalid_parameter_value',
            hint = 'Write what belongs together as one, using WITH, or as a function that it calls. With a ; in a text,'
                   ' take comments and backslashes out.';
    elsif v_word in ('call', 'notify', 'truncate', 'refresh') then
        return;
    elsif v_word is null or v_word not in ('select', 'insert', 'update', 'delete', 'merge', 'values', 'with', 'table')
    then
        raise exception 'the action % must be SQL that reads or writes rows, and begins with %', p_name,
            coalesce(quote_literal(v_word), quote_literal(left(btrim(p_statement), 20)))
            using errcode = 'syntax_error',
                  hint = 'It may be SELECT, INSERT, UPDATE, DELETE, MERGE, VALUES, WITH or CALL.';
    end if;
    -- Its own errors show the place.
    perform set_config('search_path', (select x.reset_val from pg_settings x where x.name = 'search_path'), true);
    execute format('prepare %I as %s', v_called, p_statement);
    v_number := (select cardinality(x.parameter_types) from pg_prepared_statements x where x.name = v_called);
    execute format('deallocate %I', v_called);
    if v_number < cardinality(p_params) then
        raise exception 'the action % names $% in a text', p_name, p_params[v_number + 1]
            using errcode = 'invalid_parameter_value',
                  hint = format('A text is not filled: write %L || $%s.', 'a text ', p_params[v_number + 1]);
    end if;
exception when indeterminate_datatype then
    get stacked diagnostics v_what = message_text;
    v_number := substring(v_what from '\$([0-9]+)');
    raise exception 'the type of $% in the action % cannot be told', p_params[v_number], p_name
        using errcode = 'indeterminate_datatype',
              hint = format('Write it, and outside of texts: $%s::text.', p_params[v_number]);
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
returns table (statement text, params text[], tenant text, organization uuid, schema jsonb)
language sql stable set search_path = pg_catalog as $$
    select a.statement, a.params, t.name, t.organization, a.schema
      from pawl.action a
      join pawl.tenant t on t.id = p_tenant
     where a.tenant in (p_tenant, 0) and a.name = p_name
     order by a.tenant desc
     limit 1;
$$;

-- Of the values that a statement names, those that a node gives. The others every action knows (builtins in
-- steps/action.cpp), and no node can say them.
create or replace function pawl.given_params(p_params text[]) returns text[]
language sql immutable strict parallel safe set search_path = pg_catalog
return array(
    select p.name from unnest(p_params) with ordinality as p (name, place)
     where p.name <> all (array['person', 'tenant', 'organization', 'run', 'workflow', 'node', 'key'])
     order by p.place
);

-- The actions that a tenant may use, by name, 1000 at most: its own, and those of all tenants that it has none of that
-- name for. `params` are those that a node gives: what every action knows (person, run ...) is left out.
create or replace function pawl.list_actions(p_tenant int)
returns table (name text, params text[], schema jsonb, own boolean)
language sql stable set search_path = pg_catalog as $$
    select distinct on (a.name) a.name, array(select unnest(pawl.given_params(a.params)) order by 1), a.schema,
           a.tenant <> 0
      from pawl.action a
     where a.tenant in (p_tenant, 0)
     order by a.name, a.tenant desc
     limit 1000;
$$;
