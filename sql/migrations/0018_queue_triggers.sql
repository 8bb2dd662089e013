-- Messages of queues start runs, exactly once: the message goes in the transaction that starts its run. What cannot
-- start one goes to a dead-letter queue with the reason, and so do runs that failed for good.
-- breaking: no

set local lock_timeout = '5s';

-- Queues of pgmq whose messages start runs, and how they are read. A queue that a definition has a trigger for needs no
-- row, unless it is another tenant's than the first.
create table pawl.queue (
    name text not null,
    tenant int not null default 1,
    -- Which workflow its messages start, with the message as input. Null: each message names its workflow.
    workflow text,
    -- A message that cannot start a run is looked at so many times before it is given up.
    reads_max int not null default 5,
    dead_letter_queue text not null default 'workflow_dlq',
    -- What was dealt with is kept in the queue's archive.
    archive boolean not null default false,
    active boolean not null default true,
    constraint queue_pk primary key (name),
    constraint queue_reads_max_check check (reads_max between 1 and 1000),
    constraint queue_dead_letter_queue_check check (lower(dead_letter_queue) <> lower(name))
);
-- The queues of the documents, where they exist.
insert into pawl.queue (name) values ('workflow_queue'), ('workflow_execution_queue');

-- The trigger {queue: name} of a definition is kept as the event queue:name.
create or replace function pawl.keep_triggers() returns trigger
language plpgsql set search_path = pg_catalog as $$
declare
    v_queue text;
begin
    if tg_op <> 'INSERT' then
        delete from pawl.event_trigger t where t.workflow = old.workflow;
    end if;
    if tg_op <> 'DELETE' and new.active then
        insert into pawl.event_trigger (tenant, event, workflow)
        select distinct new.tenant, coalesce(t.value ->> 'event', 'queue:' || (t.value ->> 'queue')), new.workflow
          from jsonb_array_elements(
              case when jsonb_typeof(new.settings -> 'triggers') = 'array' then new.settings -> 'triggers' else '[]' end
          ) as t
         where jsonb_typeof(t.value -> 'event') = 'string' or jsonb_typeof(t.value -> 'queue') = 'string'
            on conflict do nothing;
        for v_queue in
            select substr(t.event, 7) from pawl.event_trigger t
             where t.workflow = new.workflow and t.event like 'queue:%' order by 1
        loop
            perform pawl.ensure_queue(v_queue);
        end loop;
    end if;
    return null;
end
$$;

create function pawl.queue_exists(p_name text) returns boolean
language sql stable set search_path = pg_catalog as $$
    select to_regclass(format('pgmq.%I', lower('q_' || p_name))) is not null
$$;

-- Makes the queue where that is possible; where it is not, whoever sends to it will make it.
create function pawl.ensure_queue(p_name text) returns void
language plpgsql set search_path = pg_catalog as $$
begin
    if to_regprocedure('pgmq.create(text)') is null or pawl.queue_exists(p_name) then
        return;
    end if;
    perform pgmq.create(p_name);
exception when others then
    raise warning 'the queue % could not be made: %', p_name, sqlerrm;
end
$$;
select pawl.ensure_queue('workflow_queue'), pawl.ensure_queue('workflow_dlq');

-- kind: what the messages start; 'trigger': the definitions that have a trigger for the queue decide.
create view pawl.consumed_queue as
with triggered as (
    select distinct t.tenant, substr(t.event, 7) as name from pawl.event_trigger t where t.event like 'queue:%'
)
select t.name, t.tenant, 'trigger' as kind, null::text as workflow, coalesce(q.reads_max, 5) as reads_max,
       coalesce(q.dead_letter_queue, 'workflow_dlq') as dead_letter_queue, coalesce(q.archive, false) as archive
  from triggered t
  left join pawl.queue q on q.name = t.name
 where coalesce(q.tenant, 1) = t.tenant and coalesce(q.active, true)
 union all
select q.name, q.tenant, case when q.workflow is null then 'message' else 'workflow' end, q.workflow, q.reads_max,
       q.dead_letter_queue, q.archive
  from pawl.queue q
 where q.active and not exists (select 1 from triggered t where t.tenant = q.tenant and t.name = q.name);

create function pawl.is_uuid(p_text text) returns boolean
language sql immutable parallel safe
return coalesce(p_text ~* '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$', false);

-- Up to p_limit messages of each queue, hidden from others for p_lease seconds; a row for each workflow that a message
-- may start, or one without. `known`: the message is about a run that exists.
create function pawl.read_queues(p_bucket smallint, p_limit int, p_lease int)
returns table (
    queue text, kind text, tenant int, reads_max int, id bigint, reads int, at timestamptz, message jsonb,
    headers jsonb, known boolean, workflow int, version int
)
language plpgsql set search_path = pg_catalog as $$
#variable_conflict use_column
declare
    v_queue record;
