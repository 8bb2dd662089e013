-- needs: functions/people/names

-- Whether a person may decide: one of the approvers, or the assignee, or every person when none is named.
create or replace function pawl.may_decide(p_task pawl.human_task, p_by text) returns boolean
language sql immutable parallel safe
return not pawl.is_among((p_task).excluded, p_by)
       and case when cardinality((p_task).approvers) > 0
                then pawl.is_among((p_task).approvers || (p_task).escalated_to, p_by)
                else coalesce(pawl.is_same_person((p_task).assignee, p_by), true) end;

-- People and API keys that did something about a task, as it says itself. Called by lists of tasks, for the names of
-- keys.
create or replace function pawl.who_acted(p_task pawl.human_task) returns text[]
language sql immutable parallel safe
return (p_task).approved_by || (p_task).rejected_by || (p_task).claimed_by || (p_task).decided_by;

-- What one person's yes or no makes of a task. One person has one vote, and may change it while the task is open.
create or replace function pawl.vote_on_task(p_task pawl.human_task, p_yes boolean, p_by text, p_alone boolean)
returns pawl.human_task
language plpgsql immutable parallel safe
set search_path = pg_catalog as $$
declare
    v_task pawl.human_task := p_task;
begin
    v_task.claimed_by := null;
    v_task.approved_by := pawl.replace_person(v_task.approved_by, p_by, null);
    v_task.rejected_by := pawl.replace_person(v_task.rejected_by, p_by, null);
    if p_yes then
        v_task.approved_by := v_task.approved_by || p_by;
    else
        v_task.rejected_by := v_task.rejected_by || p_by;
    end if;
    if p_yes and (p_alone or cardinality(v_task.approved_by) >= v_task.approvals_needed) then
        v_task.state := 1;
    elsif not p_yes and (p_alone or cardinality(v_task.rejected_by) >= v_task.rejections_needed) then
        v_task.state := 2;
    end if;
    return v_task;
end
$$;

-- What handing a task on to p_to makes of it: the seat of p_by among the approvers, or the whole task. p_alone: it went
-- to p_by after the others.
create or replace function pawl.delegate_task(p_task pawl.human_task, p_by text, p_to text, p_alone boolean)
returns pawl.human_task
language plpgsql immutable parallel safe
set search_path = pg_catalog as $$
declare
    v_task pawl.human_task := p_task;
begin
    v_task.claimed_by := null;
    if p_alone and cardinality(v_task.approvers) > 0 then
        v_task.escalated_to := p_to;
        v_task.assignee := p_to;
    elsif cardinality(v_task.approvers) = 0 then
        v_task.assignee := p_to;
    else
        v_task.approvers := pawl.replace_person(v_task.approvers, p_by, p_to);
    end if;
    return v_task;
end
$$;

-- Why a person may not do this to a task, in the words of act_on_task; null: the person may. p_by and p_to are names as
-- person_name makes them. Reads the row that it is given, and nothing else.
create or replace function pawl.refusal_to_act(
    p_task pawl.human_task, p_action text, p_by text, p_to text, p_force boolean
) returns text
language plpgsql stable set search_path = pg_catalog as $$
declare
    v_claims boolean := pawl.is_same_person(p_task.claimed_by, p_by);  -- null: the task is not claimed
    v_alone boolean := coalesce(pawl.is_same_person(p_task.escalated_to, p_by), false);
begin
    if p_task.id is null then
        return 'not_found';
    elsif p_task.state <> 0 then
        return 'closed';
    elsif p_task.due_at <= now() then
        return 'late';
    -- Whatever rights a person has: the requester does not decide.
    elsif p_action in ('approve', 'reject', 'claim') and pawl.is_among(p_task.excluded, p_by) then
        return 'excluded';
    elsif p_action = 'delegate' and pawl.is_among(p_task.excluded, p_to) then
        return 'excluded';
    elsif not p_force and p_task.approvals_needed = 1 and not v_claims then
        return 'claimed';
    elsif not p_force and not pawl.may_decide(p_task, p_by) and v_claims is distinct from true then
        return 'not_allowed';
    elsif p_action = 'approve' and pawl.is_among(p_task.approved_by, p_by) then
        return 'twice';
    elsif p_action = 'reject' and pawl.is_among(p_task.rejected_by, p_by) then
        return 'twice';
    elsif p_action = 'delegate' and cardinality(p_task.approvers) > 0
          and pawl.is_among(p_task.approved_by || p_task.rejected_by, p_by) then
        return 'voted';
    elsif p_action = 'delegate' and cardinality(p_task.approvers) > 0
          and not pawl.is_among(p_task.approvers, p_by) and not v_alone then
        return 'not_allowed';
    elsif p_action = 'delegate' and pawl.is_among(p_task.approvers || p_task.escalated_to, p_to) then
        return 'seated';
    end if;
    return null;
