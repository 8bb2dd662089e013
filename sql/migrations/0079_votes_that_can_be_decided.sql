-- What people are asked stays decidable: votes that were given count after an escalation, and the person it went to
-- decides alone; a no may need several; the person who asked can be kept from deciding. A cancel through SQL can be one
-- that waits for nothing. `on_failure: retry` tries whatever went wrong again (`permanent` in the canonical form).
-- breaking: no

set local lock_timeout = '5s';

alter table pawl.human_task
    add column escalated_to text,
    add column excluded text[] not null default '{}',
    add column rejections_needed smallint not null default 1,
    add column rejected_by text[] not null default '{}';

create or replace function pawl.may_decide(p_task pawl.human_task, p_by text) returns boolean
language sql immutable parallel safe
return p_by <> all ((p_task).excluded) and case
    when cardinality((p_task).approvers) > 0 then
        p_by = any ((p_task).approvers) or coalesce((p_task).escalated_to = p_by, false)
    else coalesce((p_task).assignee = p_by, true) end;

-- What one person's yes or no makes of a task. One person has one vote, and may change it while the task is open.
create function pawl.vote_on_task(p_task pawl.human_task, p_yes boolean, p_by text, p_alone boolean)
returns pawl.human_task
language plpgsql immutable parallel safe
set search_path = pg_catalog as $$
declare
    v_task pawl.human_task := p_task;
begin
    v_task.claimed_by := null;
    v_task.approved_by := array_remove(v_task.approved_by, p_by);
    v_task.rejected_by := array_remove(v_task.rejected_by, p_by);
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

create or replace function pawl.act_on_task(
    p_bucket smallint, p_tenant int, p_task uuid, p_action text, p_by text, p_reason text, p_data jsonb, p_to text,
    p_force boolean
) returns text
language plpgsql
set search_path = pg_catalog
set plan_cache_mode = force_custom_plan as $$
declare
    v_task pawl.human_task;
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
    if not found then
        return 'not_found';
    elsif v_task.state <> 0 then
        return 'closed';
    elsif v_task.due_at <= now() then
        return 'late';
    -- Whatever rights a person has: who asked does not answer.
    elsif p_action in ('approve', 'reject', 'claim') and p_by = any (v_task.excluded) then
        return 'excluded';
    elsif p_action = 'delegate' and p_to = any (v_task.excluded) then
        return 'excluded';
    elsif not p_force and v_task.approvals_needed = 1 and v_task.claimed_by <> p_by then
        return 'claimed';
    elsif not p_force and not pawl.may_decide(v_task, p_by) and v_task.claimed_by is distinct from p_by then
        return 'not_allowed';
    elsif p_action = 'approve' and p_by = any (v_task.approved_by) then
        return 'twice';
    elsif p_action = 'reject' and p_by = any (v_task.rejected_by) then
        return 'twice';
    elsif p_action = 'delegate' and cardinality(v_task.approvers) > 0
          and p_by = any (v_task.approved_by || v_task.rejected_by) then
        return 'voted';
    elsif p_action = 'delegate' and cardinality(v_task.approvers) > 0 and p_by <> all (v_task.approvers)
          and p_by is distinct from v_task.escalated_to then
        return 'not_allowed';
    elsif p_action = 'delegate' and (p_to = any (v_task.approvers) or p_to = v_task.escalated_to) then
        return 'seated';
    end if;
    case p_action
        when 'claim' then
            v_task.claimed_by := p_by;
        when 'unclaim' then
            v_task.claimed_by := null;
        when 'delegate' then
            v_task.claimed_by := null;
            if v_task.escalated_to = p_by and cardinality(v_task.approvers) > 0 then
                v_task.escalated_to := p_to;
                v_task.assignee := p_to;
            elsif cardinality(v_task.approvers) = 0 then
                v_task.assignee := p_to;
            else
                v_task.approvers := array_replace(v_task.approvers, p_by, p_to);
            end if;
        when 'approve' then
            v_task := pawl.vote_on_task(v_task, true, p_by, coalesce(v_task.escalated_to = p_by, false));
            v_task.data := coalesce(p_data, v_task.data);
        when 'reject' then
            v_task := pawl.vote_on_task(v_task, false, p_by, coalesce(v_task.escalated_to = p_by, false));
    end case;
    if p_data is not null then
        insert into pawl.task_decision (bucket, task, action, by, data)
        values (p_bucket, p_task, 'edit', p_by, p_data);
    end if;
    insert into pawl.task_decision (bucket, task, action, by, reason, data)
    values (p_bucket, p_task, p_action, p_by, p_reason,
            case when p_to is not null then jsonb_build_object('to', p_to) end);
    update pawl.human_task t
       set claimed_by = v_task.claimed_by, assignee = v_task.assignee, approvers = v_task.approvers,
           escalated_to = v_task.escalated_to, approved_by = v_task.approved_by, rejected_by = v_task.rejected_by,
           data = v_task.data, state = v_task.state,
           decided_at = case when v_task.state <> 0 then now() end,
           decided_by = case when v_task.state <> 0 then p_by end,
           reason = case when v_task.state <> 0 then p_reason end
     where t.bucket = p_bucket and t.id = p_task;
    if v_task.state <> 0 then
        perform pawl.leave_signals(
            p_bucket, array[v_task.run_id], array['task'],
            array[jsonb_build_object(
                'token', v_task.token, 'visit', v_task.visit, 'task', v_task.id,
                'decision', pawl.task_state_name(v_task.state), 'by', p_by, 'reason', p_reason, 'data', v_task.data
            )],
            true
        );
    end if;
    return 'done';
