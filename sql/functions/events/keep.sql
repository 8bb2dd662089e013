-- needs: functions/journeys/wishes

-- Which events and queues start which workflows. A workflow that is switched off still gets its events, so that each
-- can record what it did not start; its queues keep their messages.
create or replace function pawl.keep_triggers() returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_queue text;
begin
    if tg_op <> 'INSERT' then
        delete from pawl.event_trigger t where t.workflow = old.workflow;
        delete from pawl.watch_wish w where w.workflow = old.workflow and w.place >= 0;
    end if;
    if tg_op <> 'DELETE' and new.active then
        perform pawl.keep_wishes(new);
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
                    'Queues are shared by the whole database. Its operator gives one to an organization: '
                    'insert into pawl.queue (name, tenant) values (...).'
                );
            end if;
        end loop;
    end if;
    return null;
end
$$;

create or replace trigger definition_triggers after insert or update or delete on pawl.definition
for each row execute function pawl.keep_triggers();

-- An `event` anywhere in a definition, in the body of a call say, may be longer than the name of an event can be.
create or replace function pawl.keep_waits() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    insert into pawl.event_wait (workflow, event)
    select distinct new.workflow, case when strpos(e.name #>> '{}', '{{') > 0 then '*' else e.name #>> '{}' end
      from jsonb_path_query(new.definition, 'strict $.**.event ? (@.type() == "string")', '{}', true) as e (name)
     where octet_length(e.name #>> '{}') <= 500 or strpos(e.name #>> '{}', '{{') > 0
        on conflict do nothing;
    perform pawl.keep_wait_wishes(w.tenant, w.id, new.definition) from pawl.workflow w where w.id = new.workflow;
    return null;
end
$$;

create or replace trigger workflow_version_waits after insert on pawl.workflow_version
for each row execute function pawl.keep_waits();
