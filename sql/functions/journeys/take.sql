-- needs: functions/events/publish
-- needs: functions/base/readable
-- needs: functions/journeys/told

-- A text as a uuid; null: it is none. A regular expression takes three times as long, and lists of runs ask for each.
create or replace function pawl.uuid_of(p_text text) returns uuid
language sql immutable parallel safe
return case when octet_length(p_text) = 36 and translate(p_text, '0123456789abcdef', '') = '----'
                 and substr(p_text, 9, 1) || substr(p_text, 14, 1) || substr(p_text, 19, 1) || substr(p_text, 24, 1)
                     = '----'
            then p_text::uuid end;

-- Of a few changes those that are wanted: their tenants and what their events say, as arrays; p_told: what is told of
-- values that are not in the rows (told.sql), told: the same of those that are wanted. Rows whose tenant is not known
-- are passed over. pawl.note_changes alone calls it, with its planner settings.
create or replace function pawl.wanted_changes(
    p_event text, p_tenant int, p_column text, p_clash boolean, p_table text, p_operation text, p_old jsonb[],
    p_new jsonb[], p_told jsonb[], out tenants int[], out data jsonb[], out told jsonb[]
)
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
begin
    select array_agg(t.tenant), array_agg(d.data), array_agg(u.told) into tenants, data, told
      from unnest(p_old, p_new, p_told) as u (old, new, told)
     cross join lateral (select coalesce(u.new, u.old) as record) as r
     cross join lateral (
         select coalesce(
             p_tenant, (select o.id from pawl.tenant o where o.name = r.record ->> p_column),
             (select o.id from pawl.tenant o where o.organization = pawl.uuid_of(r.record ->> p_column))
         ) as tenant offset 0
     ) as t
     cross join lateral (
         select case when p_operation <> 'UPDATE' or p_column is null or u.old ->> p_column = u.new ->> p_column
                     then u.old else pawl.old_of_tenant(t.tenant, p_column, u.old, u.new) end as old
     ) as o
     cross join lateral (
         -- As pawl.change_said has it, which is not planned with this.
         select r.record || jsonb_build_object('source', p_table, 'operation', p_operation) || case
                    when p_operation = 'UPDATE' then jsonb_build_object(
                        'old', o.old, 'new', u.new, 'changed', pawl.changed_members(coalesce(o.old, '{}'), u.new))
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
              and (x.path is null
                   or coalesce(case when u.told is not null then pawl.is_told(u.told, x.conditions) end,
                               jsonb_path_match(d.data, x.path, '{}', true)))
            limit 1
       );
end
$$;

-- Writes down a few changes that are wanted, for a matcher to make events of them. pawl.note_changes calls it, with its
-- planner settings.
create or replace function pawl.write_few_changes(
    p_watch pawl.watch, p_tenant int[], p_data jsonb[], p_told jsonb[], p_chain text[]
) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    v_unsaid text[] := pawl.unsaid_columns((p_watch).schema_name, (p_watch).table_name);
begin
    if v_unsaid <> '{}' then
        p_told := array(select coalesce(u.told, pawl.told_of(u.tenant, (p_watch).event, u.data, v_unsaid))
                          from unnest(p_tenant, p_data, p_told) with ordinality as u (tenant, data, told, place)
                         order by u.place);
        p_data := array(select pawl.without_columns(u.data, v_unsaid)
                          from unnest(p_data) with ordinality as u (data, place) order by u.place);
    end if;
    insert into pawl.change_batch
        (bucket, tenant, event, prefix, source, subject_column, chain, count, changes, met)
    select t.bucket, t.id, (p_watch).event, 'watch:' || (p_watch).id || ':',
           (p_watch).schema_name || '.' || (p_watch).table_name, (p_watch).subject_column, p_chain, c.count, c.changes,
           c.met
      from (select u.tenant, count(*) as count, json_agg(u.data) as changes,
                   case when count(u.told) > 0 then jsonb_agg(u.told) end as met
              from unnest(p_tenant, p_data, p_told) as u (tenant, data, told)
             group by u.tenant) as c
      join pawl.tenant t on t.id = c.tenant;
    perform pg_notify('pawl_wake', t.bucket::text)
       from (select distinct o.bucket from pawl.tenant o where o.id = any (p_tenant)) as t;