begin
    for v_queue in
        select c.*
          from pawl.consumed_queue c
          join pawl.tenant t on t.id = c.tenant and t.bucket = p_bucket
         where pawl.queue_exists(c.name)
         order by c.name
    loop
        return query
        select v_queue.name, v_queue.kind, v_queue.tenant, v_queue.reads_max, m.msg_id, m.read_ct, m.enqueued_at,
               m.message, to_jsonb(m) -> 'headers',
               v_queue.kind = 'message' and pawl.is_uuid(m.message ->> 'execution_id')
                   and (exists (select 1 from pawl.live_run l where l.bucket = p_bucket
                                   and l.run_id = (m.message ->> 'execution_id')::uuid)
                        or exists (select 1 from pawl.run r where r.bucket = p_bucket
                                      and r.run_id = (m.message ->> 'execution_id')::uuid)),
               w.workflow, w.version
          from pgmq.read(v_queue.name, p_lease, p_limit) m
          left join lateral (
              select d.workflow, d.version
                from pawl.event_trigger t
                join pawl.definition d on d.workflow = t.workflow and d.active
               where v_queue.kind = 'trigger' and t.tenant = v_queue.tenant and t.event = 'queue:' || v_queue.name
               union all
              select d.workflow, coalesce(v.version, d.version)
                from pawl.definition d
                left join pawl.workflow_version v
                  on v.workflow = d.workflow and v.version::text = m.message ->> 'workflow_version'
                     and v_queue.kind = 'message'
               where v_queue.kind <> 'trigger' and d.active and d.tenant = v_queue.tenant
                 and (d.name = coalesce(v_queue.workflow, m.message ->> 'workflow_name', m.message ->> 'workflow')
                      or (v_queue.kind = 'message' and d.id::text = lower(m.message ->> 'rule_id')
                          and not m.message ? 'workflow_name'))
          ) as w on true
         order by m.msg_id, w.workflow;
    end loop;
end
$$;

