-- One row that is hostile or broken is set aside; those beside it, of other tenants too, go on:
-- - a queue that cannot be read is told of (id 0) instead of keeping all queues from being read
-- - a message that the engine cannot read goes to the dead-letter queue as it is
-- - whatever goes wrong with one channel or queue of the outbox stays its own
-- breaking: no
set local lock_timeout = '5s';

create or replace function pawl.read_queues(p_bucket smallint, p_limit int, p_lease int)
returns table (
    queue text, kind text, tenant int, reads_max int, id bigint, reads int, at timestamptz, message jsonb,
    headers jsonb, known boolean, workflow int, version int
)
language plpgsql security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
as $_$
#variable_conflict use_column
declare
    v_queue record;
    c_hide_max constant int := 1000;
    v_any boolean;
    v_off text[];
    v_hidden int;
begin
    for v_queue in
        select c.*
          from pawl.consumed_queue c
          join pawl.tenant t on t.id = c.tenant and t.bucket = p_bucket
         where pawl.queue_exists(c.name)
         order by c.name
    loop
        -- What is wrong with one queue does not keep the others from being read.
        begin
            -- Most looks find nothing, and this is the quickest way to know.
            execute format('select true from pgmq.%I order by msg_id limit 1', lower('q_' || v_queue.name))
               into v_any;
            continue when v_any is null;
            -- Messages for a workflow that is switched off wait, and were not read: otherwise they would be given up.
            -- Those that stand among others are hidden for the time of a lease; nothing is read before all of them are.
            v_off := array(
                select n.name
                  from pawl.definition d
                 cross join lateral (values (d.name), (d.id::text)) as n (name)
                 where d.tenant = v_queue.tenant and d.off_reason is not null and v_queue.kind <> 'trigger'
            );
            continue when v_queue.workflow = any (v_off);
            if v_off <> '{}' and v_queue.kind = 'message' then
                execute format(
                    'with waiting as (select q.msg_id from pgmq.%1$I q where q.vt <= clock_timestamp()'
                    ' and coalesce(q.message ->> ''workflow_name'', q.message ->> ''workflow'','
                    ' lower(q.message ->> ''rule_id'')) = any ($1) limit $2 for update skip locked), '
                    'hidden as (update pgmq.%1$I q set vt = clock_timestamp() + make_interval(secs => $3)'
                    ' from waiting w where q.msg_id = w.msg_id returning 1) select count(*) from hidden',
                    lower('q_' || v_queue.name)
                ) into v_hidden using v_off, c_hide_max, p_lease;
                continue when v_hidden = c_hide_max;
            end if;
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
        exception
            when others then
                queue := v_queue.name;
                kind := v_queue.kind;
                tenant := v_queue.tenant;
                reads_max := v_queue.reads_max;
                id := 0;
                reads := 0;
                at := now();
                message := to_jsonb(sqlerrm);
                known := false;
                return next;
        end;
    end loop;
end
$_$;

create or replace function pawl.settle_queue(
    p_bucket smallint, p_queue text, p_done bigint[], p_unwanted bigint[], p_failed bigint[], p_reads int[],
    p_reason text[], p_message jsonb[], p_of bigint[], p_run uuid[], p_tenant int[], p_workflow int[], p_version int[],
    p_subject text[], p_data jsonb[], p_correlation text[], p_reentry smallint[]
)
returns table (started int, dead int)
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
    v_settings record;
    v_gone bigint[] := '{}';
    v_left record;
    v_row record;
    v_message jsonb;
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
            continue;
        end if;
        -- The engine cannot send back what it cannot read.
        v_message := v_row.message;
        if v_message is null then
            execute format('select q.message from pgmq.%I q where q.msg_id = $1', lower('q_' || p_queue))
               into v_message using v_row.id;
        end if;
        if exists (select 1 from pgmq.delete(p_queue, array[v_row.id])) then
            perform pawl.ensure_queue(v_settings.dead_letter_queue);
            perform pgmq.send(v_settings.dead_letter_queue,
                              pawl.dead_message(p_queue, v_row.id, v_message, v_row.reason, v_row.reads));
            dead := dead + 1;
        end if;
    end loop;
    return next;
end
$$;

create or replace function pawl.publish_inside(p_bucket smallint, p_limit int)
returns table (kind text, sent int, failed int)
language plpgsql
set search_path = pg_catalog
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
    c_notify_max constant int := 7900;
    v_target record;
    v_run uuid[];
    v_seq int[];
    v_message jsonb[];
