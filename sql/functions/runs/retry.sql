-- For each closed run p_run[i] that failed or was cancelled: a new run p_new[i] that goes on where the old one stopped.
-- Its log is that of the old one without the end of the run and without the failures of a step that never finished, so
-- that this step is next and begins with its first attempt; failures after which the run had gone on stay. Times stay
-- too, except that the new run begins now, and with it its timeout. The new run passes the gates of the old one again.
-- The old run keeps the id of the new one, and is not retried a second time. Returns for each run its status ('' when
-- the tenant has none) and the run that continues it. Locks the rows of pawl.run, in order. Planned for each call:
-- batches are large and rare, and a plan made for a small table would last.
create or replace function pawl.retry_runs(p_bucket smallint, p_tenant int, p_run uuid[], p_new uuid[])
returns table (run_id uuid, status text, retried_as uuid, created boolean)
language plpgsql security definer
set search_path = pg_catalog, pg_temp set plan_cache_mode = force_custom_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set jit = off as $$
#variable_conflict use_column
declare
    v_old uuid[] := '{}';
    v_new uuid[] := '{}';
begin
    perform pawl.require_tenant(p_tenant);
    -- The row of the old run is the lock: of two retries one waits and then sees the other's run. Ordered, so that two
    -- batches do not wait for each other.
    for run_id, status, retried_as, created in
        select u.old,
               coalesce(pawl.run_status_name(r.status),
                        case when l.state is null then '' else pawl.open_status_name(l.state, l.due_at) end),
               r.retried_as, r.status in (2, 3) and r.retried_as is null
          from (select distinct on (x.old) x.old from unnest(p_run) as x (old) order by x.old) as u
          left join lateral (
              select c.status, c.retried_as
                from pawl.run c
               where c.bucket = p_bucket and c.run_id = u.old and c.tenant = p_tenant
                 for no key update
          ) as r on true
          left join lateral (
              select o.state, o.due_at
                from pawl.live_run o
               where o.bucket = p_bucket and o.run_id = u.old and o.tenant = p_tenant
              offset 0
          ) as l on true
    loop
        created := coalesce(created, false);
        if created then
            retried_as := p_new[array_position(p_run, run_id)];
            v_old := v_old || run_id;
            v_new := v_new || retried_as;
        end if;
        return next;
    end loop;
    if cardinality(v_old) = 0 then
        return;
    end if;
    perform pawl.copy_logs(p_bucket, v_old, v_new);
    perform pawl.resume_undo(p_bucket, v_old, v_new);
    perform pawl.insert_retried_runs(p_bucket, p_tenant, v_old, v_new);
    if exists (select 1 from pawl.outbox_target t where t.disabled_at is null) then
        perform pawl.fill_outbox_starts(p_bucket, v_new);
    end if;
    update pawl.run r
       set retried_as = v_new[array_position(v_old, r.run_id)]
     where r.bucket = p_bucket and r.run_id = any (v_old);
    update pawl.dead_letter d
       set replayed_as = v_new[array_position(v_old, d.run_id)], replayed_at = now()
     where d.bucket = p_bucket and d.run_id = any (v_old);
end
$$;

-- A list that was to be over at some time has as much of it again.
create or replace function pawl.deadline_moved(p_data jsonb, p_since timestamptz) returns jsonb
language sql stable parallel safe
return case when p_data ? 'until'
            then p_data || jsonb_build_object(
                'until',
                (p_data ->> 'until')::bigint + (extract(epoch from now() - p_since) * 1000000)::bigint
            )
            else p_data end;

-- {owners} of a run that is copied from another one: of these events, which are counted anew; {} when it has none.
create or replace function pawl.owners_moved(p_data jsonb, p_seqs int[]) returns jsonb
language sql immutable parallel safe
return (
    select case when count(*) = 0 then '{}'::jsonb
                else jsonb_build_object('owners', jsonb_agg(
                    o.one || jsonb_build_object(
                        'until',
                        (select count(*) from unnest(p_seqs) as s (seq) where s.seq <= (o.one ->> 'until')::int) - 1
                    ) order by o.place
                ))
           end
      from jsonb_array_elements(p_data -> 'owners') with ordinality as o (one, place)
);

-- What a node is called after each of these maps, in turn.
create or replace function pawl.name_later(p_node text, p_maps jsonb[]) returns text
language plpgsql immutable parallel safe set search_path = pg_catalog, pg_temp as $$
declare
    v_map jsonb;
begin
    foreach v_map in array p_maps loop
        p_node := coalesce(v_map ->> p_node, p_node);
    end loop;
    return p_node;
end
$$;
