-- Limits the targets of a tenant: every commit compares its events with all of them.
create or replace function pawl.limit_outbox_targets()
returns trigger
language plpgsql set search_path = pg_catalog as $$
declare
    c_targets_max constant int := 50;
begin
    -- One after the other, or two at once would both be the last.
    perform pawl.hold(new.tenant, 'outbox_targets');
    if (select count(*) from pawl.outbox_target t where t.tenant = new.tenant) >= c_targets_max then
        raise exception 'there are % webhooks already, and a tenant may have no more', c_targets_max
            using errcode = 'configuration_limit_exceeded', hint = 'Delete one, or let one hear of more.';
    end if;
    return new;
end
$$;

create or replace trigger outbox_target_limit before insert on pawl.outbox_target
    for each row execute function pawl.limit_outbox_targets();
