-- What the REST API needs: keys, looking at runs with filters, retries, dead letters, jobs, and a tail of the log.
-- pawl.list_runs of 0002 stays for programs of the release before this one.
-- breaking: no

set local lock_timeout = '5s';

-- Keys ----------------------------------------------------------------------------------------------------------------

-- Only the hash of a key is stored; the prefix is what people see of it.
create table pawl.api_key (
    id int generated always as identity,
    tenant int not null,
    name text not null,
    prefix text not null,
    hash bytea not null,
    scopes text[] not null,
    created_at timestamptz not null default now(),
    expires_at timestamptz,
    revoked_at timestamptz,
    last_used_at timestamptz,
    constraint api_key_pk primary key (id),
    constraint api_key_hash_unique unique (hash),
    constraint api_key_tenant_fk foreign key (tenant) references pawl.tenant (id),
    constraint api_key_name_check check (length(name) between 1 and 200),
    constraint api_key_hash_check check (length(hash) = 32),
    constraint api_key_scopes_check check (cardinality(scopes) > 0)
);
create index api_key_prefix on pawl.api_key (tenant, prefix);

-- Starting ------------------------------------------------------------------------------------------------------------

-- Starts runs: event 0 and a live_run row each, leased to p_worker where p_lease says so, else ready at p_due. Event 0
-- tells a priority that is not the usual one. A run whose correlation key is taken is not started; such runs are
-- returned with the id that holds the key. p_resend: the outcome of the same call is unknown, so skip what is there
-- already.
create or replace function pawl.start_runs(
    p_bucket smallint, p_worker uuid, p_resend boolean,
    p_run uuid[], p_tenant int[], p_workflow int[], p_version int[], p_subject text[], p_priority smallint[],
    p_due timestamptz[], p_data jsonb[], p_correlation text[], p_lease boolean[]
) returns table (requested uuid, existing uuid)
language plpgsql
set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off as $$
declare
    v_skip uuid[] := '{}';
begin
    if p_worker is not null then
        perform pawl.assert_worker(p_worker);
    end if;
    if p_correlation is not null then
        -- Ordered, so that two batches with the same keys wait for each other instead of deadlocking.
        insert into pawl.correlation (bucket, tenant, workflow, key, run_id)
        select p_bucket, u.tenant, u.workflow, u.key, u.run_id
          from unnest(p_run, p_tenant, p_workflow, p_correlation) as u (run_id, tenant, workflow, key)
         where u.key is not null
         order by u.tenant, u.workflow, u.key, u.run_id
            on conflict do nothing;
        for requested, existing in
            select u.run_id, holder.run_id
              from unnest(p_run, p_tenant, p_workflow, p_correlation) as u (run_id, tenant, workflow, key)
             cross join lateral (
                 -- A join may be planned as a scan of the bucket, when the table was empty then.
                 select c.run_id
                   from pawl.correlation c
                  where c.bucket = p_bucket and c.tenant = u.tenant and c.workflow = u.workflow and c.key = u.key
                 offset 0
             ) as holder
             where u.key is not null and holder.run_id <> u.run_id
        loop
            v_skip := v_skip || requested;
            return next;
        end loop;
    end if;
    if p_resend or cardinality(v_skip) > 0 then
        with started as (
            insert into pawl.event (run_id, at, seq, bucket, type, data)
            select u.run_id, now(), 0, p_bucket, 0,
                   case when u.priority = 0 then u.data else u.data || jsonb_build_object('priority', u.priority) end
              from unnest(p_run, p_data, p_priority) as u (run_id, data, priority)
             where u.run_id <> all (v_skip)
                on conflict do nothing
            returning run_id
        )
        insert into pawl.live_run (run_id, worker, due_at, tenant, workflow, version, bucket, state, priority, subject)
        select u.run_id, case when u.lease then p_worker end, coalesce(u.due, now()), u.tenant, u.workflow, u.version,
               p_bucket, case when u.lease then 1 else 0 end, u.priority, u.subject
          from unnest(p_run, p_tenant, p_workflow, p_version, p_subject, p_priority, p_due, p_lease)
               as u (run_id, tenant, workflow, version, subject, priority, due, lease)
         where u.run_id = any (array(select s.run_id from started s));
        return;
    end if;
    insert into pawl.event (run_id, at, seq, bucket, type, data)
    select u.run_id, now(), 0, p_bucket, 0,
           case when u.priority = 0 then u.data else u.data || jsonb_build_object('priority', u.priority) end
      from unnest(p_run, p_data, p_priority) as u (run_id, data, priority);
    insert into pawl.live_run (run_id, worker, due_at, tenant, workflow, version, bucket, state, priority, subject)
    select u.run_id, case when u.lease then p_worker end, coalesce(u.due, now()), u.tenant, u.workflow, u.version,
           p_bucket, case when u.lease then 1 else 0 end, u.priority, u.subject
      from unnest(p_run, p_tenant, p_workflow, p_version, p_subject, p_priority, p_due, p_lease)
           as u (run_id, tenant, workflow, version, subject, priority, due, lease);
end
$$;

-- Looking at runs -----------------------------------------------------------------------------------------------------

