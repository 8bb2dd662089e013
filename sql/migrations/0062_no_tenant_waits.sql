-- No tenant waits for another. A role of a tenant that may use SQL can take any advisory lock, since their keys are
-- numbers that everybody can work out, and can hold a transaction open for as long as it likes. So what must happen one
-- after the other is ordered by rows of pawl.latch, which such roles have no right to lock: one for each tenant,
-- or (tenant 0) the engine's alone. Channels of NOTIFY tell ids, because every role may listen to all of them. Limits
-- of a definition count runs of its own tenant.
-- breaking: no

set local lock_timeout = '5s';

create table pawl.latch (
    tenant int not null,
    name text collate "C" not null,
    constraint latch_pk primary key (tenant, name),
    constraint latch_name_check check (octet_length(name) <= 600)
);
insert into pawl.latch (tenant, name) values (0, 'partitions'), (0, 'release_triggers 0');

-- Waits until no other transaction holds it; held until this one ends.
create function pawl.hold(p_tenant int, p_name text) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
    loop
        perform 1 from pawl.latch l where l.tenant = p_tenant and l.name = p_name for no key update;
        exit when found;
        insert into pawl.latch (tenant, name) values (p_tenant, p_name) on conflict do nothing;
    end loop;
end
$$;

-- The same without waiting: false when another transaction holds it.
create function pawl.try_hold(p_tenant int, p_name text) returns boolean
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
    perform 1 from pawl.latch l where l.tenant = p_tenant and l.name = p_name for no key update skip locked;
    if found then
        return true;
    elsif exists (select 1 from pawl.latch l where l.tenant = p_tenant and l.name = p_name) then
        return false;
    end if;
    insert into pawl.latch (tenant, name) values (p_tenant, p_name) on conflict do nothing;
    return found;
end
$$;

-- Keys of locks are many and come and go; so many latches of a tenant stand for all of them.
create function pawl.lock_latch(p_bucket smallint, p_key text) returns text
language sql immutable parallel safe
return 'lock ' || p_bucket || ' ' || (hashtext(p_key) & 255);

-- Writers of definitions of a tenant come one after the other (lock_definitions).
create function pawl.hold_definitions(p_tenant int) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
    perform pawl.hold(p_tenant, 'definitions');
    perform set_config('pawl.defines_for', p_tenant::text, true);
end
$$;

-- Before any row of pawl.definition is locked. What writes to the view pawl.workflow_definitions says for whom by
-- being that tenant; functions have said it. A role of a tenant locks nothing here: it may not write either.
create or replace function pawl.lock_definitions() returns trigger
language plpgsql set search_path = pg_catalog as $$
begin
    if has_table_privilege('pawl.latch', 'update') then
        perform pawl.hold(
            coalesce(nullif(current_setting('pawl.defines_for', true), '')::int, pawl.current_tenant()), 'definitions'
        );
    end if;
    return null;
end
$$;

-- Whether a login can only have written for other tenants: what it has not committed is nothing to wait for.
create function pawl.works_for_others(p_role oid, p_tenant int) returns boolean
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
    v_others boolean;
begin
    perform pawl.require_tenant(p_tenant);
    if p_role is null or pg_has_role(p_role, (select n.nspowner from pg_namespace n where n.nspname = 'pawl'), 'member')
       or coalesce(pg_has_role(p_role, to_regrole('pawl_worker')::oid, 'member'), false)
       or coalesce(pg_has_role(p_role, to_regrole('pawl_api')::oid, 'member'), false) then
        return false;
    end if;
    select bool_and(t.tenant <> p_tenant) into v_others
      from pawl.tenant_role t
     where pg_has_role(p_role, to_regrole(quote_ident(t.role_name))::oid, 'member');
    return coalesce(v_others, false);
end
$$;

create or replace function pawl.apply_workflow(p_name text, p_definition jsonb, p_tenant int default 1)
returns table (id int, version int, changed boolean)
language plpgsql set search_path = pg_catalog as $$
#variable_conflict use_column
declare
    v_head pawl.definition;
    v_definition jsonb;
    v_known int;
