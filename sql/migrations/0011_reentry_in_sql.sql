-- pawl.start keeps to `reentry` like every other way to start a run, and the tasks of runs beyond the retention go with
-- them.
-- breaking: no

set local lock_timeout = '5s';

-- Starts a run in the caller's own transaction, after checking that `data` has what the workflow needs. A taken
-- correlation id gives back the run that has it, and so does a workflow that the subject may not enter again. Workers
-- are woken when the transaction commits, once however many runs it started.
create or replace function pawl.start(
    workflow text, data jsonb default '{}', correlation_id text default null, subject text default null,
    priority int default 0, start_at timestamptz default null, triggered_by text default 'sql'
) returns uuid
language plpgsql set search_path = pg_catalog as $$
#variable_conflict use_column
declare
    v_run uuid := pawl.uuid7();
    v_head pawl.definition;
    v_definition jsonb;
    v_bucket smallint;
    v_missing record;
    v_existing uuid;
begin
    select d.* into v_head from pawl.definition d where d.tenant = 1 and d.name = start.workflow;
    if not found or not v_head.active then
        raise exception 'Workflow not found: %', start.workflow
            using errcode = 'no_data_found',
                  detail = case when v_head.workflow is null then 'There is no workflow of that name.'
                                else 'The workflow is not active.' end,
                  hint = case when v_head.workflow is null then 'select name from pawl.workflow_definitions'
                              else format('select pawl.activate_workflow(1, %L)', start.workflow) end;
    end if;
    select v.definition, t.bucket into v_definition, v_bucket
      from pawl.workflow_version v
     cross join pawl.tenant t
     where v.workflow = v_head.workflow and v.version = v_head.version and t.id = v_head.tenant;
    v_missing := pawl.missing_input(v_definition, coalesce(start.data, '{}'));
    if v_missing.problem is not null then
        raise exception 'Workflow % cannot be started: %', start.workflow, v_missing.problem
            using errcode = 'invalid_parameter_value', hint = 'Correct its steps in pawl.workflow_definitions.';
    elsif v_missing.fields <> '{}' or v_missing.variables <> '{}' then
        raise exception '%', case
            when v_missing.fields <> '{}' then 'Missing required fields: ' || array_to_string(v_missing.fields, ', ')
            else format('Missing template variables: %s. These placeholders exist in workflow steps but were not '
                        'provided in data.', array_to_string(v_missing.variables, ', ')) end
            using errcode = 'invalid_parameter_value',
                  detail = 'Missing in all: ' || array_to_string(array(
                      select m.name from unnest(v_missing.fields || v_missing.variables) with ordinality as m (name, n)
                       group by m.name order by min(m.n)
                  ), ', '),
                  hint = 'Give them in data, or give the placeholders a default: {{name | default: "you"}}.';
    end if;
    select s.existing into v_existing
      from pawl.start_guarded_runs(
          v_bucket, null, false, array[v_run], array[v_head.tenant], array[v_head.workflow], array[v_head.version],
          array[nullif(start.subject, '')], array[start.priority::smallint], array[start.start_at],
          array[pawl.first_event(v_head, start.data, start.correlation_id, start.subject, start.start_at,
                                 start.triggered_by)],
          case when start.correlation_id <> '' then array[start.correlation_id] end, array[false],
          array[case v_definition ->> 'reentry' when 'once' then 1 when 'while_none_open' then 2 else 0 end]::smallint[]
      ) s;
    if v_existing is null and (start.start_at is null or start.start_at <= now()) then
        perform pg_notify('pawl_wake', v_bucket::text);
    end if;
    return coalesce(v_existing, v_run);
end
$$;

-- Drops whole weeks that ended before `p_keep` ago and hold no open run. Returns the names of
-- what was dropped.
create or replace function pawl.drop_old_partitions(p_keep interval) returns setof text
language plpgsql set search_path = pg_catalog as $$
declare
    v_week timestamptz;
    v_until uuid;
    v_name text;
    v_table text;
begin
    perform pg_advisory_xact_lock(hashtext('pawl.ensure_partitions'));
    for v_week, v_name in
        select to_timestamp(substring(c.relname from '\d{8}$') || '+00', 'YYYYMMDDTZH'),
               substring(c.relname from '\d{8}$')
          from pg_inherits i
          join pg_class c on c.oid = i.inhrelid
         where i.inhparent = 'pawl.event'::regclass and c.relname ~ '^event_\d{8}$'
    loop
        v_until := pawl.uuid7_bound(v_week + interval '1 week');
        continue when v_week + interval '1 week' > now() - p_keep;
        continue when exists (
            select 1 from pawl.live_run l where l.run_id >= pawl.uuid7_bound(v_week) and l.run_id < v_until
        );
        foreach v_table in array array['event', 'run'] loop
            execute format('drop table if exists pawl.%I', v_table || '_' || v_name);
            return next v_table || '_' || v_name;
        end loop;
        delete from pawl.correlation c where c.run_id >= pawl.uuid7_bound(v_week) and c.run_id < v_until;
        delete from pawl.dead_letter d where d.run_id >= pawl.uuid7_bound(v_week) and d.run_id < v_until;
        with gone as (
            delete from pawl.human_task t
             where t.run_id >= pawl.uuid7_bound(v_week) and t.run_id < v_until
            returning t.bucket, t.id
        )
        delete from pawl.task_decision d using gone g where d.bucket = g.bucket and d.task = g.id;
    end loop;
end
$$;
