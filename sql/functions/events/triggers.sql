-- needs: functions/journeys/take
-- needs: functions/journeys/told

-- How many of these events may be claimed together: their data, once for each workflow that they may start, is to fit
-- into the memory of the caller and into the time that its statement has. At least one. Most are small: how they are
-- stored says so, since 2000 bytes cannot be so well compressed that they matter.
create or replace function pawl.triggers_within(p_bucket smallint, p_id bigint[], p_bytes bigint) returns int
language plpgsql stable set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set jit = off as $$
declare
    v_bytes bigint := 0;
    v_count int := 0;
begin
    if not exists (
        select 1
          from unnest(p_id) as u (id)
         cross join lateral (
             select pg_column_size(i.data) as bytes
               from pawl.inbox i where i.bucket + 0 = p_bucket and i.id = u.id offset 0
         ) as e
         where e.bytes > 2000
    ) then
        return cardinality(p_id);
    end if;
    while v_count < cardinality(p_id) and v_bytes < p_bytes loop
        v_count := v_count + 1;
        v_bytes := v_bytes + coalesce((
            select octet_length(i.data::text) * (
                       select greatest(count(*), 1)
                         from pawl.event_trigger t where t.tenant = i.tenant and t.event = i.name
                   )
              from pawl.inbox i
             where i.bucket + 0 = p_bucket and i.id = p_id[v_count]
        ), 0);
    end loop;
    return v_count;
end
$$;

-- Events that may start workflows, one row for each workflow, among them those of changes that were written down. told:
-- of triggers that ask for values which the event does not have, by their places, whether their conditions hold. The
-- caller has p_lease to start them and to say so with pawl.finish_triggers. An event that was tried too often (the
-- caller died each time) is put aside.
create or replace function pawl.claim_triggers(p_bucket smallint, p_limit int, p_lease interval)
returns table (
    id bigint, tenant int, event_id text, name text, key text, subject text, source text, "time" timestamptz,
    data jsonb, at timestamptz, workflow int, version int, told jsonb
)
language plpgsql set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set jit = off as $$
#variable_conflict use_column
declare
    c_attempts_max constant int := 5;
    c_bytes constant bigint := 8388608;
    v_id bigint[];
    v_row tid[];
    v_count int;
begin
    perform pawl.take_changes(p_bucket);
    if not exists (select 1 from pawl.trigger_pending q where q.bucket = p_bucket) then
        return;
    end if;
    select array_agg(q.id), array_agg(q.row_id) into v_id, v_row
      from (
          select q.id, q.ctid as row_id
            from pawl.trigger_pending q
           where q.bucket = p_bucket and q.lease_until < now()
           order by q.bucket, q.id
           limit p_limit
             for update skip locked
      ) as q;
    if v_id is null then
        return;
    end if;
    v_count := pawl.triggers_within(p_bucket, v_id, c_bytes);
    if v_count < cardinality(v_id) then
        v_row := v_row[:v_count];
        v_id := v_id[:v_count];
        perform pg_notify('pawl_wake', p_bucket::text);
    end if;
    update pawl.inbox i
       set problem = format('tried %s times to start workflows by it, and the worker died each time', c_attempts_max)
     where i.bucket + 0 = p_bucket
       and i.id = any (array(
           select q.id from pawl.trigger_pending q where q.ctid = any (v_row) and q.attempts >= c_attempts_max
       ));
    delete from pawl.trigger_pending q where q.ctid = any (v_row) and q.attempts >= c_attempts_max;
    update pawl.trigger_pending q
       set attempts = q.attempts + 1, lease_until = now() + p_lease
     where q.ctid = any (v_row);
    -- An event without a workflow (it was taken away meanwhile) comes too, so that it can be finished.
    return query
    select e.id, e.tenant, e.event_id, e.name, e.key, e.subject, e.source, e.time, e.data, e.at, w.workflow, w.version,
           case when e.met is not null then (
               select jsonb_object_agg(x.place::text, pawl.is_told(e.met, x.conditions))
                        filter (where pawl.is_told(e.met, x.conditions) is not null)
                 from pawl.watch_wish x
                where x.tenant = e.tenant and x.event = e.name and x.workflow = w.workflow and x.place >= 0) end
      from unnest(v_id) as u (id)
     cross join lateral (
         select i.* from pawl.inbox i where i.bucket + 0 = p_bucket and i.id = u.id and i.problem is null offset 0
     ) as e
      left join lateral (
         select d.workflow, d.version
           from pawl.event_trigger t
           join pawl.definition d on d.workflow = t.workflow and d.active
          where t.tenant = e.tenant and t.event = e.name
         offset 0
     ) as w on true
     order by e.id, w.workflow;