begin
    if p_definition ->> 'name' <> p_name then
        raise exception 'the definition calls itself %, not %', quote_literal(p_definition ->> 'name'),
            quote_literal(p_name)
            using errcode = 'invalid_parameter_value',
                  hint = 'Give both the same name, or leave it out of the definition.';
    end if;
    perform pawl.hold_definitions(p_tenant);
    select v.version into v_known
      from pawl.workflow w
      join pawl.workflow_version v on v.workflow = w.id
     where w.tenant = p_tenant and w.name = p_name and v.definition = p_definition and v.retired_at is null
       and (v.draft or v.label is not null)
     order by v.version desc
     limit 1;
    select d.* into v_head from pawl.definition d where d.tenant = p_tenant and d.name = p_name;
    if not found and v_known is null then
        changed := true;
        insert into pawl.definition as d (tenant, name, source) values (p_tenant, p_name, p_definition)
        returning d.workflow, d.version into id, version;
        return next;
        return;
    end if;
    select v.definition into v_definition
      from pawl.workflow_version v where v.workflow = v_head.workflow and v.version = v_head.version;
    id := v_head.workflow;
    version := v_head.version;
    changed := v_definition is distinct from p_definition;
    if changed and v_known is not null then
        return query select a.id, a.version, a.changed from pawl.activate_workflow(p_tenant, p_name, v_known) a;
        return;
    elsif changed then
        update pawl.definition d set source = p_definition, active = true
         where d.workflow = v_head.workflow returning d.version into version;
    elsif not v_head.active then
        update pawl.definition d set restore = d.version, active = true where d.workflow = v_head.workflow;
    end if;
    return next;
end
$$;

create or replace function pawl.activate_workflow(p_tenant int, p_name text, p_version int default null)
returns table (id int, version int, changed boolean)
language plpgsql set search_path = pg_catalog as $$
#variable_conflict use_column
declare
    v_head pawl.definition;
    v_retired timestamptz;
begin
    perform pawl.hold_definitions(p_tenant);
    select w.id into id from pawl.workflow w where w.tenant = p_tenant and w.name = p_name;
    select d.* into v_head from pawl.definition d where d.workflow = activate_workflow.id;
    version := coalesce(p_version, v_head.version, (
        select max(v.version) from pawl.workflow_version v where v.workflow = activate_workflow.id and not v.draft
    ));
    select v.retired_at into v_retired
      from pawl.workflow_version v
     where v.workflow = activate_workflow.id and v.version = activate_workflow.version;
    if not found then
        return;
    end if;
    if v_retired is not null then
        raise exception 'version % of workflow "%" is retired', version, p_name
            using errcode = 'object_not_in_prerequisite_state',
                  hint = format('select pawl.retire_version(%s, %L, %s, p_retired => false) brings it back', p_tenant,
                                p_name, version);
    end if;
    changed := v_head.workflow is null or not v_head.active or v_head.version <> version;
    if v_head.workflow is null then
        insert into pawl.definition (tenant, name, restore) values (p_tenant, p_name, activate_workflow.version);
    elsif changed then
        update pawl.definition d set restore = activate_workflow.version, active = true
         where d.workflow = activate_workflow.id;
    end if;
    return next;
end
$$;

create or replace function pawl.deactivate_workflow(p_tenant int, p_name text)
returns boolean
language plpgsql set search_path = pg_catalog as $$
begin
    perform pawl.hold_definitions(p_tenant);
    update pawl.definition d set restore = d.version, active = false
     where d.tenant = p_tenant and d.name = p_name and d.active;
    return exists (select 1 from pawl.definition d where d.tenant = p_tenant and d.name = p_name);
end
$$;

create or replace function pawl.switch_workflow(p_tenant int, p_name text, p_reason text)
returns boolean
language plpgsql set search_path = pg_catalog as $$
begin
    perform pawl.hold_definitions(p_tenant);
    update pawl.definition d
       set restore = d.version, off_reason = p_reason, active = p_reason is null
     where d.tenant = p_tenant and d.name = p_name and d.off_reason is distinct from p_reason;
    return exists (select 1 from pawl.definition d where d.tenant = p_tenant and d.name = p_name);
end
$$;

create or replace function pawl.retire_version(
    p_tenant int, p_name text, p_version int, p_drain boolean default false, p_retired boolean default true
)
returns text
language plpgsql set search_path = pg_catalog as $$
declare
    v_workflow int;
    v_open bigint;
begin
    perform pawl.hold_definitions(p_tenant);
    select v.workflow into v_workflow
      from pawl.workflow w
      join pawl.workflow_version v on v.workflow = w.id
     where w.tenant = p_tenant and w.name = p_name and v.version = p_version;
    if not found then
        return format('there is no version %s of it', p_version);
    end if;
    if p_retired then
        if exists (select 1 from pawl.definition d where d.workflow = v_workflow and d.version = p_version) then
            return format('version %s is the one that starts use: activate another one first', p_version);
        end if;
        select c.open_runs into v_open
          from pawl.count_open_versions(p_tenant, p_name) c where c.version = p_version;
        if v_open > 0 and not p_drain then
            return format('version %s has %s open run%s: migrate them, or let them go to their end (drain)', p_version,
                          v_open, case when v_open = 1 then '' else 's' end);
        end if;
        update pawl.definition d
           set restore = d.version,
               canary = (select jsonb_agg(c) from jsonb_array_elements(d.canary) as c
                          where (c -> 'version')::int <> p_version)
         where d.workflow = v_workflow and d.canary @> jsonb_build_array(jsonb_build_object('version', p_version));
    end if;
    update pawl.workflow_version v
       set retired_at = case when p_retired then now() end
     where v.workflow = v_workflow and v.version = p_version and (v.retired_at is not null) <> p_retired;
    if found then
        perform pawl.note_version(p_tenant, v_workflow, case when p_retired then 'retired' else 'unretired' end,
                                  p_version);
    end if;
    return null;