-- Closed runs by subject, and the few that did not complete. Neither costs anything for a run that completed without a
-- subject, so the hot path does not feel them.
create index run_subject on pawl.run (bucket, tenant, subject, run_id) where subject is not null;
create index run_unsuccessful on pawl.run (bucket, tenant, run_id) where status <> 1;

-- The run that went on where a failed or cancelled one had stopped.
alter table pawl.run add column retried_as uuid;

-- What people call the state of an open run.
create function pawl.open_status_name(p_state smallint, p_due timestamptz) returns text
language sql stable parallel safe
return case when p_state = 1 then 'running' when p_state = 0 and p_due <= now() then 'queued' else 'waiting' end;

-- The run that has a correlation key, one a workflow, and those that went on from it.
create function pawl.correlated_runs(p_bucket smallint, p_tenant int, p_key text) returns uuid[]
language plpgsql stable
set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
    return array(
        with recursive related as (
            select x.run_id
              from pawl.workflow w
             cross join lateral (
                 select c.run_id
                   from pawl.correlation c
                  where c.bucket = p_bucket and c.tenant = p_tenant and c.workflow = w.id and c.key = p_key
                 offset 0
             ) as x
             where w.tenant = p_tenant
             union
            select x.retried_as
              from related
             cross join lateral (
                 select r.retried_as
                   from pawl.run r
                  where r.bucket = p_bucket and r.run_id = related.run_id and r.retried_as is not null
                 offset 0
             ) as x
        )
        select related.run_id from related
    );
end
$$;

-- Open and closed runs, newest first, each in a function of its own. Run ids are time-ordered, so both walk an index
-- backwards from p_before, stop at p_limit matches, and look at p_scan rows at most: a filter that matches little costs
-- a bounded time whatever the size of the table. Where the walk had to stop is told by a last row that has nothing but
-- scanned_to. Planned with the values, so that a missing filter costs nothing and weeks out of range are not opened.
create function pawl.list_open_runs(
    p_bucket smallint, p_tenant int, p_workflow text, p_status text[], p_subject text, p_correlation text,
    p_from uuid, p_before uuid, p_limit int, p_scan int
) returns table (
    run_id uuid, workflow text, version int, status text, subject text, started_at timestamptz, closed_at timestamptz,
    due_at timestamptz, output jsonb, error jsonb, scanned_to uuid
)
language plpgsql stable
set search_path = pg_catalog
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
set enable_sort = off set jit = off as $$
#variable_conflict use_column
declare
    v_walk text := 'pawl.live_run l where l.bucket = $1 and l.run_id >= $4 and l.run_id < $5';
    v_workflow int;
    v_ids uuid[];
    v_found bigint;
begin
    if not coalesce(p_status && array['queued', 'waiting', 'running'], true) then
        return;
    end if;
    if p_workflow is not null then
        select w.id into v_workflow from pawl.workflow w where w.tenant = p_tenant and w.name = p_workflow;
        if not found then
            return;
        end if;
    end if;
    if p_correlation is not null then
        v_ids := pawl.correlated_runs(p_bucket, p_tenant, p_correlation);
        v_walk := 'unnest($3) as u (id) cross join lateral (select * from pawl.live_run x where x.bucket = $1'
            ' and x.run_id = u.id offset 0) as l where l.run_id >= $4 and l.run_id < $5';
    end if;
    return query execute format(
        $query$
        select x.run_id, w.name, x.version, pawl.open_status_name(x.state, x.due_at), x.subject,
               pawl.uuid7_time(x.run_id), null::timestamptz, x.due_at, null::jsonb, null::jsonb, null::uuid
          from (select *
                  from (select l.* from %s order by l.run_id desc limit $10) as walked
                 where walked.tenant = $2 and ($6 is null or walked.workflow = $6)
                   and ($7 is null or walked.subject = $7)
                   and ($8 is null or pawl.open_status_name(walked.state, walked.due_at) = any ($8))
                 limit $9) as x
          join pawl.workflow w on w.id = x.workflow
         order by x.run_id desc
        $query$, v_walk
    ) using p_bucket, p_tenant, v_ids, coalesce(p_from, '00000000-0000-0000-0000-000000000000'),
        coalesce(p_before, 'ffffffff-ffff-ffff-ffff-ffffffffffff'), v_workflow, p_subject, p_status, p_limit, p_scan;
    get diagnostics v_found = row_count;
    if v_found < p_limit then
        execute format('select l.run_id from %s order by l.run_id desc offset $6 - 1 limit 1', v_walk)
           into scanned_to
          using p_bucket, p_tenant, v_ids, coalesce(p_from, '00000000-0000-0000-0000-000000000000'),
                coalesce(p_before, 'ffffffff-ffff-ffff-ffff-ffffffffffff'), p_scan;
        if scanned_to is not null then
            return next;
        end if;
    end if;
end
$$;

