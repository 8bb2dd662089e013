-- The runs of a batch that a transaction before this one has written: their first events in the batch, p_seq, are in
-- the log already. Called by project_resent alone.
create or replace function pawl.projected_before(p_bucket smallint, p_run uuid[], p_seq int[]) returns uuid[]
language plpgsql set search_path = pg_catalog as $$
begin
    return array(
        select u.run_id
          from unnest(p_run, p_seq) as u (run_id, seq)
         cross join lateral (
             select e.xmin as writer
               from pawl.event e
              where e.bucket = p_bucket and e.run_id = u.run_id and e.seq = u.seq
             offset 0
         ) as e
         where e.writer <> pg_current_xact_id()::xid
    );
end
$$;

-- Projects what an earlier try, whose outcome is unknown, has not: the rest of the batch by project_runs, which calls
-- this. The parameters are those of project_runs. Events that steps publish go again, since their ids are the same, and
-- so does the end of runs, which leaves nothing to end.
create or replace function pawl.project_resent(
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
language plpgsql set search_path = pg_catalog as $$
declare
    v_done uuid[] := pawl.projected_before(p_bucket, p_resent_run, p_resent_seq);
begin
    select coalesce(array_agg(u.run_id), '{}'), array_agg(u.token), array_agg(u.tenant), array_agg(u.event),
           array_agg(u.key), array_agg(u.since)
      into p_sub_run, p_sub_token, p_sub_tenant, p_sub_event, p_sub_key, p_sub_since
      from unnest(p_sub_run, p_sub_token, p_sub_tenant, p_sub_event, p_sub_key, p_sub_since)
           as u (run_id, token, tenant, event, key, since)
     where u.run_id <> all (v_done);
    select coalesce(array_agg(u.run_id), '{}'), array_agg(u.token) into p_unsub_run, p_unsub_token
      from unnest(p_unsub_run, p_unsub_token) as u (run_id, token)
     where u.run_id <> all (v_done);
    select coalesce(array_agg(u.run_id), '{}'), array_agg(u.token), array_agg(u.tenant), array_agg(u.workflow),
           array_agg(u.node), array_agg(u.subject), array_agg(u.data)
      into p_open_run, p_open_token, p_open_tenant, p_open_workflow, p_open_node, p_open_subject, p_open_data
      from unnest(p_open_run, p_open_token, p_open_tenant, p_open_workflow, p_open_node, p_open_subject, p_open_data)
           as u (run_id, token, tenant, workflow, node, subject, data)
     where u.run_id <> all (v_done);
    select coalesce(array_agg(u.run_id), '{}'), array_agg(u.token), array_agg(u.data)
      into p_note_run, p_note_token, p_note_data
      from unnest(p_note_run, p_note_token, p_note_data) as u (run_id, token, data)
     where u.run_id <> all (v_done);
    select coalesce(array_agg(u.run_id), '{}'), array_agg(u.token), array_agg(u.state)
      into p_close_run, p_close_token, p_close_state
      from unnest(p_close_run, p_close_token, p_close_state) as u (run_id, token, state)
     where u.run_id <> all (v_done);
    select coalesce(array_agg(u.parent), '{}'), array_agg(u.data) into p_child_parent, p_child_data
      from unnest(p_child_parent, p_child_data) as u (parent, data)
     where (u.data ->> 'run')::uuid <> all (v_done);
    perform pawl.project_runs(
        p_bucket, '{}', '{}', p_sub_run, p_sub_token, p_sub_tenant, p_sub_event, p_sub_key, p_sub_since, p_unsub_run,
        p_unsub_token, p_open_run, p_open_token, p_open_tenant, p_open_workflow, p_open_node, p_open_subject,
        p_open_data, p_note_run, p_note_token, p_note_data, p_close_run, p_close_token, p_close_state, p_publish_run,
        p_publish_tenant, p_publish_id, p_publish_event, p_publish_key, p_publish_data, p_child_parent, p_child_data,
        p_ended
    );
end
$$;
