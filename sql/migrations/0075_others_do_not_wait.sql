-- What a role of a tenant locks, or makes slow, stops no other tenant:
-- - LOCK TABLE on a view that runs with its owner's rights locks the tables behind it: such views are read only
-- - claims, schedules, jobs, queues and the outbox do not wait for a transaction that a tenant holds open
-- - messages of runs that failed are made in linear time, a few in a transaction
-- - what a foreign worker gives back has the limits of all data, and queues are made for tenants that have them
-- Roles of tenants can write to no view but those that check the rights of the caller; a tenant other than the default
-- one needs a row of pawl.queue for each queue that its triggers name.
-- breaking: no

set local lock_timeout = '5s';

-- Rights --------------------------------------------------------------------------------------------------------------

-- UPDATE or DELETE on a view is the right to lock it, and everything it reads as its owner, in every mode. Roles of
-- tenants get them only where their own rights count (security_invoker), and those are not enough to lock a table.
create function pawl.secure_view(p_view regclass, p_role regrole) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    v_as_caller boolean := exists (
        select 1
          from pg_class c
         cross join lateral pg_options_to_table(c.reloptions) as o
         where c.oid = p_view and o.option_name = 'security_invoker' and o.option_value::boolean
    );
begin
    execute format('grant select on %s to %s', p_view, p_role);
    if p_role <> 'pawl_user'::regrole or v_as_caller then
        execute format('grant insert, update, delete on %s to %s', p_view, p_role);
    else
        execute format('revoke insert, update, delete on %s from %s', p_view, p_role);
    end if;
end
$$;

create or replace function pawl.secure() returns setof text
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    v_role text;
begin
    return query select pawl.secure_roles();
    perform pawl.secure_table(c.oid, c.relowner::regrole)
       from pg_class c
      where c.relnamespace = 'pawl'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      order by c.relname;
    perform pawl.secure_functions();
    foreach v_role in array array['pawl_worker', 'pawl_api', 'pawl_user'] loop
        continue when to_regrole(v_role) is null;
        execute format('grant usage on schema pawl to %I', v_role);
        if v_role <> 'pawl_user' then
            execute format('grant usage on all sequences in schema pawl to %I', v_role);
        end if;
        perform pawl.secure_view(c.oid, v_role::regrole)
           from pg_class c
           join pg_namespace n on n.oid = c.relnamespace
          where c.relkind = 'v' and c.relname = any (pawl.views_for_users())
            and (n.nspname = 'pawl'
                 or n.nspname = 'public' and pg_get_viewdef(c.oid) ~ ('FROM pawl\.' || c.relname || '\M'));
    end loop;
end
$$;

-- Waits ---------------------------------------------------------------------------------------------------------------

create or replace function pawl.pass_gates(
    p_bucket smallint, p_run uuid[], p_flow jsonb[], p_ticket jsonb[] default null,
    p_count int[] default null
)
returns uuid[]
language plpgsql
set search_path = pg_catalog
set plan_cache_mode = 'force_generic_plan'
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_bitmapscan = off
set enable_material = off
set jit = off
as $$
declare
    v_back uuid[] := '{}';
begin
    if p_ticket is null then
        select array_agg(w.flow), array_agg(w.count) into p_ticket, p_count
          from (select u.flow, count(*)::int as count from unnest(p_flow) as u (flow) group by u.flow) as w;
    end if;
    if exists (select 1 from unnest(p_ticket) as u (flow) where u.flow ?| array['gather', 'rate']) then
        -- What comes from now on begins another group. A group that a transaction holds is left as it is: whoever comes
        -- next finds that its run has begun.
        delete from pawl.flow_group g
         where g.ctid = any (array(
               select x.row_id
                 from unnest(p_run, p_flow) as u (run_id, flow)
                cross join lateral (
                    select h.ctid as row_id
                      from pawl.flow_group h
                     where h.bucket = p_bucket and h.gate = u.flow -> 'gather' ->> 0 and h.run_id = u.run_id
                       for update skip locked
                ) as x
           ));
        v_back := pawl.take_turns(p_bucket, p_run, p_flow);
        if v_back <> '{}' then
            select array_agg(u.run_id order by u.n), array_agg(u.flow order by u.n), array_agg(u.flow), array_agg(1)
              into p_run, p_flow, p_ticket, p_count
              from unnest(p_run, p_flow) with ordinality as u (run_id, flow, n)
             where u.run_id <> all (v_back);
        end if;
    end if;
    return v_back || pawl.take_slots(p_bucket, p_run, p_flow, p_ticket, p_count);
