-- People: tasks that a run waits for, who decided what about them, and the rows that a commit writes beside the log.
-- breaking: no

set local lock_timeout = '5s';

-- Tasks ---------------------------------------------------------------------------------------------------------------

-- A person is asked. The log of the run says what was asked and what came of it; this is where people find it.
create table pawl.human_task (
    id uuid not null default pawl.uuid7(),
    bucket smallint not null,
    tenant int not null,
    run_id uuid not null,
    token int not null,
    visit int not null default 1,
    workflow int not null,
    node text not null,
    subject text,
    title text not null,
    description text,
    data jsonb,
    form jsonb,
    assignee text,
    grp text,
    approvers text[] not null default '{}',
    approvals_needed smallint not null default 1,
    approved_by text[] not null default '{}',
    due_at timestamptz,
    state smallint not null default 0,
    claimed_by text,
    opened_at timestamptz not null default now(),
    decided_at timestamptz,
    decided_by text,
    reason text,
    constraint human_task_pk primary key (bucket, id),
    constraint human_task_state_check check (state between 0 and 4)
);
-- Without the bucket, which is hidden where they are meant: see 0008. So is the state, where those that are partial are
-- not meant.
create unique index human_task_token on pawl.human_task (run_id, token) where state = 0;
create index human_task_run on pawl.human_task (run_id, id);
create index human_task_tenant on pawl.human_task (tenant, id);
create index human_task_open on pawl.human_task (tenant, id) where state = 0;
create index human_task_assignee on pawl.human_task (tenant, assignee, id) where state = 0;
create index human_task_group on pawl.human_task (tenant, grp, id) where state = 0;

-- Everything that was done about a task, by whom. Never changed.
create table pawl.task_decision (
    id bigint generated always as identity,
    bucket smallint not null,
    task uuid not null,
    at timestamptz not null default now(),
    action text not null,
    by text not null,
    reason text,
    data jsonb,
    constraint task_decision_pk primary key (bucket, task, id),
    constraint task_decision_action_check check (
        action in ('open', 'claim', 'unclaim', 'delegate', 'edit', 'approve', 'reject', 'remind', 'escalate', 'close')
    )
);

create function pawl.task_state_name(p_state smallint) returns text
language sql immutable parallel safe
return (array['open', 'approved', 'rejected', 'timed_out', 'withdrawn'])[p_state + 1];

-- Whether somebody may decide: one of the approvers, or the assignee, or anybody when nobody is named.
create function pawl.may_decide(p_task pawl.human_task, p_by text) returns boolean
language sql immutable parallel safe
return case
    when cardinality((p_task).approvers) > 0 then p_by = any ((p_task).approvers)
    else coalesce((p_task).assignee = p_by, true)
end;

-- What a person does about a task: claim, unclaim, delegate (p_to), approve (with p_data: as edited) or reject. The
-- answer is 'done', or why not: not_found, closed, late, claimed, not_allowed, twice. p_force: by somebody who may
-- do everything. A claim keeps others away where one approval is enough. The run is locked first, then the task: a
-- commit locks them in that order too.
create function pawl.act_on_task(
    p_bucket smallint, p_tenant int, p_task uuid, p_action text, p_by text, p_reason text, p_data jsonb, p_to text,
    p_force boolean
) returns text
language plpgsql set search_path = pg_catalog set plan_cache_mode = force_custom_plan as $$
declare
    v_task pawl.human_task;
    v_decided text;
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
    elsif not p_force and v_task.approvals_needed = 1 and v_task.claimed_by <> p_by then
        return 'claimed';
    elsif not p_force and not pawl.may_decide(v_task, p_by) and v_task.claimed_by is distinct from p_by then
        return 'not_allowed';
    elsif p_action = 'approve' and p_by = any (v_task.approved_by) then
        return 'twice';
    end if;
    case p_action
        when 'claim' then
            v_task.claimed_by := p_by;
        when 'unclaim' then
            v_task.claimed_by := null;
        when 'delegate' then
            v_task.claimed_by := null;
            if cardinality(v_task.approvers) = 0 then
                v_task.assignee := p_to;
            elsif p_to = any (v_task.approvers) then
                v_task.approvers := array_remove(v_task.approvers, p_by);
            else
                v_task.approvers := array_replace(v_task.approvers, p_by, p_to);
            end if;
        when 'approve' then
            v_task.claimed_by := null;
            v_task.approved_by := v_task.approved_by || p_by;
            v_task.data := coalesce(p_data, v_task.data);
            if cardinality(v_task.approved_by) >= v_task.approvals_needed then
                v_decided := 'approved';
            end if;
        when 'reject' then
            v_decided := 'rejected';
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
           approved_by = v_task.approved_by, data = v_task.data,
           state = case v_decided when 'approved' then 1 when 'rejected' then 2 else 0 end,
           decided_at = case when v_decided is not null then now() end,
           decided_by = case when v_decided is not null then p_by end,
           reason = case when v_decided is not null then p_reason end
     where t.bucket = p_bucket and t.id = p_task;
    if v_decided is not null then
        perform pawl.leave_signals(
            p_bucket, array[v_task.run_id], array['task'],
            array[jsonb_build_object(
                'token', v_task.token, 'visit', v_task.visit, 'task', v_task.id, 'decision', v_decided, 'by', p_by,
                'reason', p_reason, 'data', v_task.data
            )],
            true
        );
    end if;
    return 'done';