end
$$;

create or replace function pawl.save_draft(p_tenant int, p_name text, p_definition jsonb)
returns table (id int, version int, changed boolean)
language plpgsql set search_path = pg_catalog as $$
#variable_conflict use_column
declare
    v_newest jsonb;
begin
    perform pawl.hold_definitions(p_tenant);
    id := pawl.workflow_id(p_tenant, p_name);
    select v.version, v.definition into version, v_newest
      from pawl.workflow_version v where v.workflow = save_draft.id order by v.version desc limit 1;
    changed := v_newest is distinct from p_definition;
    if changed and pawl.label_of(p_definition) is not null then
        select v.version, false into version, changed
          from pawl.workflow_version v
         where v.workflow = save_draft.id and v.label = pawl.label_of(p_definition) and v.definition = p_definition
         union all
        select save_draft.version, true
         limit 1;
    end if;
    if changed then
        version := coalesce(version, 0) + 1;
        perform pawl.refuse_label(save_draft.id, pawl.label_of(p_definition), save_draft.version);
        insert into pawl.workflow_version (workflow, version, definition, label, draft)
        values (save_draft.id, save_draft.version, p_definition, pawl.label_of(p_definition), true);
        perform pawl.note_version(p_tenant, save_draft.id, 'drafted', save_draft.version);
    end if;
    return next;
end
$$;

create or replace function pawl.set_canary(p_tenant int, p_name text, p_canary jsonb)
returns text
language plpgsql set search_path = pg_catalog as $$
declare
    v_head pawl.definition;
    v_problem text;
begin
    perform pawl.hold_definitions(p_tenant);
    select d.* into v_head from pawl.definition d where d.tenant = p_tenant and d.name = p_name;
    if not found then
        return 'there is no such workflow';
    end if;
    select case when v.version is null then format('there is no version %s of it', c.version)
                when v.retired_at is not null then format('version %s is retired', c.version)
                when c.version = v_head.version then format('version %s is the head: it gets what the others leave',
                                                            c.version)
                when c.share not between 0 and 100 then format('the share of version %s must be from 0 to 100',
                                                               c.version) end
      into v_problem
      from jsonb_to_recordset(coalesce(p_canary, '[]')) as c (version int, share numeric)
      left join pawl.workflow_version v on v.workflow = v_head.workflow and v.version = c.version
     where v.version is null or v.retired_at is not null or c.version = v_head.version
        or c.share not between 0 and 100 or c.share is null
     order by c.version
     limit 1;
    if found then
        return coalesce(v_problem, 'every version needs a share');
    end if;
    if (select sum(c.share) from jsonb_to_recordset(p_canary) as c (share numeric)) > 100 then
        return 'the shares come to more than 100 percent';
    elsif (select count(*) <> count(distinct c.version) from jsonb_to_recordset(p_canary) as c (version int)) then
        return 'a version is named twice';
    end if;
    update pawl.workflow_version v
       set draft = false
     where v.workflow = v_head.workflow and v.draft
       and v.version in (select c.version from jsonb_to_recordset(p_canary) as c (version int));
    update pawl.definition d
       set restore = d.version, canary = nullif(p_canary, '[]')
     where d.workflow = v_head.workflow and d.canary is distinct from nullif(p_canary, '[]');
    return null;
end
$$;

create or replace function pawl.book_meeting(
    p_tenant int, p_uid text, p_title text, p_description text, p_attendee text, p_starts timestamptz, p_minutes int
)
returns timestamptz
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
    perform pawl.hold(p_tenant, 'calendar');
    insert into pawl.calendar_event (tenant, uid, title, description, attendee, starts_at, ends_at)
    select p_tenant, p_uid, p_title, p_description, p_attendee, p_starts, p_starts + make_interval(mins => p_minutes)
     where not exists (
         select 1 from pawl.calendar_event e
          where e.tenant = p_tenant and e.ends_at > p_starts
            and e.starts_at < p_starts + make_interval(mins => p_minutes)
     )
        on conflict do nothing;
    return (select e.starts_at from pawl.calendar_event e where e.tenant = p_tenant and e.uid = p_uid);
end
$$;

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