end
$$;

-- Events are done with: what they did not start, they say.
create or replace function pawl.finish_triggers(p_bucket smallint, p_id bigint[], p_problem text[]) returns void
language plpgsql set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set jit = off as $$
begin
    delete from pawl.trigger_pending q
     using unnest(p_id) as u (id)
     where q.bucket = p_bucket and q.id = u.id;
    update pawl.inbox i
       set problem = concat_ws('; ', u.problem, off.problem)
      from unnest(p_id, p_problem) as u (id, problem)
     cross join lateral (
         select e.tenant, e.name from pawl.inbox e where e.bucket + 0 = p_bucket and e.id = u.id offset 0
     ) as e
     cross join lateral (
         select string_agg(format('workflow ''%s'' was not started, it is switched off: %s', d.name, d.off_reason),
                           '; ') as problem
           from pawl.event_trigger t
           join pawl.definition d on d.workflow = t.workflow and d.off_reason is not null
          where t.tenant = e.tenant and t.event = e.name
         offset 0
     ) as off
     where (u.problem is not null or off.problem is not null) and i.bucket + 0 = p_bucket and i.id = u.id;
end
$$;

-- Holds events back that may not start a run now: their numbers go from pawl.trigger_pending to pawl.trigger_held, with
-- the reason. release_triggers brings them back.
create or replace function pawl.hold_triggers(p_bucket smallint, p_id bigint[], p_reason text[]) returns void
language plpgsql set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set jit = off as $$
begin
    insert into pawl.trigger_held (bucket, tenant, id, reason, at)
    select p_bucket, i.tenant, i.id, u.reason, i.at
      from unnest(p_id, p_reason) as u (id, reason)
     cross join lateral (
         select x.tenant, x.id, x.at from pawl.inbox x where x.bucket + 0 = p_bucket and x.id = u.id offset 0
     ) as i
        on conflict do nothing;
    delete from pawl.trigger_pending q using unnest(p_id) as u (id) where q.bucket = p_bucket and q.id = u.id;
end
$$;

-- Lets as many of the held events start their runs as there is room for now, the oldest first, a thousand of a tenant
-- at a time. Says of each tenant that has more which one is the first of them: later ones have to wait behind it.
create or replace function pawl.release_triggers(p_bucket smallint, p_not int[] default '{}')
returns table (tenant int, first bigint)
language plpgsql
set search_path = pg_catalog
set enable_seqscan = off
set enable_bitmapscan = off
set jit = off
as $$
#variable_conflict use_column
declare
    c_most constant int := 1000;
    v_tenant pawl.tenant;
    v_after int := 0;
    v_room int;
    v_alone boolean;
begin
    if not exists (select 1 from pawl.trigger_held h where h.bucket = p_bucket) then
        return;
    end if;
    -- Two at once would give the same room away twice.
    v_alone := pawl.try_hold(0, 'release_triggers ' || p_bucket);
    loop
        select h.tenant into v_after
          from pawl.trigger_held h
         where h.bucket = p_bucket and h.tenant > v_after
         order by h.bucket, h.tenant
         limit 1;
        exit when not found;
        select t.* into v_tenant from pawl.tenant t where t.id = v_after;
        v_room := least(c_most, coalesce(v_tenant.starts_per_second_max, c_most));
        if v_tenant.open_runs_max is not null then
            v_room := least(v_room, v_tenant.open_runs_max
                                    - pawl.count_open_runs(p_bucket, v_after, v_tenant.open_runs_max));
        end if;
        if v_alone and v_room > 0 and v_after <> all (p_not) then
            with freed as (
                delete from pawl.trigger_held h
                 where h.bucket = p_bucket and h.tenant = v_after and h.id in (
                           select x.id from pawl.trigger_held x
                            where x.bucket = p_bucket and x.tenant = v_after
                            order by x.id
                            limit v_room)
                returning h.id
            )
            insert into pawl.trigger_pending (bucket, id) select p_bucket, f.id from freed f on conflict do nothing;
        end if;
        tenant := v_after;
        first := (select min(h.id) from pawl.trigger_held h where h.bucket = p_bucket and h.tenant = v_after);
        if first is not null then
            return next;
        end if;
    end loop;
end
$$;
