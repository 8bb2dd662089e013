-- needs: functions/numbers/log_marks
-- needs: functions/numbers/particular_goals
-- needs: functions/numbers/people

-- Adds to the counts, by hour and by day. `variants`: each has a row of its own beside that of all. The arrays are of
-- one length. Called by count_conversions.
create or replace function pawl.add_counts(
    p_tenant int[], p_workflow int[], p_version int[], p_variant text[], p_at timestamptz[], p_node text[],
    p_what text[], p_detail text[], p_channel text[]
) returns void
language plpgsql set search_path = pg_catalog set jit = off as $$
begin
    insert into pawl.funnel_count as f
        (tenant, workflow, span, variant, at, version, node, what, detail, channel, count)
    select u.tenant, u.workflow, s.span, u.variant, s.at, u.version, u.node, u.what, u.detail, u.channel, count(*)
      from unnest(p_tenant, p_workflow, p_version, p_variant, p_at, p_node, p_what, p_detail, p_channel)
           as u (tenant, workflow, version, variant, at, node, what, detail, channel)
     cross join lateral (values ('h'::"char", date_trunc('hour', u.at, 'UTC')),
                                ('d', date_trunc('day', u.at, 'UTC'))) as s (span, at)
     group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
        on conflict (tenant, workflow, span, variant, at, version, node, what, detail, channel) do update
       set count = f.count + excluded.count;
end
$$;

-- Counts what is new in the log (log_news). Events before p_since were counted and cannot be again. Returns how many
-- were counted, and the runs whose places may have changed. Called by project_funnels, which has locked the projector.
create or replace function pawl.count_log(
    p_bucket smallint, p_seen txid_snapshot, p_now txid_snapshot, p_run uuid[], p_since timestamptz,
    out counted bigint, out moved uuid[]
)
language plpgsql set search_path = pg_catalog set enable_seqscan = off set work_mem = '32MB' set jit = off as $$
begin
    with mark as materialized (select * from pawl.log_marks(p_bucket, p_seen, p_now, p_run)),
    hourly as materialized (
        select m.tenant, m.workflow, m.version, m.variant, date_trunc('hour', m.at, 'UTC') as at, m.node, m.what,
               m.detail, m.channel, count(*) as count
          from (select x.*, '' as variant from mark x
                 union all
                select x.*, unnest(x.variants) from mark x where x.variants is not null) as m
         where m.at >= p_since and m.what <> 'watches'
         group by 1, 2, 3, 4, 5, 6, 7, 8, 9
    ), added as (
        insert into pawl.funnel_count as f
            (tenant, workflow, span, variant, at, version, node, what, detail, channel, count)
        select h.tenant, h.workflow, 'h', h.variant, h.at, h.version, h.node, h.what, h.detail, h.channel, h.count
          from hourly h
         union all
        select h.tenant, h.workflow, 'd', h.variant, date_trunc('day', h.at, 'UTC'), h.version, h.node, h.what,
               h.detail, h.channel, sum(h.count)
          from hourly h
         group by 1, 2, 4, 5, 6, 7, 8, 9, 10
         union all
        -- How many are inside, whenever they came in.
        select m.tenant, m.workflow, 'n', '', '-infinity', m.version, '', 'inside', '', '',
               sum(case m.what when 'started' then 1 else -1 end)
          from mark m
         where m.what = 'started' or m.node = '' and m.what in ('completed', 'failed', 'cancelled', 'exited')
         group by 1, 2, 6
            on conflict (tenant, workflow, span, variant, at, version, node, what, detail, channel) do update
           set count = f.count + excluded.count
    ), people as (
        select pawl.note_people(
                   array_agg(m.tenant), array_agg(m.workflow), array_agg(m.enters),
                   array_agg(pawl.person_number(coalesce(m.subject, m.run_id::text))),
                   array_agg(date_trunc('hour', m.at, 'UTC')))
          from mark m
         where m.enters is not null and m.at >= p_since
        having count(*) > 0
    ), entered as (
        select pawl.await_goals(p_bucket, array_agg(m.tenant), array_agg(m.workflow), array_agg(m.version),
                                array_agg(m.run_id), array_agg(m.subject), array_agg(m.at))
          from mark m
         where m.what = 'entered' and m.subject is not null
           and (m.workflow, m.version) in (select g.workflow, g.version from pawl.goal g)
        having count(*) > 0
    ), reached as (
        -- What ended by a goal says so itself.
        select pawl.note_conversions(p_bucket, array_agg(m.tenant), array_agg(m.workflow), array_agg(m.version),
                                     array_agg(m.run_id), array_agg(m.subject), array_agg(m.detail), array_agg(m.at))
          from mark m where m.what = 'reached' having count(*) > 0
         union all
        select pawl.watch_goals(p_bucket, array_agg(m.run_id)) from mark m where m.what = 'watches' having count(*) > 0
    )
    select (select count(*) from mark),
           array(select m.run_id from mark m where m.what in ('waited', 'retried')
                  union
                 -- A retried run may wait where the first one did.
                 (select m.run_id from mark m where m.what = 'started'
                  except select m.run_id from mark m where m.what = 'entered')
                  union select p.run_id from (select distinct m.run_id from mark m) as m
                  cross join lateral (select x.run_id from pawl.run_place x
                                       where x.bucket = p_bucket and x.run_id = m.run_id limit 1) as p)
      into counted, moved
      from (select count(*) from people) as p, (select count(*) from entered) as e, (select count(*) from reached) as r;
end
$$;