begin
    for v_target in
        select t.id, t.kind, t.address, s.shard
          from pawl.outbox_lease s
          join pawl.outbox_target t on t.id = s.target
         where t.disabled_at is null and t.kind <> 'webhook' and s.next_at <= now()
           and exists (select 1 from pawl.outbox o
                        where o.bucket = p_bucket and o.target = s.target and o.shard = s.shard
                          and o.due_at <= now())
           for update of s skip locked
    loop
        select array_agg(p.run_id), array_agg(p.seq) into v_run, v_seq
          from pawl.pick_outbox(p_bucket, v_target.id, v_target.shard, p_limit) p;
        continue when v_run is null;
        begin
            v_message := array(
                select jsonb_build_object('id', 'evt_' || m.run_id || '_' || m.seq) || m.message::jsonb
                  from pawl.outbox_messages(p_bucket, v_target.id, v_run, v_seq) m
            );
            if v_target.kind = 'queue' then
                perform pgmq.send_batch(v_target.address, v_message);
            else
                perform pg_notify(v_target.address,
                                  case when octet_length(u.message::text) <= c_notify_max then u.message::text
                                       else (u.message || jsonb_build_object('data', jsonb_build_object(
                                                 'run_id', u.message -> 'data' -> 'run_id',
                                                 'seq', u.message -> 'data' -> 'seq', 'truncated', true)))::text end)
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
                kind := v_target.kind; sent := 0; failed := cardinality(v_run);
        end;
        return next;
    end loop;
end
$$;

-- Every text in an index has a bound, in bytes: an index takes 2,700 of them, and a longer value would not be refused
-- alone, but with the commit of everything that is written beside it. The engine and the doors refuse earlier, most of
-- them at 500; these bounds are what always fits. Rows that are there already are not looked at.
alter table pawl.api_key add constraint api_key_prefix_fits_check check (octet_length(prefix) <= 100) not valid;
alter table pawl.calendar_event
    add constraint calendar_event_uid_fits_check check (octet_length(uid) <= 2000) not valid;
alter table pawl.condition_table
    add constraint condition_table_schema_fits_check check (octet_length(schema_name) <= 63) not valid,
    add constraint condition_table_name_fits_check check (octet_length(table_name) <= 63) not valid;
alter table pawl.crm_activity
    add constraint crm_activity_contact_fits_check check (octet_length(contact) <= 2000) not valid,
    add constraint crm_activity_key_fits_check check (octet_length(idempotency_key) <= 2000) not valid;
alter table pawl.crm_contact add constraint crm_contact_email_fits_check check (octet_length(email) <= 1000) not valid;
alter table pawl.dead_letter
    add constraint dead_letter_fingerprint_fits_check check (octet_length(fingerprint) <= 100) not valid;
alter table pawl.definition
    add constraint definition_document_name_fits_check check (octet_length(document_name) <= 2000) not valid,
    add constraint definition_name_fits_check check (octet_length(name) <= 2000) not valid;
alter table pawl.event_trigger
    add constraint event_trigger_event_fits_check check (octet_length(event) <= 2000) not valid;
alter table pawl.event_wait add constraint event_wait_event_fits_check check (octet_length(event) <= 2000) not valid;
alter table pawl.flow_gate add constraint flow_gate_gate_fits_check check (octet_length(gate) <= 2000) not valid;
alter table pawl.flow_group add constraint flow_group_gate_fits_check check (octet_length(gate) <= 2000) not valid;
alter table pawl.flow_limit add constraint flow_limit_gate_fits_check check (octet_length(gate) <= 2000) not valid;
alter table pawl.flow_rate add constraint flow_rate_gate_fits_check check (octet_length(gate) <= 2000) not valid;
alter table pawl.flow_wait add constraint flow_wait_gate_fits_check check (octet_length(gate) <= 2000) not valid;
alter table pawl.human_task
    add constraint human_task_assignee_fits_check check (octet_length(assignee) <= 2000) not valid,
    add constraint human_task_group_fits_check check (octet_length(grp) <= 2000) not valid;
alter table pawl.knowledge add constraint knowledge_id_fits_check check (octet_length(id) <= 2000) not valid;
alter table pawl.queue add constraint queue_name_fits_check check (octet_length(name) <= 63) not valid;
alter table pawl.reentry add constraint reentry_subject_fits_check check (octet_length(subject) <= 2000) not valid;
alter table pawl.run add constraint run_subject_fits_check check (octet_length(subject) <= 2000) not valid;
alter table pawl.sql_effect add constraint sql_effect_key_fits_check check (octet_length(key) <= 2000) not valid;
alter table pawl.subscription
    add constraint subscription_event_fits_check check (octet_length(event) <= 500) not valid,
    add constraint subscription_key_fits_check check (octet_length(key) <= 2000) not valid;
alter table pawl.tenant_role add constraint tenant_role_name_fits_check check (octet_length(role_name) <= 63) not valid;
alter table pawl.workflow_version
    add constraint workflow_version_label_fits_check check (octet_length(label) <= 500) not valid;
alter table queues.task add constraint task_key_fits_check check (octet_length(task_key) <= 2000) not valid;

-- An `event` anywhere in a definition, in the body of a call say, may be longer than the name of an event can be.
create or replace function pawl.keep_waits() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    insert into pawl.event_wait (workflow, event)
    select distinct new.workflow, case when strpos(e.name #>> '{}', '{{') > 0 then '*' else e.name #>> '{}' end
      from jsonb_path_query(new.definition, 'strict $.**.event ? (@.type() == "string")', '{}', true) as e (name)
     where octet_length(e.name #>> '{}') <= 500 or strpos(e.name #>> '{}', '{{') > 0
        on conflict do nothing;
    return null;
end
$$;