create function pawl.list_closed_runs(
    p_bucket smallint, p_tenant int, p_workflow text, p_status text[], p_subject text, p_correlation text,
    p_from uuid, p_before uuid, p_limit int, p_scan int
) returns table (
    run_id uuid, workflow text, version int, status text, subject text, started_at timestamptz, closed_at timestamptz,
    due_at timestamptz, output jsonb, error jsonb, scanned_to uuid
)
language plpgsql stable
set search_path = pg_catalog
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
set enable_sort = off set jit = off as $$
#variable_conflict use_column
declare
    v_walk text := 'pawl.run r where r.bucket = $1 and r.run_id >= $4 and r.run_id < $5';
    v_workflow int;
    v_ids uuid[];
    v_status smallint[];
    v_found bigint;
begin
    if p_status is not null then
        v_status := array(
            select s.status from unnest(array[1, 2, 3]::smallint[]) as s (status)
             where pawl.run_status_name(s.status) = any (p_status)
        );
        if cardinality(v_status) = 0 then
            return;
        end if;
    end if;
    if p_workflow is not null then
        select w.id into v_workflow from pawl.workflow w where w.tenant = p_tenant and w.name = p_workflow;
        if not found then
            return;
        end if;
    end if;
    -- The narrowest way in. The conditions are spelled as the partial indexes have them.
    if p_correlation is not null then
        v_ids := pawl.correlated_runs(p_bucket, p_tenant, p_correlation);
        v_walk := 'unnest($3) as u (id) cross join lateral (select * from pawl.run x where x.bucket = $1'
            ' and x.run_id = u.id offset 0) as r where r.run_id >= $4 and r.run_id < $5';
    elsif p_subject is not null then
        v_walk := v_walk || ' and r.tenant = $2 and r.subject = $6 and r.subject is not null';
    elsif not 1 = any (v_status) then
        v_walk := v_walk || ' and r.tenant = $2 and r.status <> 1';
    end if;
    return query execute format(
        $query$
        select x.run_id, w.name, x.version, pawl.run_status_name(x.status), x.subject, x.started_at, x.closed_at,
               null::timestamptz, x.output, x.error, null::uuid
          from (select *
                  from (select r.* from %s order by r.run_id desc limit $10) as walked
                 where walked.tenant = $2 and ($6 is null or walked.subject = $6)
                   and ($7 is null or walked.workflow = $7)
                   and ($8 is null or walked.status = any ($8))
                 limit $9) as x
          join pawl.workflow w on w.id = x.workflow
         order by x.run_id desc
        $query$, v_walk
    ) using p_bucket, p_tenant, v_ids, coalesce(p_from, '00000000-0000-0000-0000-000000000000'),
        coalesce(p_before, 'ffffffff-ffff-ffff-ffff-ffffffffffff'), p_subject, v_workflow, v_status, p_limit, p_scan;
    get diagnostics v_found = row_count;
    if v_found < p_limit then
        execute format('select r.run_id from %s order by r.run_id desc offset $7 - 1 limit 1', v_walk)
           into scanned_to
          using p_bucket, p_tenant, v_ids, coalesce(p_from, '00000000-0000-0000-0000-000000000000'),
                coalesce(p_before, 'ffffffff-ffff-ffff-ffff-ffffffffffff'), p_subject, p_scan;
        if scanned_to is not null then
            return next;
        end if;
    end if;
end
$$;

-- One run of a tenant with the data of its event 0. An open run has a live_run row, a closed one a run row, never both.
create function pawl.find_run(p_bucket smallint, p_tenant int, p_run uuid)
returns table (
    run_id uuid, workflow text, version int, status text, subject text, started_at timestamptz, closed_at timestamptz,
    due_at timestamptz, output jsonb, error jsonb, workflow_id int, priority smallint, retried_as uuid, data jsonb
)
language plpgsql stable
set search_path = pg_catalog set plan_cache_mode = force_custom_plan
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
    return query
    select x.run_id, w.name, x.version, x.status, x.subject, x.started_at, x.closed_at, x.due_at, x.output, x.error,
           x.workflow, x.priority, x.retried_as,
           (select e.data from pawl.event e where e.bucket = p_bucket and e.run_id = p_run and e.seq = 0)
      from (
          select l.run_id, l.workflow, l.version, pawl.open_status_name(l.state, l.due_at) as status, l.subject,
                 pawl.uuid7_time(l.run_id) as started_at, null::timestamptz as closed_at, l.due_at,
                 null::jsonb as output, null::jsonb as error, l.priority, null::uuid as retried_as
            from pawl.live_run l
           where l.bucket = p_bucket and l.run_id = p_run and l.tenant = p_tenant
           union all
          select r.run_id, r.workflow, r.version, pawl.run_status_name(r.status), r.subject, r.started_at,
                 r.closed_at, null, r.output, r.error, null, r.retried_as
            from pawl.run r
           where r.bucket = p_bucket and r.run_id = p_run and r.tenant = p_tenant
      ) as x
      join pawl.workflow w on w.id = x.workflow;
end
$$;

-- Dead letters --------------------------------------------------------------------------------------------------------

alter table pawl.dead_letter
    add column replayed_as uuid,
    add column replayed_at timestamptz;
create index dead_letter_at on pawl.dead_letter (bucket, tenant, at, run_id);