end
$$;

create or replace function pawl.bulk_batch(
    p_job uuid, p_lease interval, p_from uuid, p_to uuid, p_run uuid[], p_failed uuid[], p_problem text[],
    p_node text[] default '{}', p_counts jsonb default '{}'
)
returns setof pawl.job
language plpgsql
set search_path = pg_catalog
set lock_timeout = '250ms'
as $$
declare
    v_job pawl.job;
    v_bucket smallint;
    v_reached uuid[] := '{}';
    v_signal jsonb;
begin
    select j.* into v_job from pawl.job j where j.id = p_job for no key update;
    if not found or v_job.status not in ('queued', 'running') or v_job.cursor_run is distinct from p_from then
        return query select j.* from pawl.job j where j.id = p_job;
        return;
    end if;
    select t.bucket into v_bucket from pawl.tenant t where t.id = v_job.tenant;
    v_signal := v_job.request -> 'signal';
    if v_signal is not null then
        -- A run whose row is locked is not waited for: its message is unsure until the lock is gone.
        v_reached := array(
            select s
              from pawl.leave_signals(
                  v_bucket, p_run, array_fill(v_signal ->> 'kind', array[cardinality(p_run)]),
                  array_fill(v_signal -> 'data', array[cardinality(p_run)]), false
              ) as s
        );
        p_failed := p_failed || array(select r from unnest(p_run) as r where r <> all (v_reached));
        p_problem := p_problem || array(
            select 'the run had closed before it was reached' from unnest(p_run) as r where r <> all (v_reached)
        );
    elsif v_job.request ->> 'action' = 'retry' then
        with retried as materialized (
            select r.*
              from pawl.retry_runs(
                  v_bucket, v_job.tenant, p_run,
                  array(select pawl.uuid7() from generate_series(1, cardinality(p_run)))
              ) r
        )
        select array(select r.run_id from retried r where r.created),
               p_failed || array(select r.run_id from retried r where not r.created order by r.run_id),
               p_problem || array(
                   select case when r.retried_as is null
                               then 'only a failed or cancelled run can be retried; this one is ' || r.status
                               else 'it was retried before, as ' || r.retried_as end
                     from retried r
                    where not r.created
                    order by r.run_id
               )
          into v_reached, p_failed, p_problem;
    else
        -- Done by the caller, in a way that can be repeated.
        v_reached := p_run;
    end if;
    return query
    update pawl.job j
       set status = case when p_to is null then 'done' else 'running' end,
           done = j.done + cardinality(v_reached),
           failed = j.failed + cardinality(p_failed),
           examples = case when cardinality(p_failed) = 0 or jsonb_array_length(j.examples) >= 10 then j.examples
                           else j.examples || (
                               select jsonb_agg(
                                          jsonb_strip_nulls(
                                              jsonb_build_object('run', f.run, 'problem', f.problem, 'node', f.node)
                                          ) order by f.place
                                      )
                                 from unnest(p_failed, p_problem, p_node) with ordinality
                                      as f (run, problem, node, place)
                                where f.place <= 10 - jsonb_array_length(j.examples)
                           ) end,
           counts = j.counts || coalesce((
               select jsonb_object_agg(c.key, coalesce((j.counts -> c.key)::bigint, 0) + c.value::bigint)
                 from jsonb_each(p_counts) as c
           ), '{}'),
           updated_at = now(),
           lease_until = now() + p_lease,
           cursor_run = p_to
     where j.id = p_job
    returning j.*;
end
$$;

-- p_not: tenants whose starts wait for a transaction that they hold open; what is held stays so.
drop function pawl.release_triggers(smallint);
create function pawl.release_triggers(p_bucket smallint, p_not int[] default '{}')
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

-- The engine does these for one tenant after another. None of them waits long for a transaction that a tenant holds
-- open: the engine sets it aside and goes on with the next.
do $$
declare
    v_function regprocedure;
begin
    for v_function in
        select p.oid::regprocedure
          from pg_proc p
         where p.pronamespace = 'pawl'::regnamespace
           and p.proname in ('move_schedule', 'replay_batch', 'settle_queue', 'read_queues')
    loop
        execute format('alter function %s set lock_timeout = ''250ms''', v_function);
    end loop;