create or replace function pawl.release_triggers(p_bucket smallint)
returns table (tenant int, first bigint)
language plpgsql set search_path = pg_catalog set enable_seqscan = off set enable_bitmapscan = off as $$
#variable_conflict use_column
declare
    c_most constant int := 1000;
    v_tenant pawl.tenant;
    v_after int := 0;
    v_room int;
    v_alone boolean;
begin
    if not exists (select 1 from pawl.trigger_held h where h.bucket = p_bucket) then
        return;
    end if;
    -- Two at once would give the same room away twice.
    v_alone := pawl.try_hold(0, 'release_triggers ' || p_bucket);
    loop
        select h.tenant into v_after
          from pawl.trigger_held h
         where h.bucket = p_bucket and h.tenant > v_after
         order by h.bucket, h.tenant
         limit 1;
        exit when not found;
        select t.* into v_tenant from pawl.tenant t where t.id = v_after;
        v_room := least(c_most, coalesce(v_tenant.starts_per_second_max, c_most));
        if v_tenant.open_runs_max is not null then
            v_room := least(v_room, v_tenant.open_runs_max
                                    - pawl.count_open_runs(p_bucket, v_after, v_tenant.open_runs_max));
        end if;
        if v_alone and v_room > 0 then
            with freed as (
                delete from pawl.trigger_held h
                 where h.bucket = p_bucket and h.tenant = v_after and h.id in (
                           select x.id from pawl.trigger_held x
                            where x.bucket = p_bucket and x.tenant = v_after
                            order by x.id
                            limit v_room)
                returning h.id
            )
            insert into pawl.trigger_pending (bucket, id) select p_bucket, f.id from freed f on conflict do nothing;
        end if;
        tenant := v_after;
        first := (select min(h.id) from pawl.trigger_held h where h.bucket = p_bucket and h.tenant = v_after);
        if first is not null then
            return next;
        end if;
    end loop;
end
$$;

create or replace function pawl.enter_lock(p_bucket smallint, p_tenant int, p_key text, p_run uuid, p_token int)
returns boolean
language plpgsql set search_path = pg_catalog set enable_seqscan = off as $$
declare
    v_first record;
begin
    -- The commit that closes a run takes the row away and then the places: a later claim gets none. Commits take
    -- these locks in the same order.
    perform 1 from pawl.live_run l where l.bucket = p_bucket and l.run_id = p_run for key share;
    if not found then
        return false;
    end if;
    perform pawl.hold(p_tenant, pawl.lock_latch(p_bucket, p_key));
    if not exists (
        select 1
          from pawl.lock_place l
         where l.bucket = p_bucket and l.tenant = p_tenant and l.key = p_key and l.run_id = p_run and l.token = p_token
    ) then
        insert into pawl.lock_place (bucket, tenant, key, run_id, token)
        values (p_bucket, p_tenant, p_key, p_run, p_token);
    end if;
    select l.run_id, l.token into v_first
      from pawl.lock_place l
     where l.bucket = p_bucket and l.tenant = p_tenant and l.key = p_key
     order by l.place
     limit 1;
    return v_first.run_id = p_run and v_first.token = p_token;
end
$$;

create or replace function pawl.leave_places(p_bucket smallint, p_run uuid[], p_token int[], p_key text[])
returns int
language plpgsql set search_path = pg_catalog set enable_seqscan = off as $$
declare
    v_left record;
    v_before bigint;
    v_next record;
    v_count int := 0;
begin
    if not exists (select 1 from pawl.lock_place l where l.bucket = p_bucket) then
        return 0;
    end if;
    for v_left in
        select distinct l.tenant, pawl.lock_latch(p_bucket, l.key) as latch, l.key, l.run_id, u.token
          from unnest(p_run, p_token, p_key) as u (run_id, token, key)
          join pawl.lock_place l
            on l.bucket = p_bucket and l.run_id = u.run_id
           and (u.token is null or l.token = u.token) and (u.key is null or l.key = u.key)
         order by l.tenant, latch, l.key, l.run_id
    loop
        perform pawl.hold(v_left.tenant, v_left.latch);
        select min(l.place) into v_before
          from pawl.lock_place l
         where l.bucket = p_bucket and l.tenant = v_left.tenant and l.key = v_left.key;
        delete from pawl.lock_place l
         where l.bucket = p_bucket and l.tenant = v_left.tenant and l.key = v_left.key and l.run_id = v_left.run_id
           and (v_left.token is null or l.token = v_left.token);
        v_count := v_count + 1;
        select l.place, l.run_id, l.token into v_next
          from pawl.lock_place l
         where l.bucket = p_bucket and l.tenant = v_left.tenant and l.key = v_left.key
         order by l.place
         limit 1;
        if v_next.place <> v_before then
            perform pawl.leave_signals(
                p_bucket, array[v_next.run_id], array['lock'],
                array[jsonb_build_object('token', v_next.token, 'key', v_left.key)], false
            );
        end if;
    end loop;
    return v_count;