-- The same for the same error: what differs from run to run in a message (numbers, ids, times, addresses) becomes #.
-- A word with a digit in it is taken for an id.
create function pawl.error_fingerprint(p_workflow int, p_node text, p_error jsonb) returns text
language sql immutable parallel safe
return md5(concat_ws(
    '|', p_workflow, p_node, p_error ->> 'code',
    regexp_replace(
        regexp_replace(
            left(p_error ->> 'message', 1000),
            '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\m[0-9a-f]{8,}\M|\w*[0-9]\w*', '#', 'gi'
        ),
        '#([-+.,:/@]+#)+', '#', 'g'
    )
));

-- The group commit: appends events, parks runs (ready at a time, or parked without one) and
-- closes runs, all in the transaction that checks the worker's fence. Without p_resend a second
-- write of a sequence number is an error, because only the holder writes; with it, what the lost
-- first try has written is skipped.
create or replace function pawl.commit_runs(
    p_bucket smallint, p_worker uuid, p_resend boolean,
    p_run uuid[], p_seq int[], p_type smallint[], p_attempt smallint[], p_node text[], p_data jsonb[], p_error jsonb[],
    p_park_run uuid[], p_park_due timestamptz[],
    p_close_run uuid[], p_close_started timestamptz[], p_close_tenant int[], p_close_workflow int[],
    p_close_version int[], p_close_status smallint[], p_close_subject text[], p_close_output jsonb[],
    p_close_error jsonb[], p_close_node text[],
    p_signal bigint[], p_signal_run uuid[]
) returns timestamptz
language plpgsql
set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set enable_material = off as $$
begin
    perform pawl.assert_worker(p_worker);
    if p_resend then
        insert into pawl.event (run_id, at, seq, bucket, type, attempt, node, data, error)
        select u.run_id, now(), u.seq, p_bucket, u.type, u.attempt, u.node, u.data, u.error
          from unnest(p_run, p_seq, p_type, p_attempt, p_node, p_data, p_error)
               as u (run_id, seq, type, attempt, node, data, error)
            on conflict do nothing;
    else
        insert into pawl.event (run_id, at, seq, bucket, type, attempt, node, data, error)
        select u.run_id, now(), u.seq, p_bucket, u.type, u.attempt, u.node, u.data, u.error
          from unnest(p_run, p_seq, p_type, p_attempt, p_node, p_data, p_error)
               as u (run_id, seq, type, attempt, node, data, error);
    end if;
    if cardinality(p_close_run) > 0 then
        -- Nobody but the holder moves a leased row, so its place is known (see claim_runs).
        delete from pawl.live_run l
         where l.ctid = any (array(
               select x.row_id
                 from unnest(p_close_run) as u (run_id)
                cross join lateral (
                    select h.ctid as row_id
                      from pawl.live_run h
                     where h.bucket = p_bucket and h.run_id = u.run_id
                    offset 0
                ) as x
           ));
        insert into pawl.run
            (run_id, started_at, closed_at, tenant, workflow, version, bucket, status, subject, output, error)
        select u.run_id, u.started_at, now(), u.tenant, u.workflow, u.version, p_bucket, u.status, u.subject, u.output,
               u.error
          from unnest(p_close_run, p_close_started, p_close_tenant, p_close_workflow, p_close_version, p_close_status,
                      p_close_subject, p_close_output, p_close_error)
               as u (run_id, started_at, tenant, workflow, version, status, subject, output, error)
            on conflict do nothing;
        if 2 = any (p_close_status) then
            insert into pawl.dead_letter (bucket, run_id, tenant, workflow, version, node, error, fingerprint)
            select p_bucket, u.run_id, u.tenant, u.workflow, u.version, u.node, coalesce(u.error, 'null'),
                   pawl.error_fingerprint(u.workflow, u.node, u.error)
              from unnest(p_close_run, p_close_tenant, p_close_workflow, p_close_version, p_close_status, p_close_node,
                          p_close_error)
                   as u (run_id, tenant, workflow, version, status, node, error)
             where u.status = 2
                on conflict do nothing;
        end if;
    end if;
    if cardinality(p_signal) > 0 then
        delete from pawl.signal s
         using unnest(p_signal, p_signal_run) as u (id, run_id)
         where s.bucket = p_bucket and s.run_id = u.run_id and s.id = u.id;
    end if;
    if cardinality(p_park_run) > 0 then
        update pawl.live_run l
           set (state, worker, due_at) = (
               select case when u.due is null then 2 else 0 end, null::uuid, coalesce(u.due, l.due_at)
                 from (select p_park_due[array_position(p_park_run, l.run_id)]) as u (due)
           )
         where l.ctid = any (array(
               select x.row_id
                 from unnest(p_park_run) as u (run_id)
                cross join lateral (
                    select h.ctid as row_id
                      from pawl.live_run h
                     where h.bucket = p_bucket and h.run_id = u.run_id and h.worker = p_worker
                    offset 0
                ) as x
           ));
    end if;
    -- A signal may have come for a run while its holder was parking or closing it: the sender saw a leased run and only
    -- left the message. The row lock orders the two, so the message is visible here or there.
    if exists (select 1 from pawl.signal s where s.bucket = p_bucket) then
        update pawl.live_run l
           set state = 0, due_at = least(l.due_at, now())
         where l.bucket = p_bucket and l.run_id = any (p_park_run) and l.state in (0, 2)
           and exists (select 1 from pawl.signal s where s.bucket = p_bucket and s.run_id = l.run_id);
        delete from pawl.signal s
         using unnest(p_close_run) as u (run_id)
         where s.bucket = p_bucket and s.run_id = u.run_id;
    end if;
    return now();
