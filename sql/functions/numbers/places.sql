-- needs: functions/numbers/counted

-- Where the branches of runs wait, as far as p_now sees their logs; none for a run that has ended. A branch that was
-- withdrawn or came together with another one waits nowhere. Called by place_runs.
create or replace function pawl.places_of(p_bucket smallint, p_now txid_snapshot, p_run uuid[])
returns table (run_id uuid, token int, node text, state text, since timestamptz)
language plpgsql stable set search_path = pg_catalog set enable_seqscan = off set jit = off as $$
#variable_conflict use_column
begin
    return query
    with log as materialized (
        select u.run_id, e.seq, coalesce(e.token, 0) as token, e.type, e.node, e.at, e.data
          from unnest(p_run) as u (run_id)
         cross join lateral (
             select * from pawl.event x where x.bucket = p_bucket and x.run_id = u.run_id offset 0
         ) as e
         where e.xid is null or txid_visible_in_snapshot(e.xid, p_now)
    ), last as (
        -- What happened to a branch last: an event of its own, or one that lists it as dropped. No join of the log with
        -- itself: how many rows there are is known too late for a good one.
        select distinct on (k.run_id, k.token) k.*
          from (
              select l.run_id, l.token, l.seq, l.type, l.node, l.at, l.data
                from log l
               where l.type in (1, 2, 3, 7, 8, 9, 16) and l.node is not null
               union all
              select l.run_id, t.token::int, l.seq, null, null, l.at, null
                from log l
               cross join lateral (values ('cancelled'), ('withdrawn'), ('absorbed')) as k (list)
               cross join lateral jsonb_array_elements_text(
                   case when jsonb_typeof(l.data -> k.list) = 'array' then l.data -> k.list else '[]' end) as t (token)
               where l.type in (2, 6, 7, 9, 16, 20) and t.token ~ '^\d{1,9}$'
          ) as k
         order by k.run_id, k.token, k.seq desc, k.type nulls last
    )
    select l.run_id, l.token, pawl.event_key(l.node),
           case when l.type = 2 then 'retry' else left(coalesce(l.data ->> 'for', 'time'), 60) end, l.at
      from last l
     where (l.type = 3 or l.type = 2 and l.data ? 'retry_at')
       and l.run_id not in (select x.run_id from log x where x.type in (4, 5, 6));
end
$$;

-- Keeps run_place for these runs, and how many wait at each node. Called by project_funnels, which has locked the
-- projector.
create or replace function pawl.place_runs(p_bucket smallint, p_now txid_snapshot, p_run uuid[]) returns void
language plpgsql set search_path = pg_catalog set enable_seqscan = off set jit = off as $$
begin
    if coalesce(cardinality(p_run), 0) = 0 then
        return;
    end if;
    with place as materialized (
        select b.tenant, b.workflow, b.version, b.subject, p.*
          from pawl.places_of(p_bucket, p_now, p_run) as p
          join pawl.counted_runs(p_bucket, p_run) as b on b.run_id = p.run_id
    ), old as materialized (
        select x.* from unnest(p_run) as u (run_id)
         cross join lateral (
             select * from pawl.run_place o where o.bucket = p_bucket and o.run_id = u.run_id offset 0
         ) as x
    ), gone as (
        delete from pawl.run_place r using old o
         where r.bucket = p_bucket and r.run_id = o.run_id and r.token = o.token
           -- A hash; an anti join would be a loop in a loop where few rows are expected.
           and (o.run_id, o.token) not in (select p.run_id, p.token from place p)
    ), kept as (
        insert into pawl.run_place as r
            (bucket, run_id, token, tenant, workflow, version, node, state, since, subject)
        select p_bucket, p.run_id, p.token, p.tenant, p.workflow, p.version, p.node, p.state, p.since, p.subject
          from place p
            on conflict (bucket, run_id, token) do update
           set node = excluded.node, state = excluded.state, since = excluded.since
         where (r.node, r.state, r.since) is distinct from (excluded.node, excluded.state, excluded.since)
    )
    insert into pawl.funnel_count as f (tenant, workflow, span, at, version, node, what, detail, count)
    select c.tenant, c.workflow, 'n', '-infinity', c.version, c.node, 'waiting', c.state, sum(c.count)
      from (select o.tenant, o.workflow, o.version, o.node, o.state, -1 as count from old o
             union all
            select p.tenant, p.workflow, p.version, p.node, p.state, 1 from place p) as c
     group by c.tenant, c.workflow, c.version, c.node, c.state
    having sum(c.count) <> 0
        on conflict (tenant, workflow, span, variant, at, version, node, what, detail, channel) do update
       set count = f.count + excluded.count;
end
$$;
