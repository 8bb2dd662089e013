-- Whether a definition is about people on their way: it says so, sends messages, splits, has a goal or picks who
-- enters.
create or replace function pawl.is_journey(p_definition jsonb) returns boolean
language sql immutable parallel safe
return p_definition @> '{"person": true}' or p_definition ?| '{goal,holdout,enter_if}'
    or p_definition @? '$.nodes[*].type ? (@ == "message" || @ == "split" || @ == "goal" || @ == "trigger")'
    or p_definition @? '$.steps[*] ? (exists(@.message) || exists(@.split))'
    or p_definition @? '$.triggers[*] ? (exists(@.audience))';

-- Lets the runs of a workflow count that begin a minute from now or later: those of transactions that are open
-- meanwhile may be read by the projector before it sees this. Changes nothing for a workflow that is counted.
create or replace function pawl.let_count(p_workflow int) returns void
language plpgsql set search_path = pg_catalog as $$
begin
    update pawl.workflow w
       set counted_since = clock_timestamp() + interval '1 minute'
     where w.id = p_workflow and w.counted_since is null;
end
$$;

-- The same for a workflow of the tenant, by name. Returns its number; null: there is no such workflow.
create or replace function pawl.count_workflow(p_name text) returns int
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    v_workflow int := (
        select w.id from pawl.workflow w where w.tenant = pawl.current_tenant() and w.name = p_name
    );
begin
    perform pawl.let_count(v_workflow);
    return v_workflow;
end
$$;

-- The transaction that writes rows of the log; null while no workflow is counted, so that the log of a database without
-- journeys costs nothing more. No row is missed: a run of a journey begins after its workflow was committed, and a
-- workflow that is counted later counts the runs that begin a minute after that. Called by start_runs and commit_runs
-- once for each statement.
create or replace function pawl.counted_xid() returns bigint
language plpgsql set search_path = pg_catalog as $$
begin
    if exists (select 1 from pawl.workflow w where w.counted_since is not null) then
        return txid_current();
    end if;
    return null;
end
$$;

-- Whether the log of a bucket has anything to count. Called by project_funnels.
create or replace function pawl.counts_anything(p_bucket smallint) returns boolean
language sql stable
begin atomic
    select exists (
        select 1 from pawl.tenant t
         cross join lateral (select 1 from pawl.workflow w
                              where w.tenant = t.id and w.counted_since is not null limit 1) as w
         where t.bucket = p_bucket
    );
end;

-- Which of these runs count: those of a counted workflow that began since. Runs that p_bucket does not hold do not.
create or replace function pawl.counted_runs(p_bucket smallint, p_run uuid[])
returns table (run_id uuid, tenant int, workflow int, version int, subject text, copied int)
language plpgsql stable set search_path = pg_catalog set enable_seqscan = off set jit = off as $$
#variable_conflict use_column
begin
    return query
    with begun as materialized (
        -- All of them before the workflows are looked at: else these would be read anew for each.
        select u.run_id, s.at, (s.data ->> 'workflow')::int as workflow, (s.data ->> 'version')::int as version,
               s.data ->> 'subject' as subject, coalesce((s.data ->> 'copied')::int, 0) as copied
          from unnest(p_run) as u (run_id)
         cross join lateral (
             select e.data, e.at from pawl.event e
              where e.bucket = p_bucket and e.run_id = u.run_id and e.seq = 0 offset 0
         ) as s
    )
    select b.run_id, w.tenant, w.id, b.version, b.subject, b.copied
      from begun b
      join pawl.workflow w on w.id = b.workflow and w.counted_since <= b.at;
end
$$;
