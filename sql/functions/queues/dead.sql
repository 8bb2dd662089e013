-- needs: functions/executions/context
-- needs: functions/versions/steps
-- needs: views/consumed_queue

-- What a dead-letter queue gets for a message that could not start a run: the message, and why. A message that did not
-- say its organization is that of the tenant that the queue belongs to.
create or replace function pawl.dead_message(p_queue text, p_id bigint, p_message jsonb, p_reason text, p_reads int)
returns jsonb
language sql stable set search_path = pg_catalog as $$
    select m.message
           || jsonb_build_object(
               'error', p_reason,
               'failed_at', to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
               'attempt', p_reads, 'total_attempts', p_reads, 'queue', p_queue, 'msg_id', p_id,
               'organization_id', coalesce(
                   nullif(m.message -> 'organization_id', 'null'),
                   (select to_jsonb(t.organization)
                      from pawl.consumed_queue q join pawl.tenant t on t.id = q.tenant
                     where q.name = p_queue limit 1)))
      from (select case when jsonb_typeof(p_message) = 'object' then p_message
                        else jsonb_build_object('message', p_message) end) as m (message)
$$;

-- The message of a failed run: what workflow_queue would hold for it at the step that failed, and how it failed. A run
-- whose data do not say so is its tenant's.
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
         -- A foreign worker names no step, and its last failure is that of the run.
         select case when d.node is null then 1 + count(*) filter (where e.node is null and e.data ? 'retry_at')
                     else greatest(count(*) filter (where e.node = d.node), 1) end as attempts
           from pawl.event e
          where e.bucket = d.bucket and e.run_id = d.run_id and e.type = 2
     ) as f
     where d.bucket = p_bucket and d.run_id = p_run
$$;

-- Trigger on pawl.dead_letter: notes runs for the queue workflow_dlq, where it exists. hand_over_dead_runs sends them.
create or replace function pawl.note_dead_runs() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    if pawl.queue_exists('workflow_dlq') then
        insert into pawl.dead_run_pending (bucket, run_id)
        select a.bucket, a.run_id from added a on conflict do nothing;
    end if;
    return null;
end
$$;

create or replace trigger dead_letter_to_queue after insert on pawl.dead_letter
    referencing new table as added for each statement execute function pawl.note_dead_runs();

-- Sends runs that died to the queue workflow_dlq, one after the other, up to p_limit. A run whose message cannot be
-- made is sent with the reason instead. Returns how many. lock_timeout is short: the loop that reads the queues calls
-- it.
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
