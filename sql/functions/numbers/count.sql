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

-- Counts what is new in the log (log_said). Events before p_since were counted and cannot be again. Returns how many
-- were counted, and the runs whose places may have changed. Called by project_funnels, which has locked the projector.
create or replace function pawl.count_log(
    p_bucket smallint, p_seen txid_snapshot, p_now txid_snapshot, p_run uuid[], p_since timestamptz,
    out counted bigint, out moved uuid[]
)
language plpgsql set search_path = pg_catalog set enable_seqscan = off set work_mem = '32MB' set jit = off as $$
begin
    with said as materialized (select * from pawl.log_said(p_bucket, p_seen, p_now, p_run, p_since)),
    alike as materialized (
        -- Of many events few are not alike, and only these few are made to fit the tables.
        select s.tenant, s.workflow, s.version, s.hour, s.counts, s.node, s.mark, s.detail, s.channel, s.what, s.more,
               s.edges, s.variants, count(*) as count from said s
         group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13
    ), mark as materialized (
        select a.tenant, a.workflow, a.version, a.variants, a.hour, a.counts, pawl.event_key(a.node) as node, m.what,
               pawl.event_key(m.detail) as detail, a.channel, a.count from alike a
         cross join lateral (
             select a.mark as what, a.detail where a.mark is not null and a.node is not null
              union all
             select a.what, a.more where a.what is not null and a.node is not null
              union all
             select 'routed', r.edge from jsonb_array_elements_text(a.edges) as r (edge)
         ) as m
    ), hourly as materialized (
        select m.tenant, m.workflow, m.version, v.variant, m.hour as at, m.node, m.what, m.detail, m.channel,
               sum(m.count) as count from mark m
         cross join lateral (select '' union all select unnest(m.variants)) as v (variant)
         where m.counts
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
               sum(case m.what when 'started' then m.count else -m.count end)
          from mark m
         where m.what = 'started' or m.node = '' and m.what in ('completed', 'failed', 'cancelled', 'exited')
         group by 1, 2, 6
            on conflict (tenant, workflow, span, variant, at, version, node, what, detail, channel) do update
           set count = f.count + excluded.count
    ), noted as (
        select pawl.note_said(p_bucket, array_agg(s.tenant), array_agg(s.workflow), array_agg(s.version),
                              array_agg(s.run_id), array_agg(s.subject), array_agg(s.at),
                              array_agg(case when s.counts then s.enters end), array_agg(s.what), array_agg(s.more))
          from said s
         where s.enters is not null or s.what in ('entered', 'reached', 'watches')
        having count(*) > 0
    )
    select (select coalesce(sum(m.count), 0) from mark m),
           array(select s.run_id from said s
                  -- A retried run may wait where the first one did.
                  where s.mark in ('waited', 'retried') and s.node is not null
                     or s.mark = 'started' and s.what is null
                  union
                 select p.run_id
                   from (select distinct s.run_id from said s
                          where exists (select 1 from pawl.run_place x where x.bucket = p_bucket)) as u
                 cross join lateral (select x.run_id from pawl.run_place x
                                      where x.bucket = p_bucket and x.run_id = u.run_id limit 1) as p)
      into counted, moved
      from (select count(*) from noted) as n;
end
$$;

-- What else follows from events of the log than counts: who entered (p_enters: a workflow, or a variant), who may reach
-- a goal or has reached it. The arrays are of one length. Called by count_log.
create or replace function pawl.note_said(
    p_bucket smallint, p_tenant int[], p_workflow int[], p_version int[], p_run uuid[], p_subject text[],
    p_at timestamptz[], p_enters text[], p_what text[], p_more text[]
) returns void
language plpgsql set search_path = pg_catalog set enable_seqscan = off set jit = off as $$
begin
    perform pawl.note_people(array_agg(u.tenant), array_agg(u.workflow), array_agg(u.enters),
                             array_agg(pawl.person_number(coalesce(u.subject, u.run_id::text))),
                             array_agg(date_bin('1 hour', u.at, '2000-01-01 00:00:00+00')))
       from unnest(p_tenant, p_workflow, p_enters, p_run, p_subject, p_at)
            as u (tenant, workflow, enters, run_id, subject, at)
      where u.enters is not null
     having count(*) > 0;
    perform pawl.await_goals(p_bucket, array_agg(u.tenant), array_agg(u.workflow), array_agg(u.version),
                             array_agg(u.run_id), array_agg(u.subject), array_agg(u.at))
       from unnest(p_tenant, p_workflow, p_version, p_run, p_subject, p_at, p_what)
            as u (tenant, workflow, version, run_id, subject, at, what)
      where u.what = 'entered' and u.subject is not null
        and (u.workflow, u.version) in (select g.workflow, g.version from pawl.goal g)
     having count(*) > 0;
    -- What ended by a goal says so itself.
    perform pawl.note_conversions(p_bucket, array_agg(u.tenant), array_agg(u.workflow), array_agg(u.version),
                                  array_agg(u.run_id), array_agg(u.subject), array_agg(pawl.event_key(u.more)),
                                  array_agg(u.at))
       from unnest(p_tenant, p_workflow, p_version, p_run, p_subject, p_at, p_what, p_more)
            as u (tenant, workflow, version, run_id, subject, at, what, more)
      where u.what = 'reached'
     having count(*) > 0;
    perform pawl.watch_goals(p_bucket, array_agg(u.run_id))
       from unnest(p_run, p_what) as u (run_id, what) where u.what = 'watches' having count(*) > 0;
end
$$;