end
$$;

create or replace function pawl.project_tasks(
    p_bucket smallint, p_open_run uuid[], p_open_token int[], p_open_tenant int[], p_open_workflow int[],
    p_open_node text[], p_open_subject text[], p_open_data jsonb[], p_note_run uuid[], p_note_token int[],
    p_note_data jsonb[], p_close_run uuid[], p_close_token int[], p_close_state text[]
) returns void
language plpgsql
set search_path = pg_catalog
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_bitmapscan = off
set jit = off as $$
declare
    v_task uuid[];
begin
    if cardinality(p_close_run) > 0 then
        with closed as (
            update pawl.human_task t
               set state = case u.state when 'timed_out' then 3 else 4 end, decided_at = now(), claimed_by = null
              from unnest(p_close_run, p_close_token, p_close_state) as u (run_id, token, state)
             where t.run_id = u.run_id and t.token = u.token and t.bucket + 0 = p_bucket and t.state + 0 = 0
            returning t.id, u.state
        )
        insert into pawl.task_decision (bucket, task, action, by, reason)
        select p_bucket, c.id, 'close', 'pawl', c.state from closed c;
    end if;
    if cardinality(p_note_run) > 0 then
        -- An escalation takes no vote away: who is asked since then decides alone, and those who were asked before may
        -- still get there together. Where one person is asked, another one takes over.
        with noted as (
            update pawl.human_task t
               set assignee = coalesce(u.data ->> 'assignee', t.assignee),
                   escalated_to = coalesce(u.data ->> 'assignee', t.escalated_to),
                   claimed_by = case when u.data ? 'assignee' then null else t.claimed_by end
              from unnest(p_note_run, p_note_token, p_note_data) as u (run_id, token, data)
             where t.run_id = u.run_id and t.token = u.token and t.bucket + 0 = p_bucket and t.state + 0 = 0
            returning t.id, u.data
        ), written as (
            insert into pawl.task_decision (bucket, task, action, by, data)
            select p_bucket, n.id, case n.data ->> 'note' when 'escalated' then 'escalate' else 'remind' end, 'pawl',
                   case when n.data ? 'assignee' then jsonb_build_object('to', n.data -> 'assignee') end
              from noted n
            returning task, action
        )
        select array_agg(w.task) into v_task from written w;
        perform pawl.tell_about_tasks(p_bucket, 'pawl.task.reminded', v_task);
    end if;
    if cardinality(p_open_run) > 0 then
        with opened as (
            insert into pawl.human_task (
                bucket, tenant, run_id, token, visit, workflow, node, subject, title, description, data, form, assignee,
                grp, approvers, approvals_needed, rejections_needed, excluded, due_at
            )
            select p_bucket, u.tenant, u.run_id, u.token, coalesce((u.data ->> 'visit')::int, 1), u.workflow, u.node,
                   u.subject,
                   coalesce(u.data ->> 'title', u.node), u.data ->> 'description', nullif(u.data -> 'data', 'null'),
                   nullif(u.data -> 'form', 'null'), nullif(u.data ->> 'assignee', ''), nullif(u.data ->> 'group', ''),
                   case when jsonb_typeof(u.data -> 'approvers') = 'array'
                        then array(select jsonb_array_elements_text(u.data -> 'approvers')) else '{}' end,
                   case when jsonb_typeof(u.data -> 'approvals') = 'number'
                        then least(greatest(floor((u.data ->> 'approvals')::numeric), 1), 1000) else 1 end,
                   case when jsonb_typeof(u.data -> 'rejections_needed') = 'number'
                        then least(greatest(floor((u.data ->> 'rejections_needed')::numeric), 1), 1000) else 1 end,
                   case when jsonb_typeof(u.data -> 'exclude') = 'array'
                        then array(select jsonb_array_elements_text(u.data -> 'exclude')) else '{}' end,
                   to_timestamp((u.data ->> 'until')::bigint / 1000000.0)
              from unnest(p_open_run, p_open_token, p_open_tenant, p_open_workflow, p_open_node, p_open_subject,
                          p_open_data) as u (run_id, token, tenant, workflow, node, subject, data)
                on conflict do nothing
            returning id
        ), written as (
            insert into pawl.task_decision (bucket, task, action, by)
            select p_bucket, o.id, 'open', 'pawl' from opened o
            returning task
        )
        select array_agg(w.task) into v_task from written w;
        perform pawl.tell_about_tasks(p_bucket, 'pawl.task.opened', v_task);
    end if;
