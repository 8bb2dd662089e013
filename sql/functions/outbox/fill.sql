-- Whether a target with these patterns (run.failed, run.*, *) gets messages of a type.
create or replace function pawl.outbox_wants(p_events text[], p_type text) returns boolean
language sql immutable parallel safe set search_path = pg_catalog
return p_type = any (p_events) or '*' = any (p_events) or exists (
    select 1 from unnest(p_events) as e (pattern)
     where right(e.pattern, 2) = '.*' and starts_with(p_type, left(e.pattern, -1))
);

-- What an event of a run is called outside; null: it is not published.
create or replace function pawl.outbox_type(p_type smallint, p_data jsonb) returns text
language sql immutable parallel safe set search_path = pg_catalog
return case p_type
    when 0 then 'run.started'
    when 1 then 'step.completed'
    when 2 then 'step.failed'
    when 3 then case when p_data ->> 'for' = 'task' then 'task.opened'
                     when p_data ? 'unknown' then 'step.unknown' end
    when 4 then 'run.completed'
    when 5 then 'run.failed'
    when 6 then 'run.cancelled'
    when 7 then 'event.' || (p_data -> 'emit' ->> 'event')
    when 12 then 'run.paused'
    when 13 then 'run.resumed'
    when 16 then 'step.skipped'
    when 19 then 'run.held'
end;

-- Messages about events of open runs that have just been written, for the targets that want them. A second call with
-- the same events adds nothing. A message is not due before those of its run that are ahead of it.
create or replace function pawl.fill_outbox(
    p_bucket smallint, p_run uuid[], p_seq int[], p_type smallint[], p_data jsonb[]
)
returns void
language plpgsql set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set enable_material = off set jit = off as $$
begin
    insert into pawl.outbox (bucket, target, run_id, seq, shard, tenant, workflow, version, subject, type, due_at)
    select p_bucket, t.id, u.run_id, u.seq, get_byte(uuid_send(u.run_id), 15) & 1, l.tenant, l.workflow, l.version,
           l.subject, k.type, greatest(now(), before.due_at)
      from unnest(p_run, p_seq, p_type, p_data) as u (run_id, seq, type, data)
     cross join lateral (select pawl.outbox_type(u.type, u.data) as type offset 0) as k
     cross join lateral (
         select o.tenant, o.workflow, o.version, o.subject
           from pawl.live_run o
          where o.bucket = p_bucket and o.run_id = u.run_id
         offset 0
     ) as l
     cross join lateral (
         select x.id
           from pawl.outbox_target x
          where x.tenant = l.tenant and x.disabled_at is null and pawl.outbox_wants(x.events, k.type)
            and (x.workflows is null
                 or exists (select 1 from pawl.workflow w where w.id = l.workflow and w.name = any (x.workflows)))
         offset 0
     ) as t
      left join lateral (
         select o.due_at
           from pawl.outbox o
          where o.bucket = p_bucket and o.target = t.id and o.run_id = u.run_id and o.seq < u.seq
          order by o.seq desc
          limit 1
     ) as before on true
     where k.type is not null
        on conflict do nothing;
end
$$;

-- Messages about the begin of runs: event 0 of those that are open.
create or replace function pawl.fill_outbox_starts(p_bucket smallint, p_run uuid[]) returns void
language plpgsql
set search_path = pg_catalog set plan_cache_mode = force_generic_plan as $$
begin
    perform pawl.fill_outbox(p_bucket, p_run, array_fill(0, array[cardinality(p_run)]),
                             array_fill(0::smallint, array[cardinality(p_run)]),
                             array_fill(null::jsonb, array[cardinality(p_run)]));
end
$$;

-- The log has no event of a dead letter, so the message brings its data along. It has a number beyond all events of its
-- run: it is the last that is told of it.
create or replace function pawl.tell_of_dead_letters() returns trigger
language plpgsql
set search_path = pg_catalog set plan_cache_mode = force_generic_plan set enable_seqscan = off set jit = off as $$
declare
    c_seq constant int := 1073741824;
    c_type constant text := 'dead_letter.created';
begin
    if not exists (select 1 from pawl.outbox_target t where t.disabled_at is null) then
        return null;
    end if;
    insert into pawl.outbox (bucket, target, run_id, seq, shard, tenant, workflow, version, subject, type, due_at, data)
    select a.bucket, t.id, a.run_id, c_seq, get_byte(uuid_send(a.run_id), 15) & 1, a.tenant, a.workflow, a.version,
           r.subject, c_type, greatest(now(), before.due_at),
           jsonb_build_object('run_id', a.run_id, 'workflow', w.name, 'version', a.version, 'subject', r.subject,
                              'step', a.node, 'error', a.error, 'fingerprint', a.fingerprint)
      from added a
      join pawl.workflow w on w.id = a.workflow
     cross join lateral (
         select x.id
           from pawl.outbox_target x
          where x.tenant = a.tenant and x.disabled_at is null and pawl.outbox_wants(x.events, c_type)
            and (x.workflows is null or w.name = any (x.workflows))
         offset 0
     ) as t
      left join lateral (
         select x.subject from pawl.run x where x.bucket = a.bucket and x.run_id = a.run_id offset 0
     ) as r on true
      left join lateral (
         select o.due_at
           from pawl.outbox o
          where o.bucket = a.bucket and o.target = t.id and o.run_id = a.run_id and o.seq < c_seq
          order by o.seq desc
          limit 1
     ) as before on true
        on conflict do nothing;
    return null;
end
$$;

create or replace trigger dead_letter_to_outbox after insert on pawl.dead_letter
    referencing new table as added for each statement execute function pawl.tell_of_dead_letters();
