-- needs: functions/numbers/count

-- What a fact counts as. A message has each of them once, however often the provider says so, except opens and clicks.
-- A click shows that the message was opened; what programs do says nothing about the person.
create or replace function pawl.fact_marks(p_kind text, p_machine boolean) returns text[]
language sql immutable parallel safe
return case p_kind
    when 'delivered' then '{delivered}'::text[]
    when 'opened' then case when p_machine then '{machine_opened}'::text[] else '{opened,opens}' end
    when 'clicked' then case when not p_machine then '{clicked,clicks,opened}'::text[] end
    when 'bounced' then '{bounced}'
    when 'failed' then '{undelivered}'
    when 'complained' then '{complained}'
    when 'unsubscribed' then '{unsubscribed}'
    when 'replied' then '{replied}'
end;

-- Facts to be counted: with p_run those about messages of these runs that p_now sees, else those that p_now sees and
-- p_seen does not. Called by count_facts.
create or replace function pawl.fact_news(
    p_bucket smallint, p_seen txid_snapshot, p_now txid_snapshot, p_run uuid[]
)
returns table (message uuid, kind text, machine boolean, at timestamptz, received_at timestamptz, id text)
language plpgsql set search_path = pg_catalog set enable_seqscan = off set enable_bitmapscan = off
set jit = off as $$
#variable_conflict use_column
begin
    if p_run is not null then
        return query
        select m.id, f.kind, f.machine, f.at, f.received_at, f.connector || f.account || f.provider_event_id
          from unnest(p_run) as u (run_id)
         cross join lateral (
             select x.id from pawl.message x where x.run_id = u.run_id and x.bucket + 0 = p_bucket offset 0
         ) as m
         cross join lateral (
             select * from pawl.message_fact x where x.bucket = p_bucket and x.message = m.id offset 0
         ) as f
         where f.xid is null or txid_visible_in_snapshot(f.xid, p_now);
        return;
    end if;
    return query
    select f.message, f.kind, f.machine, f.at, f.received_at, f.connector || f.account || f.provider_event_id
      from pawl.message_fact f
     where f.xid >= txid_snapshot_xmax(p_seen) and f.xid < txid_snapshot_xmax(p_now) and f.message is not null
       and f.bucket + 0 = p_bucket and txid_visible_in_snapshot(f.xid, p_now)
     union all
    select f.message, f.kind, f.machine, f.at, f.received_at, f.connector || f.account || f.provider_event_id
      from (select x.id from txid_snapshot_xip(p_seen) as x (id) where txid_visible_in_snapshot(x.id, p_now)) as l
     cross join lateral (
         select * from pawl.message_fact x where x.xid = l.id and x.message is not null offset 0
     ) as f
     where f.bucket = p_bucket;
end
$$;

-- The variants of which messages count: those of splits that the run had passed when it came to the message.
create or replace function pawl.message_variants(p_bucket smallint, p_message uuid[])
returns table (message uuid, variant text)
language plpgsql stable set search_path = pg_catalog set enable_seqscan = off set enable_bitmapscan = off
set jit = off as $$
#variable_conflict use_column
begin
    return query
    with asked as materialized (
        select m.id, m.run_id, m.workflow, m.version, m.created_at, m.node
          from unnest(p_message) as u (id)
         cross join lateral (select * from pawl.message x where x.bucket = p_bucket and x.id = u.id offset 0) as m
    )
    select distinct a.id, s.variant
      from asked a
      join (
          select p.*
            from (select array_agg(d.run_id) as runs, array_agg(d.workflow) as workflows,
                         array_agg(d.version) as versions
                    from (select distinct on (x.run_id) x.run_id, x.workflow, x.version from asked x) as d) as t
           cross join lateral pawl.passed_splits(p_bucket, t.runs, t.workflows, t.versions) as p
      ) as s on s.run_id = a.run_id
      left join lateral (
          select min(e.seq) as seq
            from pawl.event e
           where e.bucket = p_bucket and e.run_id = a.run_id and e.type = 1 and e.node = a.node
             and e.data ->> 'message' = a.id::text
      ) as e on true
     where case when e.seq is not null then s.seq < e.seq else s.at <= a.created_at end;
end
$$;

-- Facts to be counted (fact_news) as what they count as, a row each, with their messages. Times that providers say are
-- kept between that of the message and now. Called by count_facts.
create or replace function pawl.facts_said(
    p_bucket smallint, p_seen txid_snapshot, p_now txid_snapshot, p_run uuid[]
)
returns table (
    message uuid, tenant int, workflow int, version int, node text, channel text, what text, at timestamptz
)
language plpgsql set search_path = pg_catalog set enable_seqscan = off set work_mem = '32MB' set jit = off as $$
#variable_conflict use_column
begin
    return query
    with news as materialized (
        -- Without the workflows: all messages would be looked up again for each workflow, when these were few as the
        -- database counted them last.
        select n.message, n.kind, n.machine, n.at, n.id, m.run_id, m.tenant, m.workflow, m.version, m.node, m.channel,
               least(greatest(n.at, m.created_at), n.received_at) as counts_at
          from pawl.fact_news(p_bucket, p_seen, p_now, p_run) as n
         cross join lateral (select * from pawl.message x
                              where x.bucket = p_bucket and x.id = n.message and not x.test offset 0) as m
    )
    select n.message, n.tenant, n.workflow, n.version, n.node, n.channel, n.what, n.counts_at
      from (
          select k.*, row_number() over (partition by k.message, k.what order by k.at, k.id) as place
            from (select x.*, unnest(pawl.fact_marks(x.kind, x.machine)) as what
                    from news x
                    join pawl.workflow w on w.id = x.workflow
                   -- Messages of runs that do not count themselves do not count.
                   where w.counted_since = '-infinity'
                      or exists (select 1 from pawl.counted_runs(p_bucket, array[x.run_id]))) as k
      ) as n
     where n.what in ('opens', 'clicks') or n.place = 1 and (p_run is not null or not exists (
         select 1
           -- By itself: few facts are new, and the planner could read those of all messages at once.
           from (select * from pawl.message_fact x where x.bucket = p_bucket and x.message = n.message offset 0) as f
          where n.what = any (pawl.fact_marks(f.kind, f.machine))
            and (f.xid is null or txid_visible_in_snapshot(f.xid, p_seen))));