end
$$;

create or replace function pawl.ensure_partitions(p_weeks_ahead int default 4)
returns int
language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '100ms' as $$
declare
    v_week timestamptz;
    v_table text;
    v_name text;
    v_made int := 0;
begin
    if not pawl.try_hold(0, 'partitions') then
        return 0;
    end if;
    for v_week in
        select generate_series(
            date_trunc('week', now() at time zone 'UTC') - interval '1 week',
            date_trunc('week', now() at time zone 'UTC') + p_weeks_ahead * interval '1 week',
            interval '1 week'
        ) at time zone 'UTC'
    loop
        foreach v_table in array array['event', 'run'] loop
            v_name := format('%s_%s', v_table, to_char(v_week at time zone 'UTC', 'YYYYMMDD'));
            continue when to_regclass('pawl.' || v_name) is not null;
            -- Rows of that week may be in the default partition already, written by a clock that ran ahead. They stay
            -- there, and so do the rest of that week: the weeks after it must be made all the same.
            begin
                execute format(
                    'create table pawl.%I partition of pawl.%I for values from (%L) to (%L)'
                    ' with (autovacuum_vacuum_insert_scale_factor = 0.2)',
                    v_name, v_table, pawl.uuid7_bound(v_week), pawl.uuid7_bound(v_week + interval '1 week')
                );
                v_made := v_made + 1;
            exception when check_violation then
                raise warning 'pawl.%_default holds rows of the week %: no partition made', v_table, v_week;
            end;
        end loop;
    end loop;
    return v_made;
end
$$;

create or replace function pawl.drop_old_partitions(p_keep interval)
returns setof text
language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '100ms' as $_$
declare
    v_week timestamptz;
    v_until uuid;
    v_name text;
    v_table text;
begin
    if not pawl.try_hold(0, 'partitions') then
        return;
    end if;
    for v_week, v_name in
        select to_timestamp(substring(c.relname from '\d{8}$') || '+00', 'YYYYMMDDTZH'),
               substring(c.relname from '\d{8}$')
          from pg_inherits i
          join pg_class c on c.oid = i.inhrelid
         where i.inhparent = 'pawl.event'::regclass and c.relname ~ '^event_\d{8}$'
    loop
        v_until := pawl.uuid7_bound(v_week + interval '1 week');
        continue when v_week + interval '1 week' > now() - p_keep;
        continue when exists (
            select 1 from pawl.live_run l where l.run_id >= pawl.uuid7_bound(v_week) and l.run_id < v_until
        );
        foreach v_table in array array['event', 'run'] loop
            execute format('drop table if exists pawl.%I', v_table || '_' || v_name);
            return next v_table || '_' || v_name;
        end loop;
        delete from pawl.correlation c where c.run_id >= pawl.uuid7_bound(v_week) and c.run_id < v_until;
        delete from pawl.dead_letter d where d.run_id >= pawl.uuid7_bound(v_week) and d.run_id < v_until;
        with gone as (
            delete from pawl.human_task t
             where t.run_id >= pawl.uuid7_bound(v_week) and t.run_id < v_until
            returning t.bucket, t.id
        )
        delete from pawl.task_decision d using gone g where d.bucket = g.bucket and d.task = g.id;
    end loop;
end
$_$;

create or replace function pawl.tail_events(p_bucket smallint, p_tenant int, p_after timestamptz, p_limit int)
returns table (run_id uuid, workflow text, seq int, type text, node text, attempt smallint, at timestamptz)
language plpgsql set search_path = pg_catalog set plan_cache_mode = force_generic_plan set enable_seqscan = off
set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off as $$
#variable_conflict use_column
declare
    v_after timestamptz := greatest(p_after, now() - interval '1 hour');
    v_until timestamptz;
    v_walked bigint := 0;
    v_event record;
