-- Whether a filter of a trigger holds for what a form sent. Only the plain comparisons: a start in the database does
-- not wait for a worker that knows them all.
create or replace function pawl.form_filter_holds(p_filter jsonb, p_data jsonb) returns boolean
language plpgsql immutable set search_path = pg_catalog, pg_temp as $$
declare
    v_path text := regexp_replace(coalesce(p_filter ->> 'path', p_filter ->> 'field'), '^(event\.)?(data\.)?', '');
    v_found jsonb := p_data #> string_to_array(v_path, '.');
begin
    if coalesce(p_filter, 'null') = 'null' then
        return true;
    elsif p_filter ? 'all' then
        return (select coalesce(bool_and(pawl.form_filter_holds(f.value, p_data)), true)
                  from jsonb_array_elements(p_filter -> 'all') f);
    elsif p_filter ? 'any' then
        return (select coalesce(bool_or(pawl.form_filter_holds(f.value, p_data)), false)
                  from jsonb_array_elements(p_filter -> 'any') f);
    elsif p_filter ? 'not' then
        return not pawl.form_filter_holds(p_filter -> 'not', p_data);
    end if;
    case coalesce(p_filter ->> 'operator', '=')
        when '=' then return coalesce(v_found = p_filter -> 'value', false);
        when '!=' then return coalesce(v_found <> p_filter -> 'value', true);
        when 'exists' then return v_found is not null;
        when 'in' then return coalesce(p_filter -> 'value' @> jsonb_build_array(v_found), false);
        else
            raise exception 'a form is not compared with the operator %', p_filter ->> 'operator'
                using errcode = 'feature_not_supported',
                      hint = 'Use =, !=, in or exists in the filter, or publish the submission with pawl.emit.';
    end case;
end
$$;

-- What was submitted, as public.fw_form_submissions has it (id, form_id, organization_id and submission_data or data):
-- a table of the application, or a view that it makes of another one. Read as the owner of this schema, and so only
-- where its owner has at least those rights. Empty where there is none, or nothing of that organization.
create or replace function pawl.submission_data(p_form uuid, p_submission uuid, p_organization uuid) returns jsonb
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
declare
    v_table regclass := to_regclass('public.fw_form_submissions');
    v_columns text[];
    v_data text;
    v_found jsonb;
begin
    select array_agg(a.attname::text),
           min(a.attname::text) filter (where a.attname = 'submission_data')
      into v_columns, v_data
      from pg_class c
      join pg_roles r on r.oid = c.relowner
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.oid = v_table
       and (r.rolsuper
            or c.relowner in (select n.nspowner from pg_namespace n where n.nspname in ('pawl', 'public'))
            or c.relowner = (select b.datdba from pg_database b where b.datname = current_database()));
    v_data := coalesce(v_data, case when 'data' = any (v_columns) then 'data' end);
    if v_data is null or not 'id' = any (v_columns) then
        return '{}';
    end if;
    execute format(
        'select to_jsonb(s.%I) from %s s where s.id::text = $1 and %s and %s', v_data, v_table,
        case when 'form_id' = any (v_columns) then 's.form_id::text = $2' else 'true' end,
        case when 'organization_id' = any (v_columns) then 's.organization_id::text = $3' else 'true' end
    ) into v_found using p_submission::text, p_form::text, p_organization::text;
    return coalesce(nullif(v_found, 'null'), '{}');
end
$$;

-- Starts what an organization wants done with a submitted form: its active workflows with a trigger of the event
-- form_submitted whose filter holds. Returns the first run, or null when there is none; a submission that was enqueued
-- before gives back the run that it has. The run gets what was submitted, and filters see it.
create or replace function pawl.fw_enqueue_form_submission_automation(
    p_form_id uuid, p_submission_id uuid, p_organization_id uuid
) returns uuid
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    v_tenant pawl.tenant := pawl.organization_tenant(p_organization_id);
    v_before text := coalesce(current_setting('pawl.tenant', true), '');
    v_data jsonb;
    v_rule record;
    v_run uuid;
    v_first uuid;
begin
    if p_form_id is null or p_submission_id is null then
        raise exception '% is required', case when p_form_id is null then 'p_form_id' else 'p_submission_id' end
            using errcode = 'null_value_not_allowed';
    end if;
    v_data := jsonb_build_object(
        'trigger_type', 'form_submitted', 'submission_id', p_submission_id, 'form_id', p_form_id,
        'organization_id', p_organization_id,
        'submission_data', pawl.submission_data(p_form_id, p_submission_id, p_organization_id));
    -- A role that works for all tenants starts for this one; for other roles it is their own already.
    perform set_config('pawl.tenant', v_tenant.id::text, true);
    for v_rule in
        select distinct on (d.name) d.name
          from pawl.definition d
         cross join jsonb_array_elements(
             case when jsonb_typeof(d.settings -> 'triggers') = 'array' then d.settings -> 'triggers' else '[]' end
         ) as t (trigger)
         where d.tenant = v_tenant.id and d.active and t.trigger ->> 'event' = 'form_submitted'
           and pawl.form_filter_holds(t.trigger -> 'filter', v_data)
         order by d.name
    loop
        v_run := pawl.start(v_rule.name, v_data, 'form:' || p_submission_id, triggered_by => 'form_submitted');
        v_first := coalesce(v_first, v_run);
    end loop;
    perform set_config('pawl.tenant', v_before, true);
    return v_first;
end
$$;
