-- needs: functions/runs/signals

-- The rows beside the log that follow from the events of a commit, in its transaction and after it. p_resent_run and
-- p_resent_seq, when the outcome of an earlier try was unknown: the first event of each run in the batch. What an
-- earlier try has written is not written again: others may have reacted to it by now.
create or replace function pawl.project_runs(
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
language plpgsql set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set enable_material = off set jit = off as $$
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
        if v_done = '{}' then
            perform pawl.subscribe_runs(
                p_bucket, p_sub_run, p_sub_token, p_sub_tenant, p_sub_event, p_sub_key, p_sub_since
            );
        else
            perform pawl.subscribe_runs(
                p_bucket, array_agg(u.run_id), array_agg(u.token), array_agg(u.tenant), array_agg(u.event),
                array_agg(u.key), array_agg(u.since)
            )
               from unnest(p_sub_run, p_sub_token, p_sub_tenant, p_sub_event, p_sub_key, p_sub_since)
                    as u (run_id, token, tenant, event, key, since)
              where u.run_id <> all (v_done)
             having count(*) > 0;
        end if;
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

-- Sends cancel to the children that end with the runs that called them.
create or replace function pawl.end_children(p_bucket smallint, p_child uuid[], p_reason text[]) returns void
language sql
set search_path = pg_catalog
as $$
    select count(*)
      from (
          select array_agg(u.child) as child, array_agg('cancel'::text) as kind,
                 array_agg(jsonb_build_object('reason', u.reason)) as data
            from unnest(p_child, p_reason) as u (child, reason)
      ) as a
     cross join lateral pawl.leave_signals(p_bucket, a.child, a.kind, a.data, false);
$$;
