-- needs: functions/base/names

-- The worker that holds what foreign workers of a tenant claim now: it never beats again, so its life is the lease, and
-- another worker gets what was not finished. One a minute, because declaring one dead scans all open runs.
create or replace function pawl.foreign_worker(p_tenant int) returns uuid
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    v_minute timestamptz := date_trunc('minute', now());
    v_worker uuid := md5(format('foreign worker %s %s', p_tenant, extract(epoch from v_minute)))::uuid;
begin
    insert into pawl.worker as w (id, host, pid, version, beat_at)
    values (v_worker, 'sql', 0, 'foreign', v_minute + interval '1 minute' + pawl.fw_lease())
        on conflict (id) do update set beat_at = greatest(w.beat_at, excluded.beat_at);
    return v_worker;
end
$$;

-- How long a claimed execution is left alone.
create or replace function pawl.fw_lease() returns interval
language sql stable
return coalesce(nullif(current_setting('pawl.fw_lease', true), ''), '5 minutes')::interval;

-- Takes the organization's place for p_for; false when it is taken.
create or replace function pawl.enter_organization(p_tenant int, p_for interval) returns boolean
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
    insert into pawl.organization_worker as o (tenant, running_until, last_run_at)
    values (p_tenant, now() + p_for, now())
        on conflict (tenant) do update set running_until = excluded.running_until, last_run_at = now()
     where o.running_until <= now();
    return found;
end
$$;

-- Ends what enter_organization began: notes how many runs were claimed, and the next call for the tenant may begin.
create or replace function pawl.leave_organization(p_tenant int, p_batch_size int) returns void
language sql set search_path = pg_catalog, pg_temp
begin atomic
    update pawl.organization_worker o
       set running_until = '-infinity', last_batch_size = p_batch_size
     where o.tenant = p_tenant;
end;

-- What there is to do for a tenant now: the runs that are due or under way.
create or replace function pawl.runs_to_do(p_bucket smallint, p_tenant int, p_limit int) returns setof uuid
language sql stable set search_path = pg_catalog, pg_temp
begin atomic
    select l.run_id
      from pawl.live_run l
     where l.bucket = p_bucket and l.tenant = p_tenant and (l.state = 0 and l.due_at <= now() or l.state = 1)
     order by l.due_at, l.run_id
     limit p_limit;
end;

-- How those runs are now: open ones that wait, so that no worker has anything to do for them, count as done.
create or replace function pawl.runs_done(p_bucket smallint, p_run uuid[])
returns table (run_id uuid, status text, error text, dead boolean, last_seq int)
language sql stable set search_path = pg_catalog, pg_temp
begin atomic
    select u.run_id,
           case when r.status is not null then pawl.run_status_name(r.status)
                when l.state = 2 or l.due_at > now() then 'waiting'
                else 'open' end,
           r.error ->> 'message',
           r.status = 2,
           (select e.seq from pawl.event e
             where e.bucket = p_bucket and e.run_id = u.run_id and e.type <> 19 order by e.seq desc limit 1)
      from unnest(p_run) with ordinality as u (run_id, place)
      left join lateral (
          select h.state, h.due_at from pawl.live_run h where h.bucket = p_bucket and h.run_id = u.run_id offset 0
      ) as l on true
      left join lateral (
          select c.status, c.error from pawl.run c where c.bucket = p_bucket and c.run_id = u.run_id offset 0
      ) as r on true
     order by u.place;
end;
