-- p_scan: how many of the newest events of all tenants may be looked at before the index of the tenant is asked, which
-- costs as much as the tenant has events of that name.
create or replace function pawl.list_inbox(
    p_bucket smallint, p_tenant int, p_name text, p_key text, p_before bigint, p_limit int, p_scan int
)
returns table (
    id bigint, event_id text, name text, key text, subject text, source text, "time" timestamptz, data jsonb,
    at timestamptz, pending boolean, problem text
)
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp set plan_cache_mode = force_custom_plan set jit = off
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
    v_scan int := least(p_scan, 1000);
    v_before bigint := coalesce(p_before, 9223372036854775807);
    v_ids bigint[] := '{}';
    v_walked int := 0;
    v_id bigint;
    v_fits boolean;
begin
    perform pawl.require_tenant(p_tenant);
    for v_id, v_fits in
        select i.id, i.tenant = p_tenant and (p_name is null or i.name = p_name) and (p_key is null or i.key = p_key)
          from pawl.inbox i
         where i.bucket + 0 = p_bucket and i.id < v_before
         order by i.id desc
         limit v_scan
    loop
        v_walked := v_walked + 1;
        v_before := v_id;
        continue when not v_fits;
        v_ids := v_ids || v_id;
        exit when cardinality(v_ids) = p_limit;
    end loop;
    if v_walked = v_scan and cardinality(v_ids) < p_limit then
        v_ids := v_ids || array(
            select i.id
              from pawl.inbox i
             where i.bucket + 0 = p_bucket and i.tenant = p_tenant and (p_name is null or i.name = p_name)
               and (p_key is null or i.key = p_key) and i.id + 0 < v_before
             order by i.id + 0 desc
             limit p_limit - cardinality(v_ids)
        );
    end if;
    return query
    select i.id, i.event_id, i.name, i.key, i.subject, i.source, i.time, i.data, i.at,
           exists (
               select 1
                 from (
                     select q.id, q.more from pawl.inbox_pending q
                      where q.bucket = p_bucket and q.id <= i.id
                      order by q.id desc limit 1000
                 ) as q
                where q.id = i.id or i.id = any (q.more)
           )
           or exists (select 1 from pawl.trigger_pending q where q.bucket = p_bucket and q.id = i.id)
           or exists (select 1 from pawl.trigger_held h
                       where h.bucket = p_bucket and h.tenant = p_tenant and h.id = i.id),
           coalesce(i.problem, (
               select h.reason from pawl.trigger_held h
                where h.bucket = p_bucket and h.tenant = p_tenant and h.id = i.id))
      from unnest(v_ids) with ordinality as u (id, place)
     cross join lateral (
         select * from pawl.inbox x where x.bucket + 0 = p_bucket and x.id = u.id offset 0
     ) as i
     order by u.place;
end
$$;

-- Deletes about p_limit events of the inbox that are older than p_keep, oldest first, and returns how many. Events stay
-- that are not matched yet, are to start a run, are held, or may be waited for by a run that is older than they are.
create or replace function pawl.purge_inbox(p_bucket smallint, p_keep interval, p_limit int) returns bigint
language plpgsql set search_path = pg_catalog set enable_seqscan = off set enable_bitmapscan = off
set jit = off as $$
declare
    v_oldest timestamptz;
    v_from bigint := 0;
    v_last bigint;
    v_gone bigint := 0;
    v_count bigint;
begin
    -- Run ids carry their time.
    select to_timestamp(('x' || left(replace(l.run_id::text, '-', ''), 12))::bit(48)::bigint / 1000.0) into v_oldest
      from pawl.live_run l
     where l.bucket = p_bucket
     order by l.bucket, l.run_id
     limit 1;
    loop
        select max(w.id) into v_last
          from (select i.id, i.at from pawl.inbox i where i.bucket + 0 = p_bucket and i.id > v_from
                 order by i.id limit p_limit) as w
         where w.at < now() - p_keep;
        exit when v_last is null;
        delete from pawl.inbox i
         where i.bucket + 0 = p_bucket and i.id > v_from and i.id <= v_last and i.at < now() - p_keep
           and not exists (select 1 from pawl.inbox_pending q where q.bucket = p_bucket and q.id <= i.id)
           and not exists (select 1 from pawl.trigger_pending q where q.bucket = p_bucket and q.id = i.id)
           and not exists (select 1 from pawl.trigger_held h
                            where h.bucket = p_bucket and h.tenant = i.tenant and h.id = i.id)
           and (v_oldest is null or v_oldest > i.at
                or not exists (select 1 from pawl.event_wait w where w.event in (i.name, '*')));
        get diagnostics v_count = row_count;
        v_gone := v_gone + v_count;
        exit when v_gone >= p_limit or v_count > 0;
        v_from := v_last;
    end loop;
    return v_gone;
end
$$;