end
$$;

-- Retries -------------------------------------------------------------------------------------------------------------

-- For each closed run p_run[i] that failed or was cancelled: a new run p_new[i] that goes on where the old one stopped.
-- Its log is that of the old one without the end of the run and without the failures of a step that never finished, so
-- that this step is next and begins with its first attempt; failures after which the run had gone on stay. Times stay
-- too, except that the new run begins now, and with it its timeout. The old run keeps who went on from it, and is not
-- retried a second time. Answers for each run its status ('' when there is none of this tenant) and the new run.
-- Planned for each call: batches are large and rare, and a plan made for a small table would last.
create function pawl.retry_runs(p_bucket smallint, p_tenant int, p_run uuid[], p_new uuid[])
returns table (run_id uuid, status text, retried_as uuid, created boolean)
language plpgsql
set search_path = pg_catalog set plan_cache_mode = force_custom_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set jit = off as $$
#variable_conflict use_column
declare
    v_old uuid[] := '{}';
    v_new uuid[] := '{}';
begin
    -- The row of the old run is the lock: of two retries one waits and then sees the other's run. Ordered, so that two
    -- batches do not wait for each other.
    for run_id, status, retried_as, created in
        select u.old,
               coalesce(pawl.run_status_name(r.status),
                        case when l.state is null then '' else pawl.open_status_name(l.state, l.due_at) end),
               r.retried_as, r.status in (2, 3) and r.retried_as is null
          from (select distinct on (x.old) x.old from unnest(p_run) as x (old) order by x.old) as u
          left join lateral (
              select c.status, c.retried_as
                from pawl.run c
               where c.bucket = p_bucket and c.run_id = u.old and c.tenant = p_tenant
                 for no key update
          ) as r on true
          left join lateral (
              select o.state, o.due_at
                from pawl.live_run o
               where o.bucket = p_bucket and o.run_id = u.old and o.tenant = p_tenant
              offset 0
          ) as l on true
    loop
        created := coalesce(created, false);
        if created then
            retried_as := p_new[array_position(p_run, run_id)];
            v_old := v_old || run_id;
            v_new := v_new || retried_as;
        end if;
        return next;
    end loop;
    if cardinality(v_old) = 0 then
        return;
    end if;
    insert into pawl.event (run_id, at, seq, bucket, type, attempt, node, data, error)
    select kept.new, case when kept.type = 0 then now() else kept.at end, kept.place, p_bucket, kept.type,
           kept.attempt, kept.node,
           case when kept.type = 0
                then kept.data - 'start_at'
                     || jsonb_build_object('parent', kept.old, 'retry_of', kept.old, 'copied', kept.copied,
                                           'triggered_by', 'retry')
                else kept.data end,
           kept.error
      from (
          select u.old, u.new, e.type, e.at, e.attempt, e.node, e.data, e.error,
                 row_number() over (partition by u.new order by e.seq) - 1 as place,
                 count(*) over (partition by u.new) - 1 as copied
            from unnest(v_old, v_new) as u (old, new)
           cross join lateral (
               select array(
                          select coalesce(n.node ->> 'id', n.node ->> 'name')
                            from jsonb_array_elements(pawl.steps_of(v.definition)) as n (node)
                           where n.node ->> 'on_failure' = 'continue'
                      ) as nodes
                 from pawl.run c
                 join pawl.workflow_version v on v.workflow = c.workflow and v.version = c.version
                where c.bucket = p_bucket and c.run_id = u.old
               offset 0
           ) as continuing
           cross join lateral (
               -- Whether the visit of the node came to an end at this event or later: it completed, or gave up and the
               -- run went on.
               select f.*,
                      bool_or(
                          f.type = 1
                          or f.type = 2 and f.data -> 'retry_at' is null and f.node = any (continuing.nodes)
                      ) over (partition by f.node order by f.seq desc) as finished
                 from pawl.event f
                where f.bucket = p_bucket and f.run_id = u.old
               offset 0
           ) as e
           where e.type not in (4, 5, 6) and (e.type <> 2 or e.finished)
      ) as kept;
    insert into pawl.live_run (run_id, due_at, tenant, workflow, version, bucket, state, priority, subject)
    select u.new, now(), p_tenant, r.workflow, r.version, p_bucket, 0, coalesce(r.priority, 0), r.subject
      from unnest(v_old, v_new) as u (old, new)
     cross join lateral (
         select c.workflow, c.version, c.subject,
                (select (e.data ->> 'priority')::smallint
                   from pawl.event e
                  where e.bucket = p_bucket and e.run_id = u.old and e.seq = 0) as priority
           from pawl.run c
          where c.bucket = p_bucket and c.run_id = u.old
         offset 0
     ) as r;
    update pawl.run r
       set retried_as = v_new[array_position(v_old, r.run_id)]
     where r.bucket = p_bucket and r.run_id = any (v_old);
    update pawl.dead_letter d
       set replayed_as = v_new[array_position(v_old, d.run_id)], replayed_at = now()
     where d.bucket = p_bucket and d.run_id = any (v_old);
