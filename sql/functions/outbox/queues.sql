-- Drops a queue that was made for a webhook, that nothing writes to or reads any more, and that holds nothing. One that
-- is in use at this moment stays until the next time.
create or replace function pawl.drop_webhook_queue(p_queue text) returns void
language plpgsql
set search_path = pg_catalog, pg_temp set lock_timeout = '200ms'
as $$
declare
    v_used boolean;
begin
    if not exists (select 1 from pawl.webhook_queue w where w.name = p_queue)
       or exists (select 1 from pawl.outbox_target t where t.kind = 'queue' and lower(t.address) = lower(p_queue))
       or exists (select 1 from pawl.event_trigger t where t.event = 'queue:' || p_queue)
       or exists (select 1 from pawl.queue q where q.name = p_queue and (q.active or q.workflow is not null)) then
        return;
    end if;
    if to_regclass(format('pgmq.%I', lower('q_' || p_queue))) is not null then
        execute format('lock table pgmq.%I, pgmq.%I in access exclusive mode', lower('q_' || p_queue),
                       lower('a_' || p_queue));
        execute format('select exists (select 1 from pgmq.%I) or exists (select 1 from pgmq.%I)',
                       lower('q_' || p_queue), lower('a_' || p_queue)) into v_used;
        if v_used then
            return;
        end if;
        perform pgmq.drop_queue(p_queue);
    end if;
    delete from pawl.queue q where q.name = p_queue and q.tenant <> 1;
    delete from pawl.webhook_queue w where w.name = p_queue;
exception when others then
    raise warning 'the queue % could not be dropped: %', p_queue, sqlerrm;
end
$$;

-- Trigger on pawl.outbox_target: the queue of a webhook goes with it when it is empty.
create or replace function pawl.drop_queue_of_webhook() returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    perform pawl.require_tenant(old.tenant);
    perform pawl.drop_webhook_queue(old.address);
    return null;
end
$$;

create or replace trigger outbox_target_queue after delete on pawl.outbox_target
    for each row when (old.kind = 'queue') execute function pawl.drop_queue_of_webhook();
