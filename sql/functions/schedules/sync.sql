-- needs: functions/base/ids

-- The cron triggers of a workflow, as rows.
create or replace function pawl.cron_triggers(p_triggers jsonb)
returns table (
    place int, cron text, timezone text, overlap text, catch_up_ms bigint, jitter_ms bigint, input jsonb, audience text,
    local_time text, nth bigint
)
language sql immutable parallel safe
begin atomic
    select (t.place - 1)::int, coalesce(t.spec ->> 'schedule', t.spec ->> 'cron'),
           coalesce(t.spec ->> 'timezone', 'UTC'),
           coalesce(t.spec ->> 'overlap', 'skip'),
           coalesce(pawl.duration_ms(t.spec -> 'catch_up'), 3600000),
           coalesce(pawl.duration_ms(t.spec -> 'jitter'), 0),
           coalesce(t.spec -> 'input', '{}'), t.spec ->> 'audience', t.spec ->> 'local_time',
           row_number() over (
               partition by coalesce(t.spec ->> 'schedule', t.spec ->> 'cron'), coalesce(t.spec ->> 'timezone', 'UTC')
               order by t.place
           )
      from jsonb_array_elements(case when jsonb_typeof(p_triggers) = 'array' then p_triggers else '[]' end)
           with ordinality as t (spec, place)
     where t.spec ?| array['cron', 'schedule'];
end;

-- Makes the schedules of a workflow those of its head. A trigger that has not moved in time keeps its row and its next
-- slot, wherever it stands in the list now. One that has been changed keeps its row, with whether it is paused, and
-- counts from now on.
create or replace function pawl.sync_schedules() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    if tg_op = 'DELETE' then
        delete from pawl.schedule s where s.workflow = old.workflow;
        return null;
    end if;
    if not new.settings ? 'triggers'
       and not exists (select 1 from pawl.schedule s where s.workflow = new.workflow) then
        return null;
    end if;
    with wanted as materialized (
        select * from pawl.cron_triggers(new.settings -> 'triggers')
    ), kept as materialized (
        select s.id, s.place, s.cron, s.timezone,
               row_number() over (partition by s.cron, s.timezone order by s.place) as nth
          from pawl.schedule s
         where s.workflow = new.workflow
    ), same as materialized (
        select k.id, w.place
          from wanted w
          join kept k on k.cron = w.cron and k.timezone = w.timezone and k.nth = w.nth
    ), changed as materialized (
        select k.id, w.place
          from (select w.place, row_number() over (order by w.place) as turn
                  from wanted w where w.place not in (select s.place from same s)) as w
          join (select k.id, row_number() over (order by k.place) as turn
                  from kept k where k.id not in (select s.id from same s)) as k using (turn)
    ), pairs as materialized (
        select s.id, s.place, false as restart from same s
         union all
        select c.id, c.place, true from changed c
    ), gone as (
        delete from pawl.schedule s
         where s.workflow = new.workflow and s.id not in (select p.id from pairs p)
    ), updated as (
        update pawl.schedule s
           set place = w.place, cron = w.cron, timezone = w.timezone, overlap = w.overlap,
               catch_up_ms = w.catch_up_ms, jitter_ms = w.jitter_ms, input = w.input, audience = w.audience,
               local_time = w.local_time, active = new.active, problem = null, due_at = now(),
               since = case when p.restart or (new.active and not s.active) then now() else s.since end,
               next_at = case when not p.restart and (s.active or not new.active) then s.next_at end
          from pairs p
          join wanted w on w.place = p.place
         where s.id = p.id
    )
    insert into pawl.schedule
        (tenant, workflow, place, cron, timezone, overlap, catch_up_ms, jitter_ms, input, audience, local_time, active)
    select new.tenant, new.workflow, w.place, w.cron, w.timezone, w.overlap, w.catch_up_ms, w.jitter_ms, w.input,
           w.audience, w.local_time, new.active
      from wanted w
     where w.place not in (select p.place from pairs p)
     order by w.place;
    return null;
end
$$;

create or replace trigger definition_schedules after insert or update or delete on pawl.definition
for each row execute function pawl.sync_schedules();
