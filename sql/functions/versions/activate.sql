-- needs: functions/base/ids

-- Makes one of the versions that a workflow has had the head again, or only active again when none is named. Makes no
-- new version. No row: there is no such workflow or version. A retired version stays retired.
create or replace function pawl.activate_workflow(p_tenant int, p_name text, p_version int default null)
returns table (id int, version int, changed boolean)
language plpgsql set search_path = pg_catalog as $$
#variable_conflict use_column
declare
    v_head pawl.definition;
    v_retired timestamptz;
begin
    perform pawl.hold_definitions(p_tenant);
    select w.id into id from pawl.workflow w where w.tenant = p_tenant and w.name = p_name;
    select d.* into v_head from pawl.definition d where d.workflow = activate_workflow.id;
    version := coalesce(p_version, v_head.version, (
        select max(v.version) from pawl.workflow_version v where v.workflow = activate_workflow.id and not v.draft
    ));
    select v.retired_at into v_retired
      from pawl.workflow_version v
     where v.workflow = activate_workflow.id and v.version = activate_workflow.version;
    if not found then
        return;
    end if;
    if v_retired is not null then
        raise exception 'version % of workflow "%" is retired', version, p_name
            using errcode = 'object_not_in_prerequisite_state',
                  hint = format('select pawl.retire_version(%s, %L, %s, p_retired => false) brings it back', p_tenant,
                                p_name, version);
    end if;
    changed := v_head.workflow is null or not v_head.active or v_head.version <> version;
    if v_head.workflow is null then
        insert into pawl.definition (tenant, name, restore) values (p_tenant, p_name, activate_workflow.version);
    elsif changed then
        update pawl.definition d set restore = activate_workflow.version, active = true
         where d.workflow = activate_workflow.id;
    end if;
    return next;
end
$$;

-- No more starts; runs under way go on. False: there is no such workflow.
create or replace function pawl.deactivate_workflow(p_tenant int, p_name text)
returns boolean
language plpgsql set search_path = pg_catalog as $$
begin
    perform pawl.hold_definitions(p_tenant);
    update pawl.definition d set restore = d.version, active = false
     where d.tenant = p_tenant and d.name = p_name and d.active;
    return exists (select 1 from pawl.definition d where d.tenant = p_tenant and d.name = p_name);
end
$$;

-- Switches a workflow off, so that nothing starts it whichever version is applied or activated, or on again (p_reason
-- null). False: there is no such workflow.
create or replace function pawl.switch_workflow(p_tenant int, p_name text, p_reason text)
returns boolean
language plpgsql set search_path = pg_catalog as $$
begin
    perform pawl.hold_definitions(p_tenant);
    update pawl.definition d
       set restore = d.version, off_reason = p_reason, active = p_reason is null
     where d.tenant = p_tenant and d.name = p_name and d.off_reason is distinct from p_reason;
    return exists (select 1 from pawl.definition d where d.tenant = p_tenant and d.name = p_name);
end
$$;

-- Lets versions be active beside the head, each with its share of the starts. Returns what is wrong; null: done.
create or replace function pawl.set_canary(p_tenant int, p_name text, p_canary jsonb)
returns text
language plpgsql set search_path = pg_catalog as $$
declare
    v_head pawl.definition;
    v_problem text;
begin
    perform pawl.hold_definitions(p_tenant);
    select d.* into v_head from pawl.definition d where d.tenant = p_tenant and d.name = p_name;
    if not found then
        return 'there is no such workflow';
    end if;
    select case when v.version is null then format('there is no version %s of it', c.version)
                when v.retired_at is not null then format('version %s is retired', c.version)
                when c.version = v_head.version then format('version %s is the head: it gets what the others leave',
                                                            c.version)
                when c.share not between 0 and 100 then format('the share of version %s must be from 0 to 100',
                                                               c.version) end
      into v_problem
      from jsonb_to_recordset(coalesce(p_canary, '[]')) as c (version int, share numeric)
      left join pawl.workflow_version v on v.workflow = v_head.workflow and v.version = c.version
     where v.version is null or v.retired_at is not null or c.version = v_head.version
        or c.share not between 0 and 100 or c.share is null
     order by c.version
     limit 1;
    if found then
        return coalesce(v_problem, 'every version needs a share');
    end if;
    if (select sum(c.share) from jsonb_to_recordset(p_canary) as c (share numeric)) > 100 then
        return 'the shares come to more than 100 percent';
    elsif (select count(*) <> count(distinct c.version) from jsonb_to_recordset(p_canary) as c (version int)) then
        return 'a version is named twice';
    end if;
    update pawl.workflow_version v
       set draft = false
     where v.workflow = v_head.workflow and v.draft
       and v.version in (select c.version from jsonb_to_recordset(p_canary) as c (version int));
    update pawl.definition d
       set restore = d.version, canary = nullif(p_canary, '[]')
     where d.workflow = v_head.workflow and d.canary is distinct from nullif(p_canary, '[]');
    return null;
end
$$;

-- The same for the same key everywhere: pawl::choose_version computes the same.
create or replace function pawl.choose_version(p_workflow int, p_head int, p_canary jsonb, p_key text) returns int
language sql immutable parallel safe
return coalesce((
    select c.version
      from (
          select (e.one -> 'version')::int as version, e.n,
                 sum(round((e.one ->> 'share')::numeric * 100)) over (order by e.n) as upto
            from jsonb_array_elements(p_canary) with ordinality as e (one, n)
      ) as c
     where pawl.place_of(p_workflow || ':' || p_key) < c.upto
     order by c.n
     limit 1
), p_head);