end
$$;

-- Looking at dead letters ---------------------------------------------------------------------------------------------

drop index pawl.dead_letter_fingerprint;
create index dead_letter_fingerprint on pawl.dead_letter (bucket, tenant, fingerprint, at, run_id);

-- Walks the dead letters of a tenant by the time they came, p_scan rows at most; whoever calls it looks at the other
-- conditions.
create function pawl.walk_dead_letters(
    p_bucket smallint, p_tenant int, p_fingerprint text, p_from timestamptz, p_from_run uuid, p_before timestamptz,
    p_before_run uuid, p_newest_first boolean, p_scan int
) returns setof pawl.dead_letter
language plpgsql stable
set search_path = pg_catalog
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off as $$
begin
    return query execute format(
        'select d.* from pawl.dead_letter d where d.bucket = $1 and d.tenant = $2 and %1$s (d.at, d.run_id) > ($4, $5)'
        ' and (d.at, d.run_id) < ($6, $7) order by d.at %2$s, d.run_id %2$s limit $8',
        case when p_fingerprint is not null then 'd.fingerprint = $3 and' else '' end,
        case when p_newest_first then 'desc' else 'asc' end
    ) using p_bucket, p_tenant, p_fingerprint, coalesce(p_from, '-infinity'),
        coalesce(p_from_run, '00000000-0000-0000-0000-000000000000'), coalesce(p_before, 'infinity'),
        coalesce(p_before_run, '00000000-0000-0000-0000-000000000000'), p_scan;
end
$$;

-- Newest first, from a cursor (p_before, p_before_run). When p_scan rows were looked at and there may be more, a last
-- row says with its `at` and run_id how far, and has no workflow.
create function pawl.list_dead_letters(
    p_bucket smallint, p_tenant int, p_workflow text, p_fingerprint text, p_node text, p_replayed boolean,
    p_from timestamptz, p_before timestamptz, p_before_run uuid, p_limit int, p_scan int
) returns table (
    run_id uuid, at timestamptz, workflow text, version int, node text, error jsonb, fingerprint text,
    replayed_as uuid, replayed_at timestamptz
)
language plpgsql stable
set search_path = pg_catalog
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off as $$
#variable_conflict use_column
declare
    v_walked bigint := 0;
    v_found bigint := 0;
    v_letter pawl.dead_letter;
begin
    -- Read row by row, so that a full page ends the walk.
    for v_letter in execute format(
        'select d.* from pawl.dead_letter d where d.bucket = $1 and d.tenant = $2 %s'
        ' and d.at > $4 and (d.at, d.run_id) < ($5, $6) order by d.at desc, d.run_id desc limit $7',
        case when p_fingerprint is not null then 'and d.fingerprint = $3' else '' end
    ) using p_bucket, p_tenant, p_fingerprint, coalesce(p_from, '-infinity'), coalesce(p_before, 'infinity'),
        coalesce(p_before_run, '00000000-0000-0000-0000-000000000000'), p_scan
    loop
        v_walked := v_walked + 1;
        run_id := v_letter.run_id;
        at := v_letter.at;
        continue when p_node <> v_letter.node or p_replayed <> (v_letter.replayed_as is not null);
        select w.name into workflow from pawl.workflow w where w.id = v_letter.workflow;
        continue when p_workflow <> workflow;
        version := v_letter.version;
        node := v_letter.node;
        error := v_letter.error;
        fingerprint := v_letter.fingerprint;
        replayed_as := v_letter.replayed_as;
        replayed_at := v_letter.replayed_at;
        return next;
        v_found := v_found + 1;
        exit when v_found = p_limit;
    end loop;
    if v_walked = p_scan and v_found < p_limit then
        workflow := null;
        return next;
    end if;
end
$$;

-- The same errors together, the most frequent first, among the newest p_scan dead letters. `complete` says whether
-- those were all.
create function pawl.group_dead_letters(
    p_bucket smallint, p_tenant int, p_workflow text, p_node text, p_replayed boolean,
    p_from timestamptz, p_before timestamptz, p_limit int, p_scan int
) returns table (
    fingerprint text, workflow text, node text, message text, count bigint, first_at timestamptz, last_at timestamptz,
    sample_run uuid, complete boolean
)
language plpgsql stable set search_path = pg_catalog set jit = off as $$
#variable_conflict use_column
begin
    return query
    with walked as materialized (
        select d.fingerprint, d.workflow, d.node, d.at, d.replayed_as
          from pawl.walk_dead_letters(p_bucket, p_tenant, null, p_from, null, p_before, null, true, p_scan) d
    ), grouped as (
        select d.fingerprint, d.workflow, d.node, count(*) as count, min(d.at) as first_at, max(d.at) as last_at
          from walked d
         where (p_node is null or d.node = p_node)
           and (p_replayed is null or p_replayed = (d.replayed_as is not null))
           and (p_workflow is null
                or d.workflow = (select w.id from pawl.workflow w where w.tenant = p_tenant and w.name = p_workflow))
         group by d.fingerprint, d.workflow, d.node
         order by count(*) desc, max(d.at) desc
         limit p_limit
    )
    select g.fingerprint, w.name, g.node, s.error ->> 'message', g.count, g.first_at, g.last_at, s.run_id,
           (select count(*) from walked) < p_scan
      from grouped g
      join pawl.workflow w on w.id = g.workflow
     cross join lateral (
         select d.run_id, d.error
           from pawl.dead_letter d
          where d.bucket = p_bucket and d.tenant = p_tenant and d.fingerprint = g.fingerprint and d.at = g.last_at
          order by d.run_id desc
          limit 1
     ) as s
     order by g.count desc, g.last_at desc;