end
$$;

-- The batches of changes that are taken next, and whether there are more of them that are long. Locks them.
create or replace function pawl.next_batches(p_bucket smallint, p_most int, out row_id tid[], out more boolean)
language plpgsql set search_path = pg_catalog set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
    c_batches constant int := 500;
    -- As they are stored. More would not become events within the time that a statement has: they would be tried again
    -- and again, and those of all tenants with them.
    c_bytes constant bigint := 1048576;
begin
    select array_agg(b.row_id) filter (where b.bytes_before < c_bytes), bool_or(b.bytes_before >= c_bytes)
      into row_id, more
      from (
          select b.row_id, sum(b.count) over u - b.count as before, sum(b.bytes) over u - b.bytes as bytes_before
            from (
                select b.ctid as row_id, b.id, b.count, pg_column_size(b.changes) as bytes
                  from pawl.change_batch b
                 where b.bucket = p_bucket
                 order by b.bucket, b.id
                 limit c_batches
                   for update skip locked
            ) as b
          window u as (order by b.id)
      ) as b
     where b.before < p_most;
end
$$;

-- Makes events of changes that were written down, about p_most at a time, and queues them for the matcher and for the
-- triggers of their tenants. Returns how many. Passes over rows that another matcher has locked.
create or replace function pawl.take_changes(p_bucket smallint, p_most int default 2000) returns bigint
language plpgsql set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set jit = off as $$
declare
    v_next record;
    v_number bigint[];
begin
    if not exists (select 1 from pawl.change_batch b where b.bucket = p_bucket) then
        return 0;
    end if;
    v_next := pawl.next_batches(p_bucket, p_most);
    with taken as (
        delete from pawl.change_batch b where b.ctid = any (v_next.row_id)
        returning b.id, b.tenant, b.event, b.prefix, b.source, b.subject_column, b.at, b.chain, b.changes, b.says,
                  b.plain, b.met
    ), said as (
        select t.*, c.n, case when f.fine then c.data else pawl.readable_part(c.data) end
               || case when t.chain is null then '{}' else jsonb_build_object('chain', t.chain) end
               as data,
               case when f.fine then nullif(t.met -> (c.n - 1)::int, 'null')
                    else pawl.told_of_unreadable(t.tenant, t.event, c.data, nullif(t.met -> (c.n - 1)::int, 'null')) end
               as told
          from taken t
         cross join lateral (
             select j.value::jsonb as data, j.n
               from json_array_elements(case when t.says is null then t.changes end) with ordinality as j (value, n)
              union all
             select jsonb_object_agg(k.key, j.value) || t.says, j.n
               from json_each(case when t.says is not null then t.changes end) as k
              cross join lateral json_array_elements(k.value) with ordinality as j (value, n)
              group by j.n
         ) as c
         cross join lateral (select t.plain or pawl.is_readable(c.data) as fine offset 0) as f
         order by t.id, c.n
    ), fresh as (
        insert into pawl.inbox (bucket, tenant, event_id, name, key, subject, source, data, at, met)
        select p_bucket, s.tenant, s.prefix || s.id || ':' || s.n, s.event, pawl.event_key(coalesce(u.subject, '')),
               u.subject, s.source, s.data, s.at, s.told
          from said s
         cross join lateral (
             -- A row that is gone may have had a column called new. What was left out is no name.
             select case when not coalesce(r.said ? 'pawl.left_out', false) then r.said #>> '{}' end as subject
               from (values (coalesce(case s.data ->> 'operation' when 'DELETE' then s.data -> 'old'
                                                                  else s.data -> 'new' end, s.data)
                             -> s.subject_column)) as r (said)
             offset 0
         ) as u
        returning id, tenant, name
    ), starting as (
        insert into pawl.trigger_pending (bucket, id)
        select p_bucket, f.id
          from fresh f
         where exists (select 1 from pawl.event_trigger e where e.tenant = f.tenant and e.event = f.name)
    )
    select array_agg(f.id) into v_number from fresh f;
    if v_number is not null then
        perform pawl.pend_events(p_bucket, v_number);
    end if;
    if v_next.more then
        perform pg_notify('pawl_wake', p_bucket::text);
    end if;
    return coalesce(cardinality(v_number), 0);
end
$$;