end
$$;

-- What lists of steps say about failures ------------------------------------------------------------------------------

create or replace function pawl.has_usual_retry(p_node jsonb) returns boolean
language sql immutable parallel safe
return jsonb_typeof(p_node -> 'retry') = 'object'
   and (p_node -> 'retry') - array['attempts', 'permanent'] = jsonb_build_object(
           'base', '1s', 'factor', 2, 'cap', '1h', 'jitter', '[0.1, 0.4]'::jsonb,
           'ambiguous', case when p_node ->> 'type' = 'http'
                              and upper(coalesce(p_node -> 'config' ->> 'method',
                                                 case when p_node -> 'config' ? 'body' then 'POST' end))
                                  in ('POST', 'PATCH')
                             then 'settle' else 'retry' end
       );

create or replace function pawl.failure_words(p_node jsonb, p_retries int) returns jsonb
language sql immutable parallel safe
return case
    when pawl.has_usual_retry(p_node) and p_node -> 'retry' -> 'attempts' = '1'
    then jsonb_build_object('on_failure', p_node -> 'on_failure')
    when pawl.has_usual_retry(p_node) and p_node ->> 'on_failure' = 'abort'
         and (p_node -> 'retry' ->> 'attempts')::int = p_retries + 1
    -- A step that says nothing is tried as often, but not when that cannot help.
    then case when p_node -> 'retry' -> 'permanent' = 'true' then '{"on_failure": "retry"}'::jsonb else '{}' end
    else jsonb_build_object('on_failure', case p_node ->> 'on_failure' when 'abort' then 'retry' else 'continue' end,
                            'retry', p_node -> 'retry')
end;

-- Through SQL ---------------------------------------------------------------------------------------------------------

-- Those who were let call it still may.
select set_config('pawl.cancel_grantees', coalesce(string_agg(distinct g.grantee::regrole::text, ', '), ''), true)
  from pg_proc p
 cross join aclexplode(p.proacl) as g
 where p.oid = 'pawl.cancel(uuid, text)'::regprocedure and g.grantee not in (0, p.proowner);
drop function pawl.cancel(uuid, text);
create function pawl.cancel(run uuid, reason text default 'cancelled through SQL', force boolean default false)
returns boolean
language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
begin
    if pawl.leave_message(
        pawl.sql_tenant(), run, 'cancel',
        jsonb_build_object('reason', left(coalesce(reason, ''), 1000))
        || case when force then jsonb_build_object('force', true) else '{}' end
    ) then
        return true;
    end if;
    perform pawl.confirm_found();
    return false;
end
$$;
revoke execute on function pawl.cancel(uuid, text, boolean) from public;

do $$
begin
    if current_setting('pawl.cancel_grantees') <> '' then
        execute 'grant execute on function pawl.cancel(uuid, text, boolean) to '
                || current_setting('pawl.cancel_grantees');
    end if;
end
$$;
