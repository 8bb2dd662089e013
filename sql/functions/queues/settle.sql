-- Carries out what was decided about messages of a queue, in one transaction. Runs start whose message (p_of) is still
-- there and goes now (p_done): two readers of the same message start one run. p_unwanted are archived. Those
-- that could not start a run (p_failed) come again later, or go to the dead-letter queue when they were read
-- often enough.
create or replace function pawl.settle_queue(
    p_bucket smallint, p_queue text, p_done bigint[], p_unwanted bigint[], p_failed bigint[], p_reads int[],
    p_reason text[], p_message jsonb[], p_of bigint[], p_run uuid[], p_tenant int[], p_workflow int[], p_version int[],
    p_subject text[], p_data jsonb[], p_correlation text[], p_reentry bigint[]
)
returns table (started int, dead int)
language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '250ms' as $$
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
     where u.message = any (v_gone)
       and pawl.claims_document_key(p_queue, u.tenant, u.workflow, u.key);
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
        if pawl.give_up_message(
            p_queue, v_row.id, v_row.message, v_row.reason, v_row.reads, v_settings.dead_letter_queue
        ) then
            dead := dead + 1;
        end if;
    end loop;
    return next;
end
$$;

-- Moves a message to the dead-letter queue, with the reason; p_message is null where the engine could not read it.
-- False when the message is not there any more. Called by settle_queue, as its owner.
create or replace function pawl.give_up_message(
    p_queue text, p_id bigint, p_message jsonb, p_reason text, p_reads int, p_dead_letter_queue text
) returns boolean
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
    -- The engine cannot send back what it cannot read.
    if p_message is null then
        execute format('select q.message from pgmq.%I q where q.msg_id = $1', lower('q_' || p_queue))
           into p_message using p_id;
    end if;
    if not exists (select 1 from pgmq.delete(p_queue, array[p_id])) then
        return false;
    end if;
    perform pawl.ensure_queue(p_dead_letter_queue);
    perform pgmq.send(p_dead_letter_queue, pawl.dead_message(p_queue, p_id, p_message, p_reason, p_reads));
    return true;
end
$$;
