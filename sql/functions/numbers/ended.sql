-- How a run that has ended did so, in the words of the counts. Called by people_ended.
create or replace function pawl.end_of_run(p_bucket smallint, p_run uuid, p_status smallint) returns text
language sql stable
begin atomic
    select case p_status when 2 then 'failed' when 3 then 'cancelled' else (
        select case when bool_or(e.data ? 'exited_by') then 'exited' else 'completed' end
          from pawl.event e
         where e.bucket = p_bucket and e.run_id = p_run and e.type = 4
    ) end;
end;

-- Whether a branch of a run that has ended with this status came to a node and did not go on from there: the last that
-- happened to it is a wait at the node, or an error there that nothing caught. Called by people_ended.
create or replace function pawl.ended_at(p_bucket smallint, p_run uuid, p_status smallint, p_node text) returns boolean
language sql stable
begin atomic
    select exists (
        select 1
          from (
              select distinct on (coalesce(e.token, 0)) e.type, e.node, e.data
                from pawl.event e
               where e.bucket = p_bucket and e.run_id = p_run and e.node is not null
                 and e.type in (1, 2, 3, 7, 8, 9, 16)
               order by coalesce(e.token, 0), e.seq desc
          ) as l
         where pawl.event_key(l.node) = pawl.event_key(p_node)
           -- A run that completed has passed a step that failed, except where it was to be tried again.
           and (l.type = 3 or l.type = 2 and not coalesce(l.data ? 'caught', false)
                              and (p_status <> 1 or coalesce(l.data ? 'retry_at', false)))
    );
end;

-- People whose runs of a workflow have ended, newest first, p_limit of them before p_run: in this way (p_state:
-- completed, with those that exited; exited; failed; cancelled; ended: any), at this node, of this version, from p_from
-- on and before p_to, where these are given. Looks through 10,000 runs at most. For the tenant of the session; as the
-- owner, since the policy of the log would look every row's run up.
create or replace function pawl.people_ended(
    p_bucket smallint, p_workflow int, p_state text, p_at text, p_version int, p_from timestamptz, p_to timestamptz,
    p_run uuid, p_limit int
)
returns table (run_id uuid, version int, state text, closed_at timestamptz, subject text)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off set jit = off
as $$
#variable_conflict use_column
declare
    v_tenant int := pawl.current_tenant();
    v_status smallint[] := case p_state when 'failed' then '{2}' when 'cancelled' then '{3}' when 'ended' then '{1,2,3}'
                                        else '{1}' end;
    v_run record;
    v_left int := p_limit;
begin
    for v_run in
        select x.*
          from unnest(v_status) as s (status)
         cross join lateral (
             select r.run_id, r.version, r.status, r.closed_at, r.subject from pawl.run r
              where r.bucket + 0 = p_bucket and r.tenant = v_tenant and r.workflow = p_workflow and r.status = s.status
                and (p_version is null or r.version = p_version) and (p_run is null or r.run_id < p_run)
              order by r.run_id desc limit 10000
         ) as x
         order by x.run_id desc limit 10000
    loop
        exit when v_left <= 0;
        continue when v_run.closed_at < p_from or v_run.closed_at >= p_to;
        continue when p_at is not null and not pawl.ended_at(p_bucket, v_run.run_id, v_run.status, p_at);
        state := pawl.end_of_run(p_bucket, v_run.run_id, v_run.status);
        continue when p_state = 'exited' and state <> 'exited';
        run_id := v_run.run_id;
        version := v_run.version;
        closed_at := v_run.closed_at;
        subject := v_run.subject;
        v_left := v_left - 1;
        return next;
    end loop;
end
$$;