-- What a dead-letter queue gets for a message that could not start a run: the message, and why.
create function pawl.dead_message(p_queue text, p_id bigint, p_message jsonb, p_reason text, p_reads int) returns jsonb
language sql stable set search_path = pg_catalog as $$
    select case when jsonb_typeof(p_message) = 'object' then p_message
                else jsonb_build_object('message', p_message) end
           || jsonb_build_object('error', p_reason, 'failed_at', to_char(now() at time zone 'utc',
                                     'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
                                 'attempt', p_reads, 'total_attempts', p_reads, 'queue', p_queue, 'msg_id', p_id)
$$;

-- Carries out what was decided about messages of a queue, in one transaction. Runs start whose message (p_of) is still
-- there and goes now (p_done): two who read the same message start one run. p_unwanted are kept in the archive. Those
-- that could not start a run (p_failed) come again later, or go to the dead-letter queue when they were read
-- often enough.
create function pawl.settle_queue(
    p_bucket smallint, p_queue text, p_done bigint[], p_unwanted bigint[],
    p_failed bigint[], p_reads int[], p_reason text[], p_message jsonb[],
    p_of bigint[], p_run uuid[], p_tenant int[], p_workflow int[], p_version int[], p_subject text[], p_data jsonb[],
    p_correlation text[], p_reentry smallint[]
) returns table (started int, dead int)
language plpgsql set search_path = pg_catalog as $$
#variable_conflict use_column
declare
    v_settings record;
    v_gone bigint[] := '{}';
    v_left record;
    v_row record;
begin
    started := 0;
    dead := 0;
    select coalesce(max(c.reads_max), 5) as reads_max, coalesce(bool_or(c.archive), false) as archive,
           coalesce(max(c.dead_letter_queue), 'workflow_dlq') as dead_letter_queue
      into v_settings
      from pawl.consumed_queue c where c.name = p_queue;
    if p_done <> '{}' then
        if v_settings.archive then
            v_gone := array(select pgmq.archive(p_queue, p_done));
        else
            v_gone := array(select pgmq.delete(p_queue, p_done));
        end if;
    end if;
    if p_unwanted <> '{}' then
        perform pgmq.archive(p_queue, p_unwanted);
    end if;
    select array_agg(u.run order by u.place) as run, array_agg(u.tenant order by u.place) as tenant,
           array_agg(u.workflow order by u.place) as workflow, array_agg(u.version order by u.place) as version,
           array_agg(u.subject order by u.place) as subject, array_agg(u.data order by u.place) as data,
           array_agg(u.key order by u.place) as key, array_agg(u.reentry order by u.place) as reentry,
           count(*)::int as n, count(u.key) as keys
      into v_left
      from unnest(p_of, p_run, p_tenant, p_workflow, p_version, p_subject, p_data, p_correlation, p_reentry)
           with ordinality as u (message, run, tenant, workflow, version, subject, data, key, reentry, place)
     where u.message = any (v_gone);
    if v_left.n > 0 then
        select v_left.n - count(*) into started
          from pawl.start_guarded_runs(
              p_bucket, null, false, v_left.run, v_left.tenant, v_left.workflow, v_left.version, v_left.subject,
              array_fill(0::smallint, array[v_left.n]), array_fill(null::timestamptz, array[v_left.n]), v_left.data,
              case when v_left.keys > 0 then v_left.key end, array_fill(false, array[v_left.n]), v_left.reentry
          );
    end if;
    for v_row in
        select u.id, u.reads, u.reason, u.message
          from unnest(p_failed, p_reads, p_reason, p_message) as u (id, reads, reason, message) order by u.id
    loop
        if v_row.reads < v_settings.reads_max then
            perform pgmq.set_vt(p_queue, v_row.id, least(300, 2 ^ least(v_row.reads, 10))::int);
        elsif exists (select 1 from pgmq.delete(p_queue, array[v_row.id])) then
            perform pawl.ensure_queue(v_settings.dead_letter_queue);
            perform pgmq.send(v_settings.dead_letter_queue,
                              pawl.dead_message(p_queue, v_row.id, v_row.message, v_row.reason, v_row.reads));
            dead := dead + 1;
        end if;
    end loop;
    return next;
end
$$;

-- Runs that failed for good and are not in workflow_dlq yet: the commit that closes them only notes them here.
create table pawl.dead_run_pending (
    bucket smallint not null,
    run_id uuid not null,
    constraint dead_run_pending_pk primary key (bucket, run_id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

create function pawl.note_dead_runs() returns trigger
language plpgsql set search_path = pg_catalog as $$
begin
    if pawl.queue_exists('workflow_dlq') then
        insert into pawl.dead_run_pending (bucket, run_id)
        select a.bucket, a.run_id from added a on conflict do nothing;
    end if;
    return null;
end
$$;
create trigger dead_letter_to_queue after insert on pawl.dead_letter
    referencing new table as added for each statement execute function pawl.note_dead_runs();

-- The message of a failed run: what workflow_queue would hold for it at the step that failed, and how it failed.
create function pawl.dead_run_message(p_bucket smallint, p_run uuid) returns jsonb
language sql stable set search_path = pg_catalog as $$
    select jsonb_build_object(
               'execution_id', d.run_id, 'workflow_name', w.name, 'workflow_version', d.version,
               'steps', pawl.steps_of(v.definition),
               'current_step', coalesce(array_position(pawl.step_names(v.definition), d.node) - 1, 0),
               'context', c.context,
               'visibility_timeout', coalesce(v.definition -> 'visibility_timeout', '60'),
               'max_retries', coalesce(v.definition -> 'max_retries', '3'),
               'rule_id', coalesce(c.context -> 'rule_id', to_jsonb(h.id)),
               'trigger_type', coalesce(c.context -> 'trigger_type', c.triggered_by),
               'organization_id', c.context -> 'organization_id',
               'attempt', f.attempts, 'total_attempts', f.attempts,
               'error', coalesce(d.error ->> 'message', d.error ->> 'code', 'failed'), 'error_step', d.node,
               'failed_at', to_char(d.at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
           )
      from pawl.dead_letter d
      join pawl.workflow w on w.id = d.workflow
      join pawl.workflow_version v on v.workflow = d.workflow and v.version = d.version
      left join pawl.definition h on h.workflow = d.workflow
     cross join lateral (
         select coalesce(jsonb_object_agg(p.key, p.value order by p.rank, e.seq) filter (where p.key is not null), '{}')
                    as context,
                jsonb_agg(e.data -> 'triggered_by') filter (where e.seq = 0) -> 0 as triggered_by
           from pawl.event e
           left join lateral pawl.context_part(v.definition, e.type, e.node, e.data, e.error) p on true
          where e.bucket = d.bucket and e.run_id = d.run_id
     ) as c
     cross join lateral (
         select greatest(count(*), 1) as attempts
           from pawl.event e
          where e.bucket = d.bucket and e.run_id = d.run_id and e.type = 2 and e.node = d.node
     ) as f
     where d.bucket = p_bucket and d.run_id = p_run
$$;

-- Returns how many were sent.
create function pawl.hand_over_dead_runs(p_bucket smallint, p_limit int) returns int
language plpgsql
set search_path = pg_catalog set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
    v_run uuid[];
begin
    if not exists (select 1 from pawl.dead_run_pending p where p.bucket = p_bucket) then
        return 0;
    end if;
    with gone as (
        delete from pawl.dead_run_pending p
         where p.bucket = p_bucket and p.run_id = any (array(
               select q.run_id from pawl.dead_run_pending q where q.bucket = p_bucket
                order by q.run_id limit p_limit for update skip locked))
        returning p.run_id
    )
    select array_agg(g.run_id order by g.run_id) into v_run from gone g;
    if v_run is not null and pawl.queue_exists('workflow_dlq') then
        perform pgmq.send_batch('workflow_dlq', array(
            select m.message
              from unnest(v_run) with ordinality as r (id, place)
             cross join lateral pawl.dead_run_message(p_bucket, r.id) as m (message)
             where m.message is not null
             order by r.place
        ));
    end if;
    return coalesce(cardinality(v_run), 0);
end
$$;

-- Partitioned queues of the schema that Pawl made; the extension has pg_partman for that.
create function pawl.keep_queue_partitions() returns void
language plpgsql set search_path = pg_catalog as $$
begin
    if to_regprocedure('pgmq.maintain_partitions()') is not null then
        perform pgmq.maintain_partitions();
    end if;
end
$$;