begin
    select greatest(least(clock_timestamp() - interval '20 ms',
                          min(coalesce(a.xact_start, clock_timestamp() - interval '5 s'))),
                    clock_timestamp() - interval '5 s')
      into v_until
      from pg_stat_activity a
     where a.datname = current_database()
       and (a.xact_start is not null or a.query = '<insufficient privilege>')
       and a.pid <> pg_backend_pid()
       and not pawl.works_for_others(a.usesysid, p_tenant);
    for v_event in
        select e.*, r.tenant, w.name as workflow
          from pawl.events_between(p_bucket, v_after, v_until, p_limit) e
          left join lateral (
              select l.tenant, l.workflow
                from pawl.live_run l
               where l.bucket = p_bucket and l.run_id = e.run_id
               union all
              select c.tenant, c.workflow
                from pawl.run c
               where c.bucket = p_bucket and c.run_id = e.run_id
               limit 1
          ) as r on true
          left join pawl.workflow w on w.id = r.workflow
         order by e.at, e.run_id, e.seq
    loop
        v_walked := v_walked + 1;
        at := v_event.at;
        continue when v_event.tenant is distinct from p_tenant;
        run_id := v_event.run_id;
        workflow := v_event.workflow;
        seq := v_event.seq;
        type := pawl.event_type_name(v_event.type);
        node := v_event.node;
        attempt := v_event.attempt;
        return next;
    end loop;
    run_id := null;
    at := case when v_walked < p_limit then greatest(v_after, v_until - interval '1 microsecond') else at end;
    return next;
end
$$;

create or replace function pawl.list_limits(p_tenant int, p_workflow text, p_after text, p_limit int)
returns table (gate text, scope text, workflow text, name text, key text, "limit" int, defined int, set int,
               running int, waiting int)
language plpgsql stable set search_path = pg_catalog set plan_cache_mode = force_custom_plan set enable_seqscan = off
set jit = off as $_$
#variable_conflict use_column
begin
    return query
    select x.gate, case when p.workflow = 0 then 'tenant' else 'workflow' end, w.name,
           p.name, nullif(p.key, ''), coalesce(x."limit", x.set), x.base, x.set, coalesce(x.held, 0),
           (select count(*)::int
              from (select 1 from pawl.flow_wait q where q.gate = x.gate limit 10000) as q)
      from (
          select coalesce(g.gate, l.gate) as gate, g."limit", g.base, g.held, l."limit" as set
            from pawl.flow_gate g
            full join pawl.flow_limit l on l.gate = g.gate
      ) as x
     cross join lateral (
         select split_part(x.gate, '/', 1)::int, split_part(x.gate, '/', 2)::int, split_part(x.gate, '/', 3),
                substring(x.gate from '^[^/]*/[^/]*/[^/]*/(.*)$')
     ) as p (tenant, workflow, name, key)
      left join pawl.workflow w on w.id = p.workflow
     where p.tenant = p_tenant and (p_workflow is null or w.name = p_workflow)
       and (p_after is null or x.gate collate "C" > p_after collate "C")
     order by x.gate collate "C"
     limit p_limit;
end
$_$;

-- Sends to a queue that the login of the workers does not own.
create function pawl.send_to_queue(p_queue text, p_message jsonb[]) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    perform pgmq.send_batch(p_queue, p_message);
end
$$;

create or replace function pawl.publish_inside(p_bucket smallint, p_limit int)
returns table (kind text, sent int, failed int)
language plpgsql set search_path = pg_catalog set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
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
                perform pawl.send_to_queue(v_target.address, v_message);
            else
                -- Every role of the database may listen to every channel: ids, and nothing of the run.
                perform pg_notify(v_target.address, jsonb_build_object(
                            'id', u.message -> 'id', 'type', u.message -> 'type',
                            'timestamp', u.message -> 'timestamp',
                            'data', jsonb_build_object('run_id', u.message -> 'data' -> 'run_id',
                                                       'seq', u.message -> 'data' -> 'seq'))::text)
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

create or replace function pawl.start_checked(
    p_bucket smallint, p_head pawl.definition, p_definition jsonb, p_data jsonb[], p_correlation text[],
    p_subject text[], p_priority smallint[], p_start_at timestamptz[], p_triggered_by text
)
returns table (place bigint, run_id uuid, created boolean)
language plpgsql set search_path = pg_catalog as $$
#variable_conflict use_column
declare
    v_found boolean := false;
    v_count int := cardinality(p_data);
    v_reentry smallint := case p_definition ->> 'reentry' when 'once' then 1 when 'while_none_open' then 2 else 0 end;
    -- In order: of two with one key the first is started.
    v_run uuid[] := array(select pawl.uuid7() from generate_series(1, v_count) order by 1);
