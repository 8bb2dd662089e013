-- Dead letters by error, the most frequent first: how many, the first and the last, an example. p_scan: the most that
-- is counted of one error.
create or replace function pawl.group_dead_letters(
    p_bucket smallint, p_tenant int, p_workflow text, p_node text, p_replayed boolean, p_from timestamptz,
    p_before timestamptz, p_limit int, p_scan int
)
returns table (
    fingerprint text, workflow text, node text, message text, count bigint, first_at timestamptz, last_at timestamptz,
    sample_run uuid, complete boolean
)
language plpgsql stable
set search_path = pg_catalog set enable_seqscan = off set enable_bitmapscan = off set jit = off as $$
#variable_conflict use_column
declare
    v_workflow int;
begin
    if p_workflow is not null then
        select w.id into v_workflow from pawl.workflow w where w.tenant = p_tenant and w.name = p_workflow;
        if not found then
            return;
        end if;
    end if;
    return query
    with counted as materialized (
        select e.fingerprint, e.workflow, e.node, c.count, c.first_at, c.last_at
          from pawl.dead_letter_errors(p_bucket, p_tenant, v_workflow, p_node, null, coalesce(not p_replayed, false)) e
         cross join lateral pawl.count_dead_letters(p_bucket, p_tenant, e.fingerprint, p_replayed, p_from, p_before,
                                                    p_scan) c
         where c.count > 0
    )
    select g.fingerprint, w.name, g.node, s.error ->> 'message', g.count, g.first_at, g.last_at, s.run_id,
           (select max(c.count) from counted c) < p_scan
      from (select c.* from counted c order by c.count desc, c.last_at desc limit p_limit) as g
      join pawl.workflow w on w.id = g.workflow
     cross join lateral (
         select d.run_id, d.error
           from pawl.dead_letter d
          where d.bucket = p_bucket and d.tenant = p_tenant and d.fingerprint = g.fingerprint and d.at = g.last_at
            and (p_replayed is null or p_replayed = (d.replayed_as is not null))
          order by d.run_id desc
          limit 1
     ) as s
     order by g.count desc, g.last_at desc;
end
$$;

-- How many dead letters an error has, counted up to p_most, and when the first and the last of these were written.
create or replace function pawl.count_dead_letters(
    p_bucket smallint, p_tenant int, p_fingerprint text, p_replayed boolean, p_from timestamptz, p_before timestamptz,
    p_most int, out count bigint, out first_at timestamptz, out last_at timestamptz
)
language plpgsql stable
set search_path = pg_catalog set plan_cache_mode = force_generic_plan set jit = off
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off as $$
begin
    if p_replayed = false then
        select count(*), min(x.at), max(x.at) into count, first_at, last_at
          from (select d.at
                  from pawl.dead_letter d
                 where d.bucket + 0 = p_bucket and d.tenant = p_tenant and d.fingerprint = p_fingerprint
                   and d.replayed_as is null
                   and d.at > coalesce(p_from, '-infinity') and d.at < coalesce(p_before, 'infinity')
                 order by d.at desc
                 limit p_most) as x;
    else
        select count(*), min(x.at), max(x.at) into count, first_at, last_at
          from (select d.at
                  from pawl.dead_letter d
                 where d.bucket = p_bucket and d.tenant = p_tenant and d.fingerprint = p_fingerprint
                   and (p_replayed is null or d.replayed_as is not null)
                   and d.at > coalesce(p_from, '-infinity') and d.at < coalesce(p_before, 'infinity')
                 order by d.at desc
                 limit p_most) as x;
    end if;
end
$$;

-- How many dead letters of an error that wait were written in each of the last 24 hours, oldest first. Counts 10,000 of
-- them at most, the newest.
create or replace function pawl.dead_letter_pulse(p_bucket smallint, p_tenant int, p_fingerprint text) returns jsonb
language plpgsql stable
set search_path = pg_catalog set plan_cache_mode = force_generic_plan set jit = off
set enable_seqscan = off set enable_bitmapscan = off as $$
begin
    return (
        with counted as (
            select floor(extract(epoch from now() - x.at) / 3600)::int as hours_ago, count(*) as count
              from (select d.at
                      from pawl.dead_letter d
                     where d.bucket + 0 = p_bucket and d.tenant = p_tenant and d.fingerprint = p_fingerprint
                       and d.replayed_as is null and d.at > now() - interval '24 hours'
                     order by d.at desc
                     limit 10000) as x
             group by 1
        )
        select jsonb_agg(coalesce(c.count, 0) order by h.hour desc)
          from generate_series(0, 23) as h (hour)
          left join counted c on c.hours_ago = h.hour
    );
end
$$;