end
$$;

-- Jobs ----------------------------------------------------------------------------------------------------------------

-- Work that an API call asked for and that takes longer than a call: today the replay of many dead letters. The row is
-- changed in the transaction that does a part of the work, so a server that dies loses nothing and repeats nothing.
create table pawl.job (
    id uuid not null,
    tenant int not null,
    kind text not null,
    filter jsonb not null,
    status text not null default 'queued',
    total bigint not null,
    done bigint not null default 0,
    failed bigint not null default 0,
    error text,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    lease_until timestamptz,
    -- The last dead letter that was looked at.
    cursor_at timestamptz,
    cursor_run uuid,
    constraint job_pk primary key (id),
    constraint job_kind_check check (kind in ('replay')),
    constraint job_status_check check (status in ('queued', 'running', 'done', 'failed'))
);
create index job_open on pawl.job (created_at) where status in ('queued', 'running');

-- Simple enough to become part of the statement that asks. p_workflow is the number of the filter's workflow.
create function pawl.matches_replay(p_letter pawl.dead_letter, p_filter jsonb, p_workflow int) returns boolean
language sql stable
return (p_letter).replayed_as is null
    and (p_filter ->> 'fingerprint' is null or (p_letter).fingerprint = p_filter ->> 'fingerprint')
    and (p_filter ->> 'step' is null or (p_letter).node = p_filter ->> 'step')
    and (p_filter ->> 'workflow' is null or (p_letter).workflow = p_workflow)
    and (p_filter ->> 'after' is null or (p_letter).at > (p_filter ->> 'after')::timestamptz)
    and (p_filter ->> 'before' is null or (p_letter).at < (p_filter ->> 'before')::timestamptz);

create function pawl.create_replay(p_job uuid, p_tenant int, p_filter jsonb) returns void
language plpgsql set search_path = pg_catalog as $$
declare
    v_workflow int;
begin
    select w.id into v_workflow from pawl.workflow w where w.tenant = p_tenant and w.name = p_filter ->> 'workflow';
    insert into pawl.job (id, tenant, kind, filter, total)
    select p_job, t.id, 'replay', p_filter, (
               select count(*)
                 from pawl.dead_letter d
                where d.bucket = t.bucket and d.tenant = t.id and pawl.matches_replay(d, p_filter, v_workflow)
           )
      from pawl.tenant t
     where t.id = p_tenant
        on conflict do nothing;
end
$$;

-- Retries what matches among the next p_limit dead letters that were there when the job was made, and notes how far it
-- came, in one transaction. The row of the job is the lock.
create function pawl.replay_batch(p_job uuid, p_limit int, p_lease interval) returns setof pawl.job
language plpgsql set search_path = pg_catalog as $$
declare
    v_job pawl.job;
    v_bucket smallint;
    v_workflow int;
    v_walked int;
    v_runs uuid[];
    v_done bigint;
begin
    select j.* into v_job from pawl.job j where j.id = p_job for no key update;
    if not found or v_job.status not in ('queued', 'running') then
        return query select j.* from pawl.job j where j.id = p_job;
        return;
    end if;
    select t.bucket into v_bucket from pawl.tenant t where t.id = v_job.tenant;
    select w.id into v_workflow
      from pawl.workflow w
     where w.tenant = v_job.tenant and w.name = v_job.filter ->> 'workflow';
    with walked as materialized (
        select row_number() over (order by d.at, d.run_id) as place, d.run_id, d.at,
               pawl.matches_replay(d, v_job.filter, v_workflow) as matches
          from pawl.walk_dead_letters(
              v_bucket, v_job.tenant, v_job.filter ->> 'fingerprint', v_job.cursor_at, v_job.cursor_run,
              v_job.created_at, 'ffffffff-ffff-ffff-ffff-ffffffffffff', false, p_limit
          ) d
    )
    select count(*), array_agg(w.run_id) filter (where w.matches),
           coalesce((array_agg(w.at order by w.place desc))[1], v_job.cursor_at),
           coalesce((array_agg(w.run_id order by w.place desc))[1], v_job.cursor_run)
      into v_walked, v_runs, v_job.cursor_at, v_job.cursor_run
      from walked w;
    select count(*) filter (where r.created) into v_done
      from pawl.retry_runs(
          v_bucket, v_job.tenant, v_runs, array(select pawl.uuid7() from generate_series(1, cardinality(v_runs)))
      ) r;
    return query
    update pawl.job j
       set status = case when v_walked < p_limit then 'done' else 'running' end,
           done = j.done + v_done,
           failed = j.failed + coalesce(cardinality(v_runs), 0) - v_done,
           updated_at = now(),
           lease_until = now() + p_lease,
           cursor_at = v_job.cursor_at,
           cursor_run = v_job.cursor_run
     where j.id = p_job
    returning j.*;