end
$$;

-- Tasks, newest first, from a cursor. p_scan rows are looked at at most; a last row without a title says how far it
-- came. Planned with the values: a missing filter costs nothing, and each walks the index that fits it.
create function pawl.list_tasks(
    p_bucket smallint, p_tenant int, p_state text, p_assignee text, p_group text, p_workflow text, p_run uuid,
    p_before uuid, p_limit int, p_scan int
) returns table (task pawl.human_task, workflow text)
language plpgsql stable
set search_path = pg_catalog set plan_cache_mode = force_custom_plan
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
set enable_sort = off as $$
#variable_conflict use_column
declare
    v_workflow int;
    v_walk refcursor;
    v_task pawl.human_task;
    v_looked int := 0;
    v_found int := 0;
begin
    if p_workflow is not null then
        select w.id into v_workflow from pawl.workflow w where w.tenant = p_tenant and w.name = p_workflow;
        if not found then
            return;
        end if;
    end if;
    if p_run is not null then
        open v_walk for
            select t.* from pawl.human_task t
             where t.bucket + 0 = p_bucket and t.run_id = p_run and (p_before is null or t.id < p_before)
             order by t.id desc limit p_scan;
    elsif p_state = 'open' and p_assignee is not null then
        open v_walk for
            select t.* from pawl.human_task t
             where t.bucket + 0 = p_bucket and t.tenant = p_tenant and t.assignee = p_assignee and t.state = 0
               and (p_before is null or t.id < p_before)
             order by t.id desc limit p_scan;
    elsif p_state = 'open' and p_group is not null then
        open v_walk for
            select t.* from pawl.human_task t
             where t.bucket + 0 = p_bucket and t.tenant = p_tenant and t.grp = p_group and t.state = 0
               and (p_before is null or t.id < p_before)
             order by t.id desc limit p_scan;
    elsif p_state = 'open' then
        open v_walk for
            select t.* from pawl.human_task t
             where t.bucket + 0 = p_bucket and t.tenant = p_tenant and t.state = 0
               and (p_before is null or t.id < p_before)
             order by t.id desc limit p_scan;
    else
        open v_walk for
            select t.* from pawl.human_task t
             where t.bucket + 0 = p_bucket and t.tenant = p_tenant and (p_before is null or t.id < p_before)
             order by t.id desc limit p_scan;
    end if;
    loop
        fetch v_walk into v_task;
        exit when not found;
        v_looked := v_looked + 1;
        task := v_task;
        continue when v_task.tenant <> p_tenant
            or pawl.task_state_name(v_task.state) <> coalesce(p_state, pawl.task_state_name(v_task.state))
            or (p_assignee is not null and v_task.assignee is distinct from p_assignee)
            or (p_group is not null and v_task.grp is distinct from p_group)
            or (p_workflow is not null and v_task.workflow <> v_workflow);
        select w.name into workflow from pawl.workflow w where w.id = v_task.workflow;
        return next;
        v_found := v_found + 1;
        exit when v_found = p_limit;
    end loop;
    close v_walk;
    if v_found < p_limit and v_looked = p_scan then
        task.title := null;
        workflow := null;
        return next;
    end if;
end
$$;

-- What a commit writes beside the log ---------------------------------------------------------------------------------

-- Tells whoever wants to know (a workflow with such a trigger) that something happened to tasks.
create function pawl.tell_about_tasks(p_bucket smallint, p_name text, p_task uuid[]) returns void
language plpgsql
set search_path = pg_catalog set plan_cache_mode = force_custom_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off as $$
begin
    if not exists (select 1 from pawl.event_trigger t where t.event = p_name) then
        return;
    end if;
    perform pawl.publish_events(
        p_bucket, array_agg(t.tenant), array_agg(format('%s:%s:%s', p_name, t.id, extract(epoch from now()))),
        array_agg(p_name), array_agg(coalesce(t.assignee, t.grp, '')), array_agg(t.subject), array_agg('pawl'::text),
        array_agg(now()),
        array_agg(jsonb_strip_nulls(jsonb_build_object(
            'task', t.id, 'run', t.run_id, 'node', t.node, 'title', t.title, 'description', t.description,
            'assignee', t.assignee, 'group', t.grp, 'approvers', to_jsonb(nullif(t.approvers, '{}')), 'due_at', t.due_at
        )))
    )
      from unnest(p_task) as u (id)
     cross join lateral (
         select h.* from pawl.human_task h where h.bucket = p_bucket and h.id = u.id offset 0
     ) as t
    having count(*) > 0;
