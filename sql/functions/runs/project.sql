-- needs: functions/runs/signals

-- The rows beside the log that follow from the events of a commit, in its transaction and after it: waits for events,
-- human tasks, events that steps publish, messages to parents. Arrays with one prefix are of one length. p_resent_run
-- and p_resent_seq, when the outcome of an earlier try was unknown: the first event of each run in the batch. What an
-- earlier try has written is not written again: other sessions may have reacted to it by now.
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
begin
    if cardinality(p_resent_run) > 0 then
        perform pawl.project_resent(
            p_bucket, p_resent_run, p_resent_seq, p_sub_run, p_sub_token, p_sub_tenant, p_sub_event, p_sub_key,
            p_sub_since, p_unsub_run, p_unsub_token, p_open_run, p_open_token, p_open_tenant, p_open_workflow,
            p_open_node, p_open_subject, p_open_data, p_note_run, p_note_token, p_note_data, p_close_run,
            p_close_token, p_close_state, p_publish_run, p_publish_tenant, p_publish_id, p_publish_event,
            p_publish_key, p_publish_data, p_child_parent, p_child_data, p_ended
        );
        return;
    end if;
    if cardinality(p_unsub_run) > 0 then
        perform pawl.end_waits(p_bucket, p_unsub_run, p_unsub_token);
    end if;
    if cardinality(p_ended) > 0 then
        perform pawl.end_waits_of_runs(p_bucket, p_ended, p_close_run, p_close_token);
    end if;
    if cardinality(p_sub_run) > 0 then
        perform pawl.subscribe_runs(
            p_bucket, p_sub_run, p_sub_token, p_sub_tenant, p_sub_event, p_sub_key, p_sub_since
        );
    end if;
    if cardinality(p_open_run) > 0 or cardinality(p_note_run) > 0 or cardinality(p_close_run) > 0 then
        perform pawl.project_tasks(
            p_bucket, p_open_run, p_open_token, p_open_tenant, p_open_workflow, p_open_node, p_open_subject,
            p_open_data, p_note_run, p_note_token, p_note_data, p_close_run, p_close_token, p_close_state
        );
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
            p_bucket, p_child_parent, array_fill('child'::text, array[cardinality(p_child_parent)]), p_child_data, false
        );
    end if;
end
$$;

-- Deletes the subscriptions of waits that ended. Waits for a matcher that holds one. Called by project_runs alone, with
-- its planner settings.
create or replace function pawl.end_waits(p_bucket smallint, p_run uuid[], p_token int[]) returns void
language plpgsql set search_path = pg_catalog as $$
begin
    delete from pawl.subscription s
     where s.ctid = any (array(
           select x.row_id
             from unnest(p_run, p_token) as u (run_id, token)
            cross join lateral (
                select h.ctid as row_id
                  from pawl.subscription h
                 where h.bucket = p_bucket and h.run_id = u.run_id and h.token = u.token
                offset 0
            ) as x
       ));
end
$$;

-- Ends what runs that are closed still wait for or hold: locks, subscriptions, open tasks. p_close_run and
-- p_close_token: tasks that the same batch ends for a reason of their own, which are left to project_tasks. Called by
-- project_runs alone, with its planner settings.
create or replace function pawl.end_waits_of_runs(
    p_bucket smallint, p_ended uuid[], p_close_run uuid[], p_close_token int[]
) returns void
language plpgsql set search_path = pg_catalog as $$
begin
    perform pawl.leave_locks(
        p_bucket, p_ended, array_fill(null::int, array[cardinality(p_ended)]),
        array_fill(null::text, array[cardinality(p_ended)])
    );
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
             and not exists (
                 select 1
                   from unnest(p_close_run, p_close_token) as c (run_id, token)
                  where c.run_id = h.run_id and c.token = h.token
             )
          offset 0
      ) as t
     having count(*) > 0;
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
