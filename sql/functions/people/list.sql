-- needs: functions/people/names

-- Tasks of a tenant that match, newest first, from before p_before on; p_assignee in any spelling of the name. p_state
-- is that of a task, `overdue` (its time is over: it timed out, or soon will) or `decided` (not open). p_scan has no
-- effect.
create or replace function pawl.list_tasks(
    p_bucket smallint, p_tenant int, p_state text, p_assignee text, p_group text, p_workflow text, p_run uuid,
    p_before uuid, p_limit int, p_scan int
)
returns table (task pawl.human_task, workflow text)
language plpgsql stable
set search_path = pg_catalog set jit = off
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
set enable_sort = off as $$
#variable_conflict use_column
declare
    v_workflow int;
    v_person text := pawl.person_key(p_assignee);
    v_where text := 't.bucket + 0 = $1 and t.tenant = $2';
begin
    if p_workflow is not null then
        select w.id into v_workflow from pawl.workflow w where w.tenant = p_tenant and w.name = p_workflow;
        if not found then
            return;
        end if;
        v_where := v_where || ' and t.workflow = $3';
    end if;
    -- Spelled as the partial indexes have it.
    if p_state = 'open' then
        v_where := v_where || ' and t.state = 0';
    elsif p_state = 'overdue' then
        v_where := v_where || ' and (t.state + 0 = 3 or t.state + 0 = 0 and t.due_at < now())';
    elsif p_state = 'decided' then
        v_where := v_where || ' and t.state + 0 <> 0';
    elsif p_state is not null then
        v_where := v_where || ' and pawl.task_state_name(t.state) = $4';
    end if;
    if p_assignee is not null then
        v_where := v_where || ' and pawl.person_key(t.assignee) = $5';
    end if;
    if p_group is not null then
        v_where := v_where || ' and t.grp = $6';
    end if;
    if p_run is not null then
        v_where := v_where || ' and t.run_id = $7';
    end if;
    if p_before is not null then
        v_where := v_where || ' and t.id < $8';
    end if;
    return query execute format(
        'select x.task, w.name from (select t as task from pawl.human_task t where %s order by t.id desc limit $9) as x'
        ' join pawl.workflow w on w.id = (x.task).workflow order by (x.task).id desc', v_where
    ) using p_bucket, p_tenant, v_workflow, p_state, v_person, p_group, p_run, p_before, p_limit;
end
$$;