end
$$;

-- What a person does about a task: claim, unclaim, delegate (p_to), approve (with p_data: as edited) or reject. The
-- answer is 'done', or why not: not_found, closed, late, claimed, not_allowed, twice, voted, seated. p_force: by an
-- administrator. A claim keeps others away where one approval is enough. An approver's seat is handed on to a person
-- without one, and before its vote: otherwise one person could decide alone, or no person could. The run is locked
-- first, then the task: a commit locks them in that order too.
create or replace function pawl.act_on_task(
    p_bucket smallint, p_tenant int, p_task uuid, p_action text, p_by text, p_reason text, p_data jsonb, p_to text,
    p_force boolean
) returns text
language plpgsql
set search_path = pg_catalog
set plan_cache_mode = force_custom_plan as $$
declare
    v_task pawl.human_task;
    v_by text := pawl.person_name(p_by);
    v_to text := pawl.person_name(p_to);
    v_refusal text;
    v_alone boolean;  -- whether it went to this person after the others
begin
    perform 1
       from pawl.live_run l
       join pawl.human_task t on t.bucket = l.bucket and t.run_id = l.run_id
      where t.bucket = p_bucket and t.id = p_task and t.tenant = p_tenant
        for no key update of l;
    select t.* into v_task
      from pawl.human_task t
     where t.bucket = p_bucket and t.id = p_task and t.tenant = p_tenant
       for no key update;
    v_alone := coalesce(pawl.is_same_person(v_task.escalated_to, v_by), false);
    v_refusal := pawl.refusal_to_act(v_task, p_action, v_by, v_to, p_force);
    if v_refusal is not null then
        return v_refusal;
    end if;
    case p_action
        when 'claim' then
            v_task.claimed_by := v_by;
        when 'unclaim' then
            v_task.claimed_by := null;
        when 'delegate' then
            v_task := pawl.delegate_task(v_task, v_by, v_to, v_alone);
        when 'approve' then
            v_task := pawl.vote_on_task(v_task, true, v_by, v_alone);
            v_task.data := coalesce(p_data, v_task.data);
        when 'reject' then
            v_task := pawl.vote_on_task(v_task, false, v_by, v_alone);
    end case;
    if p_data is not null then
        insert into pawl.task_decision (bucket, task, action, by, data)
        values (p_bucket, p_task, 'edit', v_by, p_data);
    end if;
    insert into pawl.task_decision (bucket, task, action, by, reason, data)
    values (p_bucket, p_task, p_action, v_by, p_reason,
            case when v_to is not null then jsonb_build_object('to', v_to) end);
    update pawl.human_task t
       set claimed_by = v_task.claimed_by, assignee = v_task.assignee, approvers = v_task.approvers,
           escalated_to = v_task.escalated_to, approved_by = v_task.approved_by, rejected_by = v_task.rejected_by,
           data = v_task.data, state = v_task.state,
           decided_at = case when v_task.state <> 0 then now() end,
           decided_by = case when v_task.state <> 0 then v_by end,
           reason = case when v_task.state <> 0 then p_reason end
     where t.bucket = p_bucket and t.id = p_task;
    if v_task.state <> 0 then
        perform pawl.leave_signals(
            p_bucket, array[v_task.run_id], array['task'],
            array[jsonb_build_object(
                'token', v_task.token, 'visit', v_task.visit, 'task', v_task.id,
                'decision', pawl.task_state_name(v_task.state), 'by', v_by, 'reason', p_reason, 'data', v_task.data
            )],
            true
        );
    end if;
    return 'done';
end
$$;