end
$$;

create function pawl.project_tasks(
    p_bucket smallint,
    p_open_run uuid[], p_open_token int[], p_open_tenant int[], p_open_workflow int[], p_open_node text[],
    p_open_subject text[], p_open_data jsonb[],
    p_note_run uuid[], p_note_token int[], p_note_data jsonb[],
    p_close_run uuid[], p_close_token int[], p_close_state text[]
) returns void
language plpgsql
set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off as $$
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
        with noted as (
            update pawl.human_task t
               set assignee = coalesce(u.data ->> 'assignee', t.assignee),
                   approvers = case when u.data ? 'assignee' then '{}' else t.approvers end,
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
                grp, approvers, approvals_needed, due_at
            )
            select p_bucket, u.tenant, u.run_id, u.token, coalesce((u.data ->> 'visit')::int, 1), u.workflow, u.node,
                   u.subject,
                   coalesce(u.data ->> 'title', u.node), u.data ->> 'description', nullif(u.data -> 'data', 'null'),
                   nullif(u.data -> 'form', 'null'), nullif(u.data ->> 'assignee', ''), nullif(u.data ->> 'group', ''),
                   case when jsonb_typeof(u.data -> 'approvers') = 'array'
                        then array(select jsonb_array_elements_text(u.data -> 'approvers')) else '{}' end,
                   case when jsonb_typeof(u.data -> 'approvals') = 'number'
                        then least(greatest(floor((u.data ->> 'approvals')::numeric), 1), 1000) else 1 end,
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

-- The rows beside the log that follow from the events of a commit, in its transaction and after it. p_resent_run and
-- p_resent_seq, when the outcome of an earlier try was unknown: the first event of each run in the batch. What an
-- earlier try has written is not written again: others may have reacted to it by now.
create function pawl.project_runs(
    p_bucket smallint, p_resent_run uuid[], p_resent_seq int[],
    p_sub_run uuid[], p_sub_token int[], p_sub_tenant int[], p_sub_event text[], p_sub_key text[],
    p_sub_since timestamptz[],
    p_unsub_run uuid[], p_unsub_token int[],
    p_open_run uuid[], p_open_token int[], p_open_tenant int[], p_open_workflow int[], p_open_node text[],
    p_open_subject text[], p_open_data jsonb[],
    p_note_run uuid[], p_note_token int[], p_note_data jsonb[],
    p_close_run uuid[], p_close_token int[], p_close_state text[],
    p_publish_run uuid[], p_publish_tenant int[], p_publish_id text[], p_publish_event text[], p_publish_key text[],
    p_publish_data jsonb[],
    p_child_parent uuid[], p_child_data jsonb[],
    p_ended uuid[]
) returns void
language plpgsql
set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set enable_material = off as $$
declare
    v_done uuid[] := '{}';