end
$$;

create or replace function pawl.publish_inside(p_bucket smallint, p_limit int)
returns table (kind text, sent int, failed int)
language plpgsql
set search_path = pg_catalog
set lock_timeout = '100ms'
set plan_cache_mode = 'force_generic_plan'
as $$
#variable_conflict use_column
declare
    v_target record;
    v_run uuid[];
    v_seq int[];
    v_message jsonb[];
    v_waits int[] := '{}';
begin
    for v_target in
        select t.id, t.tenant, t.kind, t.address, s.shard
          from pawl.outbox_lease s
          join pawl.outbox_target t on t.id = s.target
         where t.disabled_at is null and t.kind <> 'webhook' and s.next_at <= now()
           and exists (select 1 from pawl.outbox o
                        where o.bucket = p_bucket and o.target = s.target and o.shard = s.shard
                          and o.due_at <= now())
           for update of s skip locked
    loop
        -- A tenant that holds one of its queues may hold them all: one wait for it is enough.
        if v_target.tenant = any (v_waits) then
            update pawl.outbox_lease s
               set next_at = now() + interval '5 s'
             where s.target = v_target.id and s.shard = v_target.shard;
            continue;
        end if;
        select array_agg(p.run_id), array_agg(p.seq) into v_run, v_seq
          from pawl.pick_outbox(p_bucket, v_target.id, v_target.shard, p_limit) p;
        continue when v_run is null;
        begin
            v_message := array(
                select jsonb_build_object('id', 'evt_' || m.run_id || '_' || m.seq) || m.message::jsonb
                  from pawl.outbox_messages(p_bucket, v_target.id, v_run, v_seq) m
            );
            if v_target.kind = 'queue' then
                perform pawl.send_to_queue(v_target.address, v_message);
            else
                -- Every role of the database may listen to every channel: ids, and nothing of the run.
                perform pg_notify(v_target.address, jsonb_build_object(
                            'id', u.message -> 'id', 'type', u.message -> 'type',
                            'timestamp', u.message -> 'timestamp',
                            'data', jsonb_build_object('run_id', u.message -> 'data' -> 'run_id',
                                                       'seq', u.message -> 'data' -> 'seq'))::text)
                   from unnest(v_message) as u (message);
            end if;
            perform pawl.settle_outbox(
                p_bucket, v_target.id, null, null, v_run, v_seq, array_fill(2::smallint, array[cardinality(v_run)]),
                array_fill(true, array[cardinality(v_run)]), null, null, null, null, null, null);
            update pawl.outbox_lease s
               set failures = 0
             where s.target = v_target.id and s.shard = v_target.shard and s.failures > 0;
            kind := v_target.kind; sent := cardinality(v_run); failed := 0;
        exception
            when others then
                -- Most often the queue is gone, or its name is no name. It may come back. Whatever it is, the other
                -- targets, of other tenants too, get theirs.
                update pawl.outbox o
                   set error = sqlerrm, attempts = least(o.attempts + 1, 32767)
                  from unnest(v_run, v_seq) as u (run_id, seq)
                 where o.bucket = p_bucket and o.target = v_target.id and o.run_id = u.run_id and o.seq = u.seq;
                update pawl.outbox_lease s
                   set failures = s.failures + 1,
                       next_at = now() + make_interval(secs => least(300, 5 * 2 ^ least(s.failures, 6)))
                 where s.target = v_target.id and s.shard = v_target.shard;
                if sqlstate = '55P03' then
                    v_waits := v_waits || v_target.tenant;
                end if;
                kind := v_target.kind; sent := 0; failed := cardinality(v_run);
        end;
        return next;
    end loop;
end
$$;

-- Dead letters --------------------------------------------------------------------------------------------------------

