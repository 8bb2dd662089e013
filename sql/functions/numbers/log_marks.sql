-- needs: functions/events/publish
-- needs: functions/numbers/counted

-- A subject as a number, for tables that count people and need not know them.
create or replace function pawl.person_number(p_subject text) returns bigint
language sql immutable parallel safe
return hashtextextended(pawl.event_key(p_subject), 0);

-- A snapshot as it would be if no transaction from p_xid on had begun; the same where p_xid is later.
create or replace function pawl.cut_snapshot(p_now txid_snapshot, p_xid bigint) returns txid_snapshot
language sql immutable
return case
    when p_xid >= txid_snapshot_xmax(p_now) then p_now
    else format('%s:%s:%s', least(txid_snapshot_xmin(p_now), p_xid), p_xid, (
        select string_agg(x.id::text, ',' order by x.id) from txid_snapshot_xip(p_now) as x (id) where x.id < p_xid
    ))::txid_snapshot
end;

-- Events of the log to be counted: with p_run all of these runs that p_now sees, else those that p_now sees and p_seen
-- does not. Rows without a transaction are older than all of them. As many rows as that, so that the planner joins what
-- is short to them and not the other way round. Called by log_said.
create or replace function pawl.log_news(
    p_bucket smallint, p_seen txid_snapshot, p_now txid_snapshot, p_run uuid[]
)
returns table (run_id uuid, seq int, type smallint, node text, at timestamptz, data jsonb, error jsonb)
language plpgsql rows 1000000 set search_path = pg_catalog set enable_seqscan = off set enable_indexscan = off
set enable_indexonlyscan = off set jit = off as $$
#variable_conflict use_column
declare
    v_from bigint := txid_snapshot_xmax(p_seen);
    v_until bigint := txid_snapshot_xmax(p_now);
    v_late bigint;
begin
    if p_run is not null then
        perform set_config('enable_indexscan', 'on', true);
        return query
        select u.run_id, e.seq, e.type, e.node, e.at, e.data, e.error
          from unnest(p_run) as u (run_id)
         cross join lateral (
             select * from pawl.event x where x.bucket = p_bucket and x.run_id = u.run_id offset 0
         ) as e
         where e.xid is null or txid_visible_in_snapshot(e.xid, p_now);
        return;
    end if;
    return query
    select e.run_id, e.seq, e.type, e.node, e.at, e.data, e.error
      from pawl.event e
     where e.bucket + 0 = p_bucket and e.xid >= v_from and e.xid < v_until
       and txid_visible_in_snapshot(e.xid, p_now);
    -- Transactions that were open then and have ended since.
    for v_late in select x.id from txid_snapshot_xip(p_seen) as x (id) where txid_visible_in_snapshot(x.id, p_now) loop
        return query
        select e.run_id, e.seq, e.type, e.node, e.at, e.data, e.error
          from pawl.event e
         where e.bucket + 0 = p_bucket and e.xid = v_late;
    end loop;
end
$$;

-- Nodes of versions whose events need a closer look.
create or replace function pawl.marked_nodes(p_workflow int[], p_version int[])
returns table (workflow int, version int, node text, type text, channel text)
language sql stable
begin atomic
    select v.workflow, v.version, n.node ->> 'id', n.node ->> 'type', n.node -> 'config' ->> 'channel'
      from (select distinct d.workflow, d.version from unnest(p_workflow, p_version) as d (workflow, version)) as u
      join pawl.workflow_version v on v.workflow = u.workflow and v.version = u.version
     cross join lateral jsonb_array_elements(
         case when jsonb_typeof(v.definition -> 'nodes') = 'array' then v.definition -> 'nodes' else '[]' end
     ) as n (node)
     where n.node ->> 'type' in ('message', 'condition', 'split', 'agent');
end;