end
$$;

-- Counts what is new of facts (facts_said). Those before p_since were counted. Returns how many rows there were. Called
-- by project_funnels.
create or replace function pawl.count_facts(
    p_bucket smallint, p_seen txid_snapshot, p_now txid_snapshot, p_run uuid[], p_since timestamptz
) returns bigint
language plpgsql set search_path = pg_catalog set enable_seqscan = off set work_mem = '32MB' set jit = off as $$
declare
    v_facts bigint;
begin
    with new as materialized (
        select s.*, date_bin('1 hour', s.at, '2000-01-01 00:00:00+00') as hour
          from pawl.facts_said(p_bucket, p_seen, p_now, p_run) as s
    ), split as materialized (
        select s.workflow, s.version
          from (select array_agg(d.workflow) as workflows, array_agg(d.version) as versions
                  from (select distinct n.workflow, n.version from new n) as d) as t
         cross join lateral pawl.marked_nodes(t.workflows, t.versions) as s
         where s.type = 'split'
    ), variant as (
        select v.message, v.variant
          from pawl.message_variants(p_bucket, array(
              select distinct n.message from new n where (n.workflow, n.version) in (select s.* from split s)
          )) as v
    ), alike as (
        -- Of many facts few are not alike.
        select n.tenant, n.workflow, n.version, '' as variant, n.hour, n.node, n.what, n.channel, count(*) as count
          from new n where n.at >= p_since
         group by 1, 2, 3, 5, 6, 7, 8
         union all
        select n.tenant, n.workflow, n.version, v.variant, n.hour, n.node, n.what, n.channel, count(*)
          from new n join variant v on v.message = n.message where n.at >= p_since
         group by 1, 2, 3, 4, 5, 6, 7, 8
    ), hourly as materialized (
        select m.tenant, m.workflow, m.version, m.variant, m.hour as at, pawl.event_key(m.node) as node, m.what,
               left(m.channel, 60) as channel, sum(m.count) as count
          from alike m
         group by 1, 2, 3, 4, 5, 6, 7, 8
    ), added as (
        insert into pawl.funnel_count as f
            (tenant, workflow, span, variant, at, version, node, what, detail, channel, count)
        select h.tenant, h.workflow, 'h', h.variant, h.at, h.version, h.node, h.what, '', h.channel, h.count
          from hourly h
         union all
        select h.tenant, h.workflow, 'd', h.variant, date_trunc('day', h.at, 'UTC'), h.version, h.node, h.what, '',
               h.channel, sum(h.count)
          from hourly h
         group by 1, 2, 4, 5, 6, 7, 8, 10
            on conflict (tenant, workflow, span, variant, at, version, node, what, detail, channel) do update
           set count = f.count + excluded.count
    )
    select count(*) into v_facts from new n;
    return v_facts;
end
$$;

-- The same for conversions. Called by project_funnels.
create or replace function pawl.count_conversions(
    p_bucket smallint, p_seen txid_snapshot, p_now txid_snapshot, p_run uuid[], p_since timestamptz
) returns bigint
language plpgsql set search_path = pg_catalog set enable_seqscan = off set jit = off as $$
declare
    v_count bigint;
begin
    with new as materialized (
        select c.* from pawl.conversion c
         where p_run is null and c.xid >= txid_snapshot_xmax(p_seen) and c.xid < txid_snapshot_xmax(p_now)
           and c.bucket + 0 = p_bucket and txid_visible_in_snapshot(c.xid, p_now)
         union all
        select c.* from pawl.conversion c
         where p_run is null and c.bucket + 0 = p_bucket
           and c.xid = any (array(select x.id from txid_snapshot_xip(p_seen) as x (id)
                                   where txid_visible_in_snapshot(x.id, p_now)))
         union all
        select c.* from unnest(p_run) as u (run_id)
         cross join lateral (
             select * from pawl.conversion x where x.bucket = p_bucket and x.run_id = u.run_id offset 0
         ) as c
         where txid_visible_in_snapshot(c.xid, p_now)
    ), variant as (
        select distinct n.run_id, n.goal, s.variant
          from new n
          join pawl.passed_splits(p_bucket, array(select x.run_id from new x), array(select x.workflow from new x),
                                  array(select x.version from new x)) as s on s.run_id = n.run_id and s.at <= n.at
         union all
        select n.run_id, n.goal, '' from new n
    ), added as (
        select pawl.add_counts(
                   array_agg(n.tenant), array_agg(n.workflow), array_agg(n.version), array_agg(v.variant),
                   array_agg(n.at), array_agg(''::text), array_agg('converted'::text), array_agg(n.goal),
                   array_agg(''::text))
          from new n
          join variant v on v.run_id = n.run_id and v.goal = n.goal
         where n.at >= p_since
        having count(*) > 0
    )
    select count(*) into v_count from new n, (select count(*) from added) as a;
    return v_count;
end
$$;