create or replace function pawl.dead_run_message(p_bucket smallint, p_run uuid) returns jsonb
language sql stable
set search_path = pg_catalog
as $$
    select jsonb_build_object(
               'execution_id', d.run_id, 'workflow_name', w.name, 'workflow_version', d.version,
               'steps', pawl.steps_of(v.definition),
               'current_step', coalesce(array_position(pawl.step_names(v.definition), d.node) - 1, 0),
               'context', c.context,
               'visibility_timeout', coalesce(v.definition -> 'visibility_timeout', '60'),
               'max_retries', coalesce(v.definition -> 'max_retries', '3'),
               'rule_id', coalesce(c.context -> 'rule_id', to_jsonb(h.id)),
               'trigger_type', coalesce(c.context -> 'trigger_type', b.triggered_by),
               'organization_id', coalesce(nullif(c.context -> 'organization_id', 'null'), to_jsonb(t.organization)),
               'attempt', f.attempts, 'total_attempts', f.attempts,
               'error', coalesce(d.error ->> 'message', d.error ->> 'code', 'failed'), 'error_step', d.node,
               'failed_at', to_char(d.at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
           )
      from pawl.dead_letter d
      join pawl.tenant t on t.id = d.tenant
      join pawl.workflow w on w.id = d.workflow
      join pawl.workflow_version v on v.workflow = d.workflow and v.version = d.version
      left join pawl.definition h on h.workflow = d.workflow
     cross join lateral (
         -- Beyond 8 MB it is empty: the run has it.
         select coalesce(jsonb_object_agg(p.key, p.value order by p.rank, e.seq) filter (where p.key is not null), '{}')
                    as context
           from pawl.event e
           left join lateral pawl.context_part(v.definition, e.type, e.node, e.data, e.error) p on true
          where e.bucket = d.bucket and e.run_id = d.run_id
            and 8388608 >= (
                select sum(pg_column_size(s.data)) from pawl.event s where s.bucket = d.bucket and s.run_id = d.run_id
            )
     ) as c
     cross join lateral (
         -- Once: beside the parts of the context it would be read for each of them.
         select e.data -> 'triggered_by' as triggered_by
           from pawl.event e where e.bucket = d.bucket and e.run_id = d.run_id and e.seq = 0
     ) as b
     cross join lateral (
         select greatest(count(*), 1) as attempts
           from pawl.event e
          where e.bucket = d.bucket and e.run_id = d.run_id and e.type = 2 and e.node = d.node
     ) as f
     where d.bucket = p_bucket and d.run_id = p_run
$$;

-- One after the other, and no longer than a moment: the queues are read by the same loop. What is wrong with the
-- message of one is told in its place.
create or replace function pawl.hand_over_dead_runs(p_bucket smallint, p_limit int) returns int
language plpgsql security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set jit = off
as $$
declare
    c_time constant interval := interval '200 ms';
    v_begun timestamptz := clock_timestamp();
    v_run uuid;
    v_message jsonb;
    v_messages jsonb[] := '{}';
    v_count int := 0;
begin
    if not exists (select 1 from pawl.dead_run_pending p where p.bucket = p_bucket) then
        return 0;
    end if;
    for v_run in
        select q.run_id from pawl.dead_run_pending q where q.bucket = p_bucket
         order by q.run_id limit p_limit for update skip locked
    loop
        begin
            v_message := pawl.dead_run_message(p_bucket, v_run);
        exception when others then
            v_message := jsonb_build_object('execution_id', v_run, 'error', 'no message could be made: ' || sqlerrm);
        end;
        if v_message is not null then
            v_messages := v_messages || v_message;
        end if;
        delete from pawl.dead_run_pending p where p.bucket = p_bucket and p.run_id = v_run;
        v_count := v_count + 1;
        exit when clock_timestamp() > v_begun + c_time;
    end loop;
    if v_messages <> '{}' and pawl.queue_exists('workflow_dlq') then
        perform pgmq.send_batch('workflow_dlq', v_messages);
    end if;
    return v_count;
end
$$;

-- Limits --------------------------------------------------------------------------------------------------------------

create or replace function pawl.fw_finish_execution(
    p_execution_id uuid, p_status text, p_result jsonb default null, p_error text default null,
    p_retry_at timestamptz default null
)
returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    c_result_max constant int := 1048576;
    c_error_max constant int := 10000;
    v_run pawl.live_run;
    v_seq int;
    v_started timestamptz;
    v_closes boolean := p_status in ('completed', 'failed');
    v_error jsonb := case when p_status <> 'completed' then jsonb_build_object(
        'code', 'foreign_worker', 'class', case when p_status = 'failed' then 'permanent' else 'retryable' end,
        'message', coalesce(left(p_error, c_error_max), 'the worker gave no reason')) end;
begin
    if p_status is null or p_status not in ('completed', 'failed', 'retry_pending') then
        raise exception 'an execution ends as completed, failed or retry_pending, not %', coalesce(p_status, 'null')
            using errcode = 'invalid_parameter_value';
    end if;
    if not isfinite(p_retry_at) then
        raise exception 'the time of the next attempt must be a time, not %', p_retry_at
            using errcode = 'datetime_field_overflow', hint = 'Like this: now() + interval ''1 minute''.';
    end if;
    perform pawl.refuse_unreadable(p_result);
    if octet_length(p_result::text) > c_result_max then
        raise exception 'the result has % bytes; at most % are possible', octet_length(p_result::text), c_result_max
            using errcode = 'program_limit_exceeded',
                  hint = 'Keep it in a table of your own, and give the run its key.';
    end if;
    select l.* into v_run
      from (select distinct t.bucket from pawl.tenant t) as b
     cross join lateral (
         select * from pawl.live_run h where h.bucket = b.bucket and h.run_id = p_execution_id offset 0
     ) as l
      join pawl.worker w on w.id = l.worker and w.version = 'foreign'
     where l.state = 1 and (l.tenant = pawl.current_tenant() or pawl.is_engine());
    if not found then
        raise exception 'execution % is not claimed', p_execution_id
            using errcode = 'object_not_in_prerequisite_state',
                  hint = format('It was finished, or its lease of %s ran out and it went to somebody else.',
                                pawl.fw_lease());
    end if;
    select max(e.seq) + 1, min(e.at) into v_seq, v_started
      from pawl.event e where e.bucket = v_run.bucket and e.run_id = v_run.run_id;
    perform pawl.commit_runs(
        v_run.bucket, v_run.worker, false,
        array[v_run.run_id], array[v_seq],
        array[case p_status when 'completed' then 4 when 'failed' then 5 else 2 end]::smallint[],
        array[null]::smallint[], array[null]::text[],
        array[case p_status
                  when 'completed' then p_result
                  when 'retry_pending' then jsonb_build_object(
                      'retry_at', (extract(epoch from coalesce(p_retry_at, now())) * 1000000)::bigint) end],
        array[v_error], null,
        case when v_closes then '{}' else array[v_run.run_id] end,
        case when v_closes then '{}' else array[coalesce(p_retry_at, now())] end,
        case when v_closes then array[v_run.run_id] else '{}' end, array[v_started], array[v_run.tenant],
        array[v_run.workflow], array[v_run.version],
        array[case p_status when 'completed' then 1 else 2 end]::smallint[],
        array[v_run.subject], array[p_result], array[v_error], array[null]::text[],
        '{}', '{}'
    );
end
$$;

create or replace function pawl.keep_triggers() returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_queue text;
begin
    if tg_op <> 'INSERT' then
        delete from pawl.event_trigger t where t.workflow = old.workflow;
    end if;
    if tg_op <> 'DELETE' and (new.active or new.off_reason is not null) then
        insert into pawl.event_trigger (tenant, event, workflow)
        select distinct new.tenant, coalesce(t.value ->> 'event', 'queue:' || (t.value ->> 'queue')), new.workflow
          from jsonb_array_elements(
              case when jsonb_typeof(new.settings -> 'triggers') = 'array' then new.settings -> 'triggers' else '[]' end
          ) as t
         where jsonb_typeof(t.value -> 'event') = 'string'
            or (jsonb_typeof(t.value -> 'queue') = 'string' and new.active)
            on conflict do nothing;
        for v_queue in
            select substr(t.event, 7) from pawl.event_trigger t
             where t.workflow = new.workflow and t.event like 'queue:%' order by 1
        loop
            if new.tenant = 1
               or exists (select 1 from pawl.queue q where q.name = v_queue and q.tenant = new.tenant) then
                perform pawl.ensure_queue(v_queue);
            elsif tg_op = 'INSERT' or new.settings -> 'triggers' is distinct from old.settings -> 'triggers' then
                perform pawl.refuse_definition(
                    format('triggers: the queue %s is not one of this organization', quote_literal(v_queue)),
                    'Queues are shared by the whole database. Who runs it gives one to an organization: '
                    'insert into pawl.queue (name, tenant) values (...).'
                );
            end if;
        end loop;
    end if;
    return null;
end
$$;
