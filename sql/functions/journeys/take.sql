-- needs: functions/events/publish

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
    p_event text, p_tenant int, p_column text, p_clash boolean, p_table text, p_operation text, p_old jsonb[],
    p_new jsonb[], out tenants int[], out data jsonb[]
)
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
begin
    select array_agg(t.tenant), array_agg(d.data) into tenants, data
      from unnest(p_old, p_new) as u (old, new)
     cross join lateral (select coalesce(u.new, u.old) as record) as r
     cross join lateral (
         select coalesce(
             p_tenant, (select o.id from pawl.tenant o where o.name = r.record ->> p_column),
             (select o.id from pawl.tenant o where o.organization = pawl.uuid_of(r.record ->> p_column))
         ) as tenant offset 0
     ) as t
     cross join lateral (
         select r.record || jsonb_build_object('source', p_table, 'operation', p_operation) || case
                    when p_operation = 'UPDATE' then jsonb_build_object(
                        'old', u.old, 'new', u.new, 'changed', pawl.changed_members(u.old, u.new))
                    when p_operation = 'DELETE' then jsonb_build_object('old', u.old)
                    when p_clash then jsonb_build_object('new', u.new)
                    else '{}' end as data offset 0
     ) as d
     where (p_operation <> 'UPDATE' or u.old <> u.new)
       and (
           select true
             from pawl.watch_wish x
            where x.tenant = t.tenant and x.event in (p_event, '*')
              and (x.operations is null or p_operation = any (x.operations))
              and (x.path is null or jsonb_path_match(d.data, x.path, '{}', true))
            limit 1
       );
end
$$;

-- Writes events for a few changes that are wanted, and queues them for the matcher and for the triggers of their
-- tenants. pawl.note_changes alone calls it, with its planner settings.
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
