-- The tasks of people that follow from the events of a commit: opens, notes and closes them in its transaction, and
-- writes pawl.task_decision. Arrays of one group (p_open_..., p_note_..., p_close_...) are of one length.
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
        perform pawl.note_tasks(p_bucket, p_note_run, p_note_token, p_note_data);
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

-- Notes reminders and escalations of open tasks, and publishes that. Called by project_tasks, with its settings.
create or replace function pawl.note_tasks(p_bucket smallint, p_run uuid[], p_token int[], p_data jsonb[]) returns void
language plpgsql set search_path = pg_catalog as $$
declare
    v_task uuid[];
begin
    -- An escalation takes no vote away: the person who is asked since then decides alone, and those asked before
    -- may still get there together. Where one person is asked, another one takes over.
    -- A worker that is late has several notes of one task at once: the last person named is asked.
    with notes as (
        select t.id, u.data, u.place
          from unnest(p_run, p_token, p_data) with ordinality as u (run_id, token, data, place)
          join pawl.human_task t
            on t.run_id = u.run_id and t.token = u.token and t.bucket + 0 = p_bucket and t.state + 0 = 0
           for no key update of t
    ), last as (
        select distinct on (n.id) n.id, n.data ->> 'assignee' as assignee
          from notes n
         where n.data ->> 'assignee' is not null
         order by n.id, n.place desc
    ), asked as (
        update pawl.human_task t
           set assignee = l.assignee, escalated_to = l.assignee, claimed_by = null
          from last l
         where t.bucket = p_bucket and t.id = l.id
    ), written as (
        insert into pawl.task_decision (bucket, task, action, by, data)
        select p_bucket, n.id, case n.data ->> 'note' when 'escalated' then 'escalate' else 'remind' end, 'pawl',
               case when n.data ? 'assignee' then jsonb_build_object('to', n.data -> 'assignee') end
          from notes n
         order by n.place
        returning task
    )
    select array_agg(distinct w.task) into v_task from written w;
    perform pawl.tell_about_tasks(p_bucket, 'pawl.task.reminded', v_task);
end
$$;

-- Publishes that something happened to tasks, where a workflow has a trigger for it.
create or replace function pawl.tell_about_tasks(p_bucket smallint, p_name text, p_task uuid[]) returns void
language plpgsql set search_path = pg_catalog set plan_cache_mode = force_custom_plan set enable_seqscan = off
set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off set jit = off as $$
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