end
$$;

-- Idempotency keys ----------------------------------------------------------------------------------------------------

-- The answers to calls that came with an Idempotency-Key, for a day.
create table pawl.idempotency_key (
    tenant int not null,
    key text not null,
    fingerprint bytea not null,
    status smallint not null,
    headers jsonb not null,
    body text not null,
    at timestamptz not null default now(),
    constraint idempotency_key_pk primary key (tenant, key),
    constraint idempotency_key_check check (length(key) between 1 and 255)
);
create index idempotency_key_at on pawl.idempotency_key (at);

-- The tail of the log -------------------------------------------------------------------------------------------------

-- Events come in the order of time, so a summary of a few pages at a time finds the newest, and costs an insert next to
-- nothing. Not autosummarize: under load its requests overflow their queue and fill the server's log. Whoever reads the
-- tail has the new pages summarised first (pawl.summarize_log).
create index event_at on pawl.event using brin (at) with (pages_per_range = 32);

-- Summarises the pages that came since the last time, in the weeks that are written most. A partition that is being
-- vacuumed is left alone: that summarises it too.
create function pawl.summarize_log() returns void
language plpgsql set search_path = pg_catalog set lock_timeout = '20ms' as $$
declare
    v_index regclass;
begin
    for v_index in
        select i.indexrelid::regclass
          from pg_inherits h
          join pg_index i on i.indrelid = h.inhrelid
          join pg_class c on c.oid = i.indexrelid
          join pg_am a on a.oid = c.relam
         where h.inhparent = 'pawl.event'::regclass and a.amname = 'brin'
           and (h.inhrelid::regclass::text ~ 'default$'
                or substring(h.inhrelid::regclass::text from '\d{8}$')
                   between to_char(now() at time zone 'UTC' - interval '2 weeks', 'YYYYMMDD')
                       and to_char(now() at time zone 'UTC', 'YYYYMMDD'))
    loop
        begin
            perform brin_summarize_new_values(v_index);
        exception when lock_not_available then
            null;
        end;
    end loop;
end
$$;

-- Events of all runs between two instants, oldest first; all events of the last instant even beyond the limit, so that
-- the next call can go on from there. The bucket is hidden from the planner: the primary key is no way in.
create function pawl.events_between(p_bucket smallint, p_after timestamptz, p_until timestamptz, p_limit int)
returns table (run_id uuid, seq int, type smallint, node text, attempt smallint, at timestamptz)
language plpgsql
set search_path = pg_catalog set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off
set jit = off as $$
#variable_conflict use_column
begin
    return query
    select e.run_id, e.seq, e.type, e.node, e.attempt, e.at
      from pawl.event e
     where e.bucket + 0 = p_bucket and e.at > p_after and e.at < p_until
     order by e.at
     fetch first p_limit rows with ties;
end
$$;

-- What happened in a tenant's runs after p_after, oldest first, up to now. "Now" is before the oldest transaction under
-- way, because its events will carry the time it began; one that takes longer than 5 s is not waited for. The last row
-- has the instant to go on from and nothing else.
create function pawl.tail_events(p_bucket smallint, p_tenant int, p_after timestamptz, p_limit int)
returns table (
    run_id uuid, workflow text, seq int, type text, node text, attempt smallint, at timestamptz
)
language plpgsql
set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
set jit = off as $$
#variable_conflict use_column
declare
    v_after timestamptz := greatest(p_after, now() - interval '1 hour');
    v_until timestamptz;
    v_walked bigint := 0;
    v_event record;
begin
    select greatest(least(clock_timestamp() - interval '20 ms', min(a.xact_start)),
                    clock_timestamp() - interval '5 s')
      into v_until
      from pg_stat_activity a
     where a.datname = current_database() and a.xact_start is not null and a.pid <> pg_backend_pid();
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

-- New events of many runs: those of p_run[i] after p_seq[i].
create function pawl.events_after(p_bucket smallint, p_run uuid[], p_seq int[], p_limit int)
returns table (
    run_id uuid, seq int, type smallint, attempt smallint, node text, data jsonb, error jsonb, at timestamptz
)
language plpgsql stable
set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
    return query
    select e.run_id, e.seq, e.type, e.attempt, e.node, e.data, e.error, e.at
      from unnest(p_run, p_seq) as u (run_id, seq)
     cross join lateral (
         select * from pawl.event x where x.bucket = p_bucket and x.run_id = u.run_id and x.seq > u.seq
          order by x.seq
          limit p_limit
     ) as e
     limit p_limit;
end
$$;
