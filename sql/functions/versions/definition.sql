-- The number of a workflow by its name; made when there is none.
create or replace function pawl.workflow_id(p_tenant int, p_name text) returns int
language plpgsql set search_path = pg_catalog as $$
declare
    v_id int;
begin
    select w.id into v_id from pawl.workflow w where w.tenant = p_tenant and w.name = p_name;
    if not found then
        insert into pawl.workflow (tenant, name) values (p_tenant, p_name) returning id into v_id;
    end if;
    return v_id;
end
$$;

-- The other way round. Whatever a column cannot hold exactly goes to settings.
create or replace function pawl.definition_head(p_definition jsonb) returns pawl.definition
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
declare
    v_head pawl.definition;
    v_rest jsonb := p_definition - 'name';
    v_key text;
begin
    v_head.name := p_definition ->> 'name';
    if jsonb_typeof(v_rest -> 'description') = 'string' then
        v_head.description := v_rest ->> 'description';
        v_rest := v_rest - 'description';
    end if;
    if v_rest ? 'steps' then
        v_head.steps := v_rest -> 'steps';
        v_rest := v_rest - 'steps';
    else
        v_head.steps := v_rest -> 'nodes';
        v_rest := v_rest || '{"nodes": true}';
    end if;
    v_head.required_fields := '{}';
    if jsonb_typeof(v_rest -> 'required_fields') = 'array' and v_rest -> 'required_fields' <> '[]' then
        v_head.required_fields := array(select jsonb_array_elements_text(v_rest -> 'required_fields'));
        v_rest := v_rest - 'required_fields';
    end if;
    if v_rest ? 'timeout' then
        v_head.timeout_seconds := ceil(pawl.duration_ms(v_rest -> 'timeout') / 1000.0);
    elsif pawl.is_whole(v_rest -> 'timeout_seconds') then
        v_head.timeout_seconds := v_rest -> 'timeout_seconds';
        v_rest := v_rest - 'timeout_seconds';
    end if;
    if pawl.is_whole(v_rest -> 'visibility_timeout') then
        v_head.visibility_timeout := v_rest -> 'visibility_timeout';
        v_rest := v_rest - 'visibility_timeout';
    end if;
    if pawl.is_whole(v_rest -> 'max_retries') then
        v_head.max_retries := v_rest -> 'max_retries';
        v_rest := v_rest - 'max_retries';
    end if;
    v_head.settings := v_rest;
    return pawl.in_listed_form(v_head);
end
$$;

-- The definition JSON of a head, as pawl.workflow_version stores it.
create or replace function pawl.definition_json(p_head pawl.definition) returns jsonb
language sql immutable parallel safe
return (
    select jsonb_object_agg(m.key, m.value)
      from (
          select 'name', to_jsonb((p_head).name)
           union all
          select 'description', to_jsonb((p_head).description)
           union all
          select case when (p_head).settings ? 'nodes' then 'nodes' else 'steps' end, (p_head).steps
           union all
          select 'required_fields', to_jsonb(nullif((p_head).required_fields, '{}'))
           union all
          select 'timeout_seconds', to_jsonb((p_head).timeout_seconds) where not (p_head).settings ? 'timeout'
           union all
          select 'visibility_timeout', to_jsonb((p_head).visibility_timeout)
           union all
          select 'max_retries', to_jsonb((p_head).max_retries)
           union all
          select s.key, s.value from jsonb_each((p_head).settings - 'nodes') as s
      ) as m (key, value)
     where m.value is not null
);
