-- Copies the events of runs that outlive their week (open ones, and those whose rows were carried over) to
-- pawl.event_keeping, for up to p_batch runs after (p_at_bucket, p_at_run). These become the last run of the batch,
-- null when none is left.
create or replace function pawl.keep_events(
    p_week timestamptz, p_batch int, inout p_at_bucket smallint, inout p_at_run uuid
)
language plpgsql security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off
set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off as $$
declare
    v_part record;
    v_bucket smallint[];
    v_run uuid[];
begin
    select * into v_part from pawl.retiring('event', p_week);
    -- Open runs, and runs whose rows were carried over.
    select array_agg(x.bucket order by x.bucket, x.run_id), array_agg(x.run_id order by x.bucket, x.run_id)
      into v_bucket, v_run
      from (select b.bucket, u.run_id
              from (select distinct t.bucket from pawl.tenant t) as b
             cross join lateral (
                 (select l.run_id
                    from pawl.live_run l
                   where l.bucket = b.bucket and l.run_id >= v_part.from_id and l.run_id < v_part.until_id
                     and (b.bucket > p_at_bucket or l.run_id > p_at_run or p_at_run is null)
                   order by l.run_id
                   limit p_batch)
                 union
                 (select r.run_id
                    from pawl.run r
                   where r.bucket = b.bucket and r.run_id >= v_part.from_id and r.run_id < v_part.until_id
                     and (b.bucket > p_at_bucket or r.run_id > p_at_run or p_at_run is null)
                   order by r.run_id
                   limit p_batch)
             ) as u
             where p_at_bucket is null or b.bucket >= p_at_bucket
             order by b.bucket, u.run_id
             limit p_batch) as x;
    insert into pawl.event_keeping
    select e.*
      from unnest(v_bucket, v_run) as u (bucket, run_id)
     cross join lateral (
         select * from pawl.event x where x.bucket = u.bucket and x.run_id = u.run_id offset 0
     ) as e
        on conflict do nothing;
    p_at_bucket := null;
    p_at_run := null;
    if cardinality(v_run) = p_batch then
        p_at_bucket := v_bucket[p_batch];
        p_at_run := v_run[p_batch];
    end if;
end
$$;

-- Copies what must be carried over of the next p_batch runs. Where it stopped; null after the last.
create or replace function pawl.keep_runs(
    p_week timestamptz, p_keep interval, p_batch int, inout p_at_bucket smallint, inout p_at_run uuid
)
language plpgsql security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off
set enable_bitmapscan = off set jit = off as $$
declare
    v_part record;
    v_walked bigint;
begin
    select * into v_part from pawl.retiring('run', p_week);
    -- Closed lately. A run that is open has no row here yet.
    with walked as materialized (
        select r.*
          from pawl.run r
         where r.run_id >= v_part.from_id and r.run_id < v_part.until_id
           and (r.bucket, r.run_id) > (coalesce(p_at_bucket, -1), coalesce(p_at_run, v_part.from_id))
         order by r.bucket, r.run_id
         limit p_batch
    ), copied as (
        insert into pawl.run_keeping select w.* from walked w where w.closed_at > now() - p_keep
            on conflict do nothing
    ), last as (
        select w.bucket, w.run_id from walked w order by w.bucket desc, w.run_id desc limit 1
    )
    select count(*), (select l.bucket from last l), (select l.run_id from last l)
      into v_walked, p_at_bucket, p_at_run
      from walked;
    if v_walked < p_batch then
        p_at_bucket := null;
        p_at_run := null;
    end if;
end
$$;