begin
    perform pawl.refuse_unreadable(u.data) from unnest(p_data) as u (data);
    -- The engine starts runs of many tenants together: none of its keys may be held by an open transaction.
    if exists (
        select 1 from unnest(p_correlation) as c (key)
         where c.key ~ '^(event:|schedule:[0-9]+:[0-9]{4}-|call:[0-9a-f]{8}-[0-9a-f]{4}-)'
    ) then
        raise exception 'correlation ids such as event:..., schedule:17:2026-... and call:... are the engine''s own'
            using errcode = 'reserved_name', hint = 'Take another, such as order-17.';
    end if;
    for place, run_id, created in
    with existing as materialized (
        select s.requested, s.existing
          from pawl.start_guarded_runs(
              p_bucket, null, false, v_run, array_fill((p_head).tenant, array[v_count]),
              array_fill((p_head).workflow, array[v_count]), array_fill((p_head).version, array[v_count]),
              p_subject, p_priority, p_start_at,
              array(
                  select pawl.first_event(p_head, u.data, u.key, u.subject, u.start_at, p_triggered_by)
                    from unnest(p_data, p_correlation, p_subject, p_start_at) with ordinality
                         as u (data, key, subject, start_at, n)
                   order by u.n
              ),
              case when exists (select 1 from unnest(p_correlation) as c where c is not null) then p_correlation end,
              array_fill(false, array[v_count]), array_fill(v_reentry, array[v_count])
          ) s
    )
    select u.n, coalesce(e.existing, u.run_id), e.existing is null
      from unnest(v_run) with ordinality as u (run_id, n)
      left join existing e on e.requested = u.run_id
     order by u.n
    loop
        v_found := v_found or not created;
        return next;
    end loop;
    if v_found then
        perform pawl.confirm_found();
    end if;
    if exists (select 1 from unnest(p_start_at) as s (at) where s.at is null or s.at <= now()) then
        perform pawl.wake_at_commit(p_bucket);
    end if;
end
$$;

create or replace function pawl.emit(
    name text, key text default NULL::text, data jsonb default NULL::jsonb, subject text default NULL::text,
    id text default NULL::text
)
returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
declare
    v_tenant pawl.tenant := pawl.sql_tenant();
    v_id text := coalesce(nullif(id, ''), pawl.uuid7()::text);
    v_part record;
begin
    if coalesce(name, '') = '' then
        raise exception 'an event needs a name' using errcode = 'invalid_parameter_value',
            hint = 'Like this: select pawl.emit(''order.paid'', key => ''order-17'').';
    end if;
    if name like 'pawl.%' then
        raise exception 'names that begin with pawl. are the engine''s own: %', quote_literal(name)
            using errcode = 'reserved_name', hint = 'Take another, such as ''order.paid''.';
    end if;
    if v_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}:[0-9]+$' then
        raise exception 'ids of this form are the engine''s own: %', quote_literal(v_id)
            using errcode = 'reserved_name', hint = 'Take another, such as ''payment-17''.';
    end if;
    for v_part in
        select p.what, octet_length(p.given) as size, p.most
          from (values ('name', name, 200), ('key', key, 500), ('subject', subject, 500), ('id', v_id, 400))
               as p (what, given, most)
         where octet_length(p.given) > p.most
    loop
        raise exception 'the % of an event has at most % bytes, not %', v_part.what, v_part.most, v_part.size
            using errcode = 'string_data_right_truncation', hint = 'What is long belongs into data.';
    end loop;
    perform pawl.refuse_unreadable(data);
    perform pawl.publish_events(
        v_tenant.bucket, array[v_tenant.id], array[v_id], array[name], array[coalesce(key, subject, '')],
        array[subject], array['sql'], array[null::timestamptz], array[data]
    );
    if not found then
        perform pawl.confirm_found();
    end if;
    perform pawl.wake_at_commit(v_tenant.bucket);
    return v_id;
end
$$;

-- As its owner, and so are those below: the login of the workers owns no queue and no task.
create or replace function pawl.figures_of_queues()
returns table (metric text, labels jsonb, value double precision)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off set jit = off
as $_$
#variable_conflict use_column
declare
    v_queue text;
begin
    begin
        return query
        with due as (
            select t.scheduled_at from queues.task t
             where t.dequeued_at is null and t.scheduled_at <= now() order by t.scheduled_at limit 10000
        )
        select 'pawl_tasks_due', null::jsonb, count(*)::float8 from due
        union all
        select 'pawl_oldest_task_age_seconds', null,
               coalesce(extract(epoch from now() - min(d.scheduled_at)), 0)::float8 from due d;
    exception when insufficient_privilege or undefined_table or invalid_schema_name then
        null;
    end;
    if to_regnamespace('pgmq') is null or not has_schema_privilege('pgmq', 'usage') then
        return;
    elsif to_regclass('pgmq.meta') is null or not has_table_privilege('pgmq.meta', 'select') then
        return;
    end if;
    for v_queue in select m.queue_name::text from pgmq.meta m order by 1 limit 100 loop
        begin
            return query execute format(
                'with head as (select q.enqueued_at from pgmq.%1$I q order by q.msg_id limit 10000)
                 select ''pawl_queue_messages'', %2$L::jsonb, count(*)::float8 from head
                 union all
                 select ''pawl_queue_oldest_age_seconds'', %2$L::jsonb,
                        coalesce(extract(epoch from now() - min(h.enqueued_at)), 0)::float8 from head h',
                'q_' || lower(v_queue), jsonb_build_object('queue', v_queue));
        exception when insufficient_privilege or undefined_table then
            continue;
        end;
    end loop;
