-- needs: functions/base/readable
-- needs: functions/events/publish

-- Queues events that were written for changes: for the matcher, and for the triggers of their tenants.
create or replace function pawl.pend_changes(p_event text, p_bucket smallint[], p_tenant int[], p_id bigint[])
returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    v_one record;
    v_starting int[];
begin
    for v_one in
        select u.bucket, array_agg(u.id) as ids from unnest(p_bucket, p_id) as u (bucket, id) group by u.bucket
    loop
        perform pawl.pend_events(v_one.bucket, v_one.ids);
        perform pg_notify('pawl_wake', v_one.bucket::text);
    end loop;
    v_starting := array(
        select t.tenant
          from (select distinct u.tenant from unnest(p_tenant) as u (tenant)) as t
         where exists (select 1 from pawl.event_trigger e where e.tenant = t.tenant and e.event = p_event)
    );
    if v_starting <> '{}' then
        insert into pawl.trigger_pending (bucket, id)
        select u.bucket, u.id
          from unnest(p_bucket, p_tenant, p_id) as u (bucket, tenant, id)
         where u.tenant = any (v_starting);
    end if;
end
$$;

-- A text as a uuid; null: it is none.
create or replace function pawl.uuid_of(p_text text) returns uuid
language sql immutable parallel safe
return case when p_text ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then p_text::uuid end;

-- True, or the error of pawl.refuse_unreadable.
create or replace function pawl.require_readable(p_data jsonb) returns boolean
language plpgsql immutable set search_path = pg_catalog as $$
begin
    perform pawl.refuse_unreadable(p_data);
    return true;
end
$$;

-- The names of the members that differ.
create or replace function pawl.changed_members(p_old jsonb, p_new jsonb) returns jsonb
language plpgsql immutable set search_path = pg_catalog as $$
begin
    return (
        select jsonb_agg(n.key order by n.key collate "C")
          from jsonb_each(p_new) as n
         where p_old -> n.key is distinct from n.value
    );
end
$$;

-- Of a few changes those that are wanted: their tenants and what their events say, as arrays. Rows whose tenant is not
-- known are passed over. pawl.note_changes alone calls it, with its planner settings.
create or replace function pawl.wanted_changes(
    p_watch pawl.watch, p_operation text, p_old jsonb[], p_new jsonb[], out tenants int[], out data jsonb[]
)
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
declare
    -- Each by itself: a query copies the whole row for every use of one.
    v_tenant int := (p_watch).tenant;
    v_column text := (p_watch).tenant_column;
    v_clash boolean := (p_watch).clash;
    v_events text[] := array[(p_watch).event, '*'];
    v_about jsonb := jsonb_build_object('source', (p_watch).table_name, 'operation', p_operation);
begin
    select array_agg(t.tenant), array_agg(d.data) into tenants, data
      from unnest(p_old, p_new) as u (old, new)
     cross join lateral (select coalesce(u.new, u.old) as record) as r
     cross join lateral (
         select coalesce(
             v_tenant, (select o.id from pawl.tenant o where o.name = r.record ->> v_column),
             (select o.id from pawl.tenant o where o.organization = pawl.uuid_of(r.record ->> v_column))
         ) as tenant offset 0
     ) as t
     cross join lateral (
         select r.record || v_about || case
                    when p_operation = 'UPDATE' then jsonb_build_object(
                        'old', u.old, 'new', u.new, 'changed', pawl.changed_members(u.old, u.new))
                    when p_operation = 'DELETE' then jsonb_build_object('old', u.old)
                    when v_clash then jsonb_build_object('new', u.new)
                    else '{}' end as data offset 0
     ) as d
     where (p_operation <> 'UPDATE' or u.old <> u.new)
       and (
           select true
             from pawl.watch_wish x
            where x.tenant = t.tenant and x.event = any (v_events)
              and (x.operations is null or p_operation = any (x.operations))
              and (x.path is null or jsonb_path_match(d.data, x.path, '{}', true))
            limit 1
       );
end
$$;

-- Writes events for a few changes that are wanted, and queues them as pend_changes does. pawl.note_changes alone calls
-- it, with its planner settings.
create or replace function pawl.write_few_changes(p_watch pawl.watch, p_tenant int[], p_data jsonb[], p_chain text[])
returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    v_event text := (p_watch).event;
    v_prefix text := 'watch:' || (p_watch).id || ':';
    v_source text := (p_watch).schema_name || '.' || (p_watch).table_name;
    v_subject text := (p_watch).subject_column;
    v_woken int;
begin
    perform pawl.refuse_unreadable(u.data) from unnest(p_data) as u (data);
    with fresh as (
        insert into pawl.inbox (id, bucket, tenant, event_id, name, key, subject, source, data)
        overriding system value
        select s.id, t.bucket, s.tenant, v_prefix || s.id, v_event, pawl.event_key(coalesce(s.subject, '')), s.subject,
               v_source, case when p_chain is null then s.data else s.data || jsonb_build_object('chain', p_chain) end
          from (
              select nextval('pawl.inbox_id_seq') as id, u.tenant, u.data,
                     coalesce(u.data -> 'new', u.data -> 'old', u.data) ->> v_subject as subject
                from unnest(p_tenant, p_data) as u (tenant, data)
          ) as s
          join pawl.tenant t on t.id = s.tenant
        returning bucket, tenant, id
    ), starting as (
        insert into pawl.trigger_pending (bucket, id)
        select f.bucket, f.id
          from fresh f
         where exists (select 1 from pawl.event_trigger e where e.tenant = f.tenant and e.event = v_event)
    ), pending as (
        insert into pawl.inbox_pending (bucket, id, more)
        select f.bucket, (array_agg(f.id))[1], (array_agg(f.id))[2:] from fresh f group by f.bucket
        returning bucket
    )
    select count(pg_notify('pawl_wake', p.bucket::text)) into v_woken from pending p;
end
$$;