begin
    if cardinality(p_resent_run) > 0 then
        -- Written by a transaction before this one.
        v_done := array(
            select u.run_id
              from unnest(p_resent_run, p_resent_seq) as u (run_id, seq)
             cross join lateral (
                 select e.xmin as writer
                   from pawl.event e
                  where e.bucket = p_bucket and e.run_id = u.run_id and e.seq = u.seq
                 offset 0
             ) as e
             where e.writer <> pg_current_xact_id()::xid
        );
    end if;
    if cardinality(p_unsub_run) > 0 then
        delete from pawl.subscription s
         where s.ctid = any (array(
               select x.row_id
                 from unnest(p_unsub_run, p_unsub_token) as u (run_id, token)
                cross join lateral (
                    select h.ctid as row_id
                      from pawl.subscription h
                     where h.bucket = p_bucket and h.run_id = u.run_id and h.token = u.token
                    offset 0
                ) as x
                where u.run_id <> all (v_done)
           ));
    end if;
    if cardinality(p_unsub_run) > 0 or cardinality(p_ended) > 0 then
        perform pawl.leave_locks(
            p_bucket, p_unsub_run || p_ended, p_unsub_token || array_fill(null::int, array[cardinality(p_ended)]),
            array_fill(null::text, array[cardinality(p_unsub_run) + cardinality(p_ended)])
        );
    end if;
    if cardinality(p_ended) > 0 then
        delete from pawl.subscription s
         where s.ctid = any (array(
               select x.row_id
                 from unnest(p_ended) as u (run_id)
                cross join lateral (
                    select h.ctid as row_id from pawl.subscription h
                     where h.bucket = p_bucket and h.run_id = u.run_id
                    offset 0
                ) as x
           ));
        perform pawl.project_tasks(
            p_bucket, '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}',
            array_agg(t.run_id), array_agg(t.token), array_agg('withdrawn'::text)
        )
           from unnest(p_ended) as u (run_id)
          cross join lateral (
              select h.run_id, h.token from pawl.human_task h
               where h.run_id = u.run_id and h.bucket + 0 = p_bucket and h.state + 0 = 0
                 -- Those that end for a reason of their own are dealt with below.
                 and not exists (
                     select 1
                       from unnest(p_close_run, p_close_token) as c (run_id, token)
                      where c.run_id = h.run_id and c.token = h.token
                 )
              offset 0
          ) as t
         having count(*) > 0;
    end if;
    if cardinality(p_sub_run) > 0 then
        with fresh as (
            insert into pawl.subscription (bucket, run_id, token, ordinal, tenant, event, key, since)
            select p_bucket, u.run_id, u.token,
                   row_number() over (partition by u.run_id, u.token order by u.place) - 1, u.tenant,
                   pawl.event_key(u.event), pawl.event_key(u.key), u.since
              from unnest(p_sub_run, p_sub_token, p_sub_tenant, p_sub_event, p_sub_key, p_sub_since) with ordinality
                   as u (run_id, token, tenant, event, key, since, place)
             where u.run_id <> all (v_done)
                on conflict do nothing
            returning bucket, run_id, token, ordinal
        )
        insert into pawl.subscription_unchecked (bucket, run_id, token, ordinal)
        select f.bucket, f.run_id, f.token, f.ordinal from fresh f
            on conflict do nothing;
    end if;
    if cardinality(p_open_run) > 0 or cardinality(p_note_run) > 0 or cardinality(p_close_run) > 0 then
        if v_done = '{}' then
            perform pawl.project_tasks(
                p_bucket, p_open_run, p_open_token, p_open_tenant, p_open_workflow, p_open_node, p_open_subject,
                p_open_data, p_note_run, p_note_token, p_note_data, p_close_run, p_close_token, p_close_state
            );
        else
            perform pawl.project_tasks(
                p_bucket, o.run_id, o.token, o.tenant, o.workflow, o.node, o.subject, o.data, n.run_id, n.token, n.data,
                c.run_id, c.token, c.state
            )
               from (
                   select array_agg(u.run_id), array_agg(u.token), array_agg(u.tenant), array_agg(u.workflow),
                          array_agg(u.node), array_agg(u.subject), array_agg(u.data)
                     from unnest(p_open_run, p_open_token, p_open_tenant, p_open_workflow, p_open_node, p_open_subject,
                                 p_open_data) as u (run_id, token, tenant, workflow, node, subject, data)
                    where u.run_id <> all (v_done)
               ) as o (run_id, token, tenant, workflow, node, subject, data),
               (
                   select array_agg(u.run_id), array_agg(u.token), array_agg(u.data)
                     from unnest(p_note_run, p_note_token, p_note_data) as u (run_id, token, data)
                    where u.run_id <> all (v_done)
               ) as n (run_id, token, data),
               (
                   select array_agg(u.run_id), array_agg(u.token), array_agg(u.state)
                     from unnest(p_close_run, p_close_token, p_close_state) as u (run_id, token, state)
                    where u.run_id <> all (v_done)
               ) as c (run_id, token, state);
        end if;
    end if;
    if cardinality(p_publish_run) > 0 then
        -- Ids are made from run, token and visit: the same event is not taken twice.
        perform pawl.publish_events(
            p_bucket, p_publish_tenant, p_publish_id, p_publish_event, p_publish_key,
            array_fill(null::text, array[cardinality(p_publish_run)]),
            array(select 'run:' || u.run_id::text from unnest(p_publish_run) as u (run_id)),
            array_fill(now(), array[cardinality(p_publish_run)]), p_publish_data
        );
    end if;
    if cardinality(p_child_parent) > 0 then
        perform pawl.leave_signals(
            p_bucket, array_agg(u.parent), array_agg('child'::text), array_agg(u.data), false
        )
           from unnest(p_child_parent, p_child_data) as u (parent, data)
          where (u.data ->> 'run')::uuid <> all (v_done)
         having count(*) > 0;
    end if;
end
$$;