-- The splits that runs have passed, as SPLIT:VARIANT, with the place in the log. Runs of versions without a split need
-- not be asked for.
create or replace function pawl.passed_splits(p_bucket smallint, p_run uuid[], p_workflow int[], p_version int[])
returns table (run_id uuid, seq int, at timestamptz, variant text)
language plpgsql stable set search_path = pg_catalog set enable_seqscan = off set jit = off as $$
#variable_conflict use_column
begin
    return query
    select u.run_id, e.seq, e.at, pawl.event_key(e.node || ':' || (e.data #>> '{value,variant}'))
      from unnest(p_run, p_workflow, p_version) as u (run_id, workflow, version)
      join (
          select m.workflow, m.version, array_agg(m.node) as nodes
            from pawl.marked_nodes(p_workflow, p_version) as m
           where m.type = 'split'
           group by m.workflow, m.version
      ) as s on s.workflow = u.workflow and s.version = u.version
     cross join lateral (
         select * from pawl.event x where x.bucket = p_bucket and x.run_id = u.run_id offset 0
     ) as e
     where e.type = 7 and e.node = any (s.nodes) and e.data #>> '{value,variant}' is not null;
end
$$;

-- The word that the counts have for an event; null: none. p_kind: what its node is, where that matters.
create or replace function pawl.event_mark(p_type smallint, p_data jsonb) returns text
language sql immutable parallel safe
return case p_type
    when 0 then 'started'
    when 1 then 'passed'
    when 2 then case when p_data ? 'retry_at' then 'retried' else 'failed' end
    when 3 then 'waited'
    when 4 then case when p_data ? 'exited_by' then 'exited' else 'completed' end
    when 5 then 'failed'
    when 6 then 'cancelled'
    when 7 then 'passed'
    when 9 then case when p_data ->> 'late' = 'true' then null else 'passed' end
    when 16 then 'passed'
end;

-- What it adds: the handle by which a node was left, the code of an error, the event that ended a run.
create or replace function pawl.event_detail(p_type smallint, p_kind text, p_data jsonb, p_error jsonb) returns text
language sql immutable parallel safe
return coalesce(case p_type
    when 1 then case p_kind when 'condition' then p_data ->> 'result'
                            when 'agent' then nullif(p_data ->> 'decision', '')
                            when 'message' then case p_data ->> 'state' when 'skipped' then 'skipped' end end
    when 2 then coalesce(p_error ->> 'code', '')
    when 4 then coalesce(p_data ->> 'exited_by', '')
    when 5 then coalesce(p_error ->> 'code', '')
    when 7 then p_data ->> 'handle'
    when 16 then nullif(p_data ->> 'handle', '')
    when 9 then 'default'
    else '' end, 'default');

-- What an event counts as beside its mark; null: nothing. `watches` is not counted: it says what goals hang on.
create or replace function pawl.event_more(p_type smallint, p_kind text, p_copied int, p_node text, p_data jsonb)
returns text
language sql immutable parallel safe
return case p_type
    when 0 then case when p_copied = 0 then 'entered' end
    when 1 then case when p_kind = 'message' and p_data ->> 'state' in ('sent', 'skipped') then p_data ->> 'state' end
    when 2 then case when p_data ->> 'caught' <> 'item' then 'passed' end
    when 3 then case when p_node is null then 'watches' end
    when 4 then case when p_data ->> 'reason' = 'goal' then 'reached' end
    when 16 then 'skipped'
end;

-- What event_more adds: why a message was skipped, the handle of an error that was caught, the goal that was reached.
create or replace function pawl.more_detail(p_type smallint, p_data jsonb) returns text
language sql immutable parallel safe
return case p_type
    when 1 then coalesce(p_data ->> 'reason', '')
    when 2 then p_data ->> 'caught'
    when 4 then p_data ->> 'goal'
    when 16 then 'by_hand'
    else ''
end;

-- Events to be counted (log_news) in words of the counts, a row each. Events that a retried run copied from the first
-- one were counted there. `mark` with `detail`, if there is one; beside it `what` with `more`, and `edges`, a list of
-- what was routed. `hour`: when; `counts`: not before p_since. `enters`: empty for a run that begins, SPLIT:VARIANT for
-- one that passes a split by this event. `variants`: those of splits that the run has passed. No node: the log says
-- what the goals of a run hang on. Called by count_log, which groups the rows before they are made to fit the tables.
create or replace function pawl.log_said(
    p_bucket smallint, p_seen txid_snapshot, p_now txid_snapshot, p_run uuid[], p_since timestamptz
)
returns table (
    tenant int, workflow int, version int, run_id uuid, subject text, at timestamptz, hour timestamptz, counts boolean,
    node text, mark text, detail text, channel text, what text, more text, edges jsonb, enters text, variants text[]
)
language plpgsql set search_path = pg_catalog set enable_seqscan = off set enable_mergejoin = off
set work_mem = '32MB' set jit = off as $$
#variable_conflict use_column
begin
    return query
    with news as materialized (
        select n.* from pawl.log_news(p_bucket, p_seen, p_now, p_run) as n
         where n.type in (0, 4, 5, 6) or n.type in (1, 2, 3, 7, 8, 9, 16) and n.node is not null
            or n.type = 3 and n.data ? 'goals'
    ), first as materialized (
        select n.run_id, n.data, n.at from news n where n.seq = 0
    ), begun as materialized (
        -- Of runs that begin here nothing has to be looked up.
        select f.run_id, w.tenant, w.id as workflow, (f.data ->> 'version')::int as version,
               f.data ->> 'subject' as subject, coalesce((f.data ->> 'copied')::int, 0) as copied
          from first f
          join pawl.workflow w on w.id = (f.data ->> 'workflow')::int and w.counted_since <= f.at
         union all
        select c.* from pawl.counted_runs(p_bucket, array(
            select distinct n.run_id from news n where n.seq > 0 and n.run_id not in (select f.run_id from first f)
        )) c
    ), shape as materialized (
        select m.*
          from (select array_agg(v.workflow) as workflows, array_agg(v.version) as versions
                  from (select distinct b.workflow, b.version from begun b) as v) as t
         cross join lateral pawl.marked_nodes(t.workflows, t.versions) as m
    ), split as materialized (
        select p.run_id, array_agg(p.seq) as seqs, array_agg(p.variant) as names
          from (select array_agg(b.run_id) as runs, array_agg(b.workflow) as workflows, array_agg(b.version) as versions
                  from begun b
                 where (b.workflow, b.version) in (select h.workflow, h.version from shape h where h.type = 'split')
               ) as t
         cross join lateral pawl.passed_splits(p_bucket, t.runs, t.workflows, t.versions) as p
         group by p.run_id
    )
    select b.tenant, b.workflow, b.version, n.run_id, b.subject, n.at,
           date_bin('1 hour', n.at, '2000-01-01 00:00:00+00'), n.at >= p_since,
           case when n.type in (0, 4, 5, 6) then '' else n.node end, pawl.event_mark(n.type, n.data),
           pawl.event_detail(n.type, h.type, n.data, n.error),
           case when h.type = 'message' then left(coalesce(n.data ->> 'channel', h.channel, ''), 15) else '' end,
           pawl.event_more(n.type, h.type, b.copied, n.node, n.data), pawl.more_detail(n.type, n.data),
           case when n.type = 8 then n.data -> 'edges' end,
           case when n.type = 0 then case when b.copied = 0 then '' end
                when h.type = 'split' then s.names[array_position(s.seqs, n.seq)] end,
           case when s.seqs is not null
                then array(select distinct p.name from unnest(s.seqs, s.names) as p (seq, name) where p.seq <= n.seq)
                end
      from news n
      join begun b on b.run_id = n.run_id and (n.seq = 0 or n.seq > b.copied)
      left join shape h on h.workflow = b.workflow and h.version = b.version and h.node = n.node
      left join split s on s.run_id = n.run_id;
end
$$;