end
$_$;

create or replace function queues.purge_tasks(p_keep interval, p_limit int)
returns int
language plpgsql security definer set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off as $$
declare
    v_gone int;
begin
    delete from queues.task t
     where t.task_id = any (array(
               select o.task_id
                 from queues.task o
                where o.dequeued_at is not null and o.dequeued_at <= now() - p_keep and o.lease_until is null
                order by o.dequeued_at
                limit p_limit
                  for update skip locked
           ));
    get diagnostics v_gone = row_count;
    return v_gone;
end
$$;
revoke execute on function queues.purge_tasks(interval, int) from public;
grant execute on function queues.purge_tasks(interval, int) to worker_service_user;

-- Says what an administrator has to do, where the owner of the schema may not give roles away.
create or replace function pawl.bind_role(p_role text, p_tenant text)
returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    v_tenant int;
begin
    if to_regrole(quote_ident(p_role)) is null then
        raise exception 'there is no role %', quote_literal(p_role) using errcode = 'undefined_object',
            hint = format('create role %I login password ...', p_role);
    end if;
    v_tenant := nullif(pawl.tenant_number(p_tenant), 0);
    insert into pawl.tenant_role as t (role_name, tenant) values (p_role, v_tenant)
        on conflict (role_name) do update set tenant = excluded.tenant;
    if not pg_has_role(p_role::name, 'pawl_user', 'member') then
        begin
            execute format('grant pawl_user to %I', p_role);
        exception when insufficient_privilege then
            raise exception 'role % may not give roles away', current_user using errcode = 'insufficient_privilege',
                hint = format('Let an administrator run: grant pawl_user to %I with admin option. Or, for this role'
                              ' alone: grant pawl_user to %I. Then try again.', current_user, p_role);
        end;
    end if;
    perform pawl.share_queue(q.name, p_role, q.tenant = v_tenant)
       from pawl.queue q where q.name like 't' || q.tenant || '\_%';
end
$$;

-- A definition is a tenant's: what it limits are runs of that tenant, whatever `scope` it gives.
create or replace function pawl.flow_ticket(p_flow jsonb, p_tenant int, p_workflow int, p_input jsonb, p_subject text)
returns jsonb
language sql immutable parallel safe set search_path = pg_catalog
return (
    with entry as (
        select e.kind, e.value, e.n,
               format(
                   '%s/%s/%s/%s', p_tenant,
                   case when coalesce(e.value ->> 'scope', 'workflow') = 'workflow' then p_workflow else 0 end,
                   coalesce(e.value ->> 'name', e.name),
                   pawl.render_key(coalesce(e.value ->> 'key', ''), p_input, p_subject)
               ) as gate
          from (
              select 'slot', s.value, s.n, case when s.n = 1 then 'concurrency' else 'concurrency_' || s.n end
                from jsonb_array_elements(
                    case jsonb_typeof(p_flow -> 'concurrency') when 'object'
                         then jsonb_build_array(p_flow -> 'concurrency') else p_flow -> 'concurrency' end
                ) with ordinality as s (value, n)
              union all
              select 'rate', p_flow -> 'rate', 1, 'rate' where jsonb_typeof(p_flow -> 'rate') = 'object'
              union all
              select 'gather', p_flow -> g.kind, 1, g.kind
                from (values ('batch'), ('debounce')) as g (kind)
               where jsonb_typeof(p_flow -> g.kind) = 'object'
          ) as e (kind, value, n, name)
    )
    select nullif(jsonb_strip_nulls(jsonb_build_object(
        'slots', (
            select jsonb_agg(jsonb_build_array(e.gate, (e.value ->> 'limit')::int) order by e.n)
              from entry e where e.kind = 'slot'
        ),
        'free', (select true where p_flow ->> 'while_waiting' = 'free' and p_flow ? 'concurrency'),
        'rate', (
            select jsonb_build_array(
                       e.gate, (e.value ->> 'limit')::int, pawl.duration_ms(e.value -> 'per') * 1000,
                       coalesce((e.value ->> 'burst')::int, 1), coalesce(e.value ->> 'over', 'wait') = 'drop'
                   )
              from entry e where e.kind = 'rate'
        ),
        'gather', (
            select jsonb_build_array(
                       e.gate, coalesce((e.value ->> 'size')::int, 0),
                       coalesce(pawl.duration_ms(e.value -> 'period'), 0) * 1000,
                       coalesce(pawl.duration_ms(e.value -> 'max_wait'), 0) * 1000
                   )
              from entry e where e.kind = 'gather'
        )
    )), '{}')
);
