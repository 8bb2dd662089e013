-- What comes from outside is held to the same rules at every door: a vote that was given stays where it was given, a
-- start from SQL keeps to the limits of the API, and a workflow that is switched off loses nothing.
-- breaking: no

set local lock_timeout = '5s';

-- What a person does about a task: claim, unclaim, delegate (p_to), approve (with p_data: as edited) or reject. The
-- answer is 'done', or why not: not_found, closed, late, claimed, not_allowed, twice, voted, seated. p_force: by
-- somebody who may do everything. A claim keeps others away where one approval is enough. An approver's seat is handed
-- on to somebody who has none, and before its vote: otherwise one person could decide alone, or nobody could. The run
-- is locked first, then the task: a commit locks them in that order too.
create or replace function pawl.act_on_task(
    p_bucket smallint, p_tenant int, p_task uuid, p_action text, p_by text, p_reason text, p_data jsonb, p_to text,
    p_force boolean
) returns text
language plpgsql set search_path = pg_catalog set plan_cache_mode = force_custom_plan as $$
declare
    v_task pawl.human_task;
    v_decided text;
begin
    perform 1
       from pawl.live_run l
       join pawl.human_task t on t.bucket = l.bucket and t.run_id = l.run_id
      where t.bucket = p_bucket and t.id = p_task and t.tenant = p_tenant
        for no key update of l;
    select t.* into v_task
      from pawl.human_task t
     where t.bucket = p_bucket and t.id = p_task and t.tenant = p_tenant
       for no key update;
    if not found then
        return 'not_found';
    elsif v_task.state <> 0 then
        return 'closed';
    elsif v_task.due_at <= now() then
        return 'late';
    elsif not p_force and v_task.approvals_needed = 1 and v_task.claimed_by <> p_by then
        return 'claimed';
    elsif not p_force and not pawl.may_decide(v_task, p_by) and v_task.claimed_by is distinct from p_by then
        return 'not_allowed';
    elsif p_action = 'approve' and p_by = any (v_task.approved_by) then
        return 'twice';
    elsif p_action = 'delegate' and cardinality(v_task.approvers) > 0 and p_by = any (v_task.approved_by) then
        return 'voted';
    elsif p_action = 'delegate' and cardinality(v_task.approvers) > 0 and p_by <> all (v_task.approvers) then
        return 'not_allowed';
    elsif p_action = 'delegate' and p_to = any (v_task.approvers) then
        return 'seated';
    end if;
    case p_action
        when 'claim' then
            v_task.claimed_by := p_by;
        when 'unclaim' then
            v_task.claimed_by := null;
        when 'delegate' then
            v_task.claimed_by := null;
            if cardinality(v_task.approvers) = 0 then
                v_task.assignee := p_to;
            else
                v_task.approvers := array_replace(v_task.approvers, p_by, p_to);
            end if;
        when 'approve' then
            v_task.claimed_by := null;
            v_task.approved_by := v_task.approved_by || p_by;
            v_task.data := coalesce(p_data, v_task.data);
            if cardinality(v_task.approved_by) >= v_task.approvals_needed then
                v_decided := 'approved';
            end if;
        when 'reject' then
            v_decided := 'rejected';
    end case;
    if p_data is not null then
        insert into pawl.task_decision (bucket, task, action, by, data)
        values (p_bucket, p_task, 'edit', p_by, p_data);
    end if;
    insert into pawl.task_decision (bucket, task, action, by, reason, data)
    values (p_bucket, p_task, p_action, p_by, p_reason,
            case when p_to is not null then jsonb_build_object('to', p_to) end);
    update pawl.human_task t
       set claimed_by = v_task.claimed_by, assignee = v_task.assignee, approvers = v_task.approvers,
           approved_by = v_task.approved_by, data = v_task.data,
           state = case v_decided when 'approved' then 1 when 'rejected' then 2 else 0 end,
           decided_at = case when v_decided is not null then now() end,
           decided_by = case when v_decided is not null then p_by end,
           reason = case when v_decided is not null then p_reason end
     where t.bucket = p_bucket and t.id = p_task;
    if v_decided is not null then
        perform pawl.leave_signals(
            p_bucket, array[v_task.run_id], array['task'],
            array[jsonb_build_object(
                'token', v_task.token, 'visit', v_task.visit, 'task', v_task.id, 'decision', v_decided, 'by', p_by,
                'reason', p_reason, 'data', v_task.data
            )],
            true
        );
    end if;
    return 'done';
end
$$;

-- Starts from SQL ----------------------------------------------------------------------------------------------------
-- The head of a workflow that may be started; says so when it is switched off.
create or replace function pawl.startable(p_tenant int, p_workflow text) returns pawl.definition
language plpgsql stable set search_path = pg_catalog as $$
declare
    v_head pawl.definition;
begin
    select d.* into v_head from pawl.definition d where d.tenant = p_tenant and d.name = p_workflow;
    if not found or not v_head.active then
        raise exception '%', case when v_head.off_reason is null then format('Workflow not found: %s', p_workflow)
                                  else format('Workflow %s is switched off: %s', p_workflow, v_head.off_reason) end
            using errcode = 'no_data_found',
                  detail = case when v_head.workflow is null then 'There is no workflow of that name.'
                                when v_head.off_reason is not null
                                then 'No run of it is started until it is switched on again.'
                                else 'The workflow is not active.' end,
                  hint = case when v_head.workflow is null then 'select name from pawl.workflow_definitions'
                              when v_head.off_reason is not null
                              then format('select pawl.switch_workflow(%s, %L, null)', p_tenant, p_workflow)
                              else format('select pawl.activate_workflow(%s, %L)', p_tenant, p_workflow) end;
    end if;
    return v_head;
end
$$;

-- Says what is wrong with a start, in the limits of the API; called when something is. p_place: which of many.
create function pawl.refuse_start(
    p_data jsonb, p_correlation text, p_subject text, p_priority numeric, p_start_at timestamptz, p_triggered_by text,
    p_place text
) returns void
language plpgsql stable set search_path = pg_catalog as $$
declare
    v_part record;
begin
    if jsonb_typeof(p_data) <> 'object' then
        raise exception '%data must be a JSON object (given: %)', p_place, jsonb_typeof(p_data)
            using errcode = 'invalid_parameter_value', hint = 'Like this: ''{"name": "Ada"}''.';
    elsif p_correlation = '' then
        raise exception '%correlation_id is empty', p_place using errcode = 'invalid_parameter_value',
            detail = 'A start with a key happens once; with an empty one it would happen every time.',
            hint = 'Leave it out (null), or give what makes the start the same, such as ''order-17''.';
    elsif p_priority not between -32768 and 32767 or p_priority <> trunc(p_priority) then
        raise exception '%priority must be a whole number from -32768 to 32767, not %', p_place, p_priority
            using errcode = 'invalid_parameter_value', hint = 'A level is worth a minute of waiting.';
    elsif not isfinite(p_start_at) or p_start_at >= timestamptz '10000-01-01 00:00:00+00'
          or p_start_at < timestamptz '0001-01-01 00:00:00+00' then
        raise exception '%start_at must be a time of the years 1 to 9999, not %', p_place, p_start_at
            using errcode = 'datetime_field_overflow', hint = 'Like this: now() + interval ''2 days''.';
    end if;
    for v_part in
        select p.what, octet_length(p.given) as size, p.most
          from (values ('correlation_id', p_correlation, 400), ('subject', p_subject, 500),
                       ('triggered_by', p_triggered_by, 200)) as p (what, given, most)
         where octet_length(p.given) > p.most
    loop
        raise exception '%the % has at most % bytes, not %', p_place, v_part.what, v_part.most, v_part.size
            using errcode = 'string_data_right_truncation', hint = 'What is long belongs into data.';
    end loop;
    if octet_length(p_data::text) > 1048576 then
        raise exception '%data has % bytes; at most 1048576 are possible', p_place, octet_length(p_data::text)
            using errcode = 'program_limit_exceeded',
                  hint = 'Keep it in a table of your own, and give the run its key.';
    end if;
end
$$;

-- Starts a run in the caller's transaction. Where several versions are active, the subject or else the key says which.
create or replace function pawl.start(
    workflow text, data jsonb default '{}', correlation_id text default null, subject text default null,
    priority int default 0, start_at timestamptz default null, triggered_by text default 'sql'
) returns uuid
language plpgsql security definer set search_path = pg_catalog as $$
#variable_conflict use_column
declare
    v_tenant pawl.tenant := pawl.sql_tenant();
    v_head pawl.definition := pawl.startable(v_tenant.id, start.workflow);
    v_definition jsonb;
    v_data jsonb := coalesce(nullif(start.data, 'null'), '{}');
    v_bytes int := octet_length(v_data::text);
begin
    if jsonb_typeof(v_data) <> 'object' or v_bytes > 1048576 or start.correlation_id = ''
        or octet_length(start.correlation_id) > 400 or octet_length(start.subject) > 500
        or octet_length(start.triggered_by) > 200 or start.priority not between -32768 and 32767
        or not isfinite(start.start_at) or start.start_at >= timestamptz '10000-01-01 00:00:00+00'
        or start.start_at < timestamptz '0001-01-01 00:00:00+00'
    then
        perform pawl.refuse_start(
            v_data, start.correlation_id, start.subject, start.priority, start.start_at, start.triggered_by, ''
        );
    end if;
    if v_head.canary is not null then
        v_head.version := pawl.choose_version(
            v_head.workflow, v_head.version, v_head.canary,
            coalesce(nullif(start.subject, ''), start.correlation_id, gen_random_uuid()::text)
        );
    end if;
    select v.definition into v_definition
      from pawl.workflow_version v
     where v.workflow = v_head.workflow and v.version = v_head.version;
    perform pawl.refuse_input(start.workflow, v_definition, v_data, '');
    perform pawl.check_limits(v_tenant, 1, v_bytes);
    return (
        select s.run_id
          from pawl.start_checked(
              v_tenant.bucket, v_head, v_definition, array[v_data], array[start.correlation_id],
              array[nullif(start.subject, '')], array[coalesce(start.priority, 0)::smallint], array[start.start_at],
              start.triggered_by
          ) s
    );
end
$$;

-- Says what is wrong with one of many starts, apart from what its workflow needs.
create or replace function pawl.refuse_entry(p_entry jsonb, p_place text) returns void
language plpgsql stable set search_path = pg_catalog as $$
declare
    v_key text;
    v_priority jsonb := nullif(p_entry -> 'priority', 'null');
    v_start_at timestamptz;
begin
    if jsonb_typeof(p_entry) <> 'object' then
        raise exception '%must be an object, not a %', p_place, jsonb_typeof(p_entry)
            using errcode = 'invalid_parameter_value',
                  hint = 'Each run is an object like {"data": {"name": "Ada"}, "correlation_id": "order-17"}.';
    end if;
    select k.key into v_key
      from jsonb_object_keys(p_entry) as k (key)
     where k.key not in ('data', 'correlation_id', 'subject', 'priority', 'start_at')
     limit 1;
    if found then
        raise exception '%there is no setting "%"', p_place, v_key
            using errcode = 'invalid_parameter_value',
                  hint = 'Known are data, correlation_id, subject, priority and start_at; the input goes below data.';
    elsif jsonb_typeof(v_priority) <> 'number' then
        raise exception '%priority must be a whole number from -32768 to 32767, not %', p_place, v_priority
            using errcode = 'invalid_parameter_value', hint = 'A level is worth a minute of waiting.';
    end if;
    begin
        v_start_at := p_entry ->> 'start_at';
    exception when data_exception then
        raise exception '%start_at must be a time, not %', p_place, p_entry -> 'start_at'
            using errcode = 'invalid_datetime_format', hint = 'Like this: "2026-01-31T09:00:00Z".';
    end;
    perform pawl.refuse_start(
        coalesce(nullif(p_entry -> 'data', 'null'), '{}'), p_entry ->> 'correlation_id', p_entry ->> 'subject',
        v_priority::numeric, v_start_at, null, p_place
    );
end
$$;

-- Starts many runs of the version that p_head says. p_place: which ones of a longer list they are; null: that is all.
create or replace function pawl.start_entries(
    p_bucket smallint, p_head pawl.definition, p_runs jsonb, p_place bigint[], p_triggered_by text
) returns table (place bigint, run_id uuid, created boolean)
language plpgsql set search_path = pg_catalog as $$
#variable_conflict use_column
declare
    v_definition jsonb;
    v_needs record;
    v_paths jsonb;
    v_entry record;
    v_part int;
begin
    select v.definition into v_definition
      from pawl.workflow_version v
     where v.workflow = (p_head).workflow and v.version = (p_head).version;
    -- What is missing when nothing is given is what must be given. To find that out anew for each run takes long; so
    -- only a run that seems to be wrong is looked at closely.
    v_needs := pawl.missing_input(v_definition, '{}');
    v_paths := (
        select jsonb_agg(jsonb_build_array(
                   p.segments, case when p.segments -> 0 ->> 1 = 'input' then 1 else 0 end
               ))
          from unnest(v_needs.variables) as v (path)
         cross join lateral pawl.parse_path(v.path) as p
    );
    for v_entry in
        select e.entry, format('runs[%s]: ', coalesce(p_place[e.n::int], e.n) - 1) as place
          from jsonb_array_elements(p_runs) with ordinality as e (entry, n)
         where v_needs.problem is not null
            or case when jsonb_typeof(e.entry) <> 'object' or jsonb_typeof(e.entry -> 'data') <> 'object'
                      or e.entry - array['data', 'correlation_id', 'subject', 'priority', 'start_at'] <> '{}'
                      or e.entry ->> 'correlation_id' = '' or octet_length(e.entry ->> 'correlation_id') > 400
                      or octet_length(e.entry ->> 'subject') > 500 or octet_length((e.entry -> 'data')::text) > 1048576
                      or e.entry ->> 'priority' !~ '^-?[0-9]{1,4}$'
                      or e.entry ->> 'start_at' !~ '^[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-9:.]+([-+][0-9:]+|Z)?$' then true
                    else not coalesce(e.entry -> 'data', '{}') ?& v_needs.fields
                      or exists (
                          select 1
                            from jsonb_array_elements(v_paths) as p (need)
                           where pawl.walk(
                                     coalesce(e.entry -> 'data', '{}'), p.need -> 0, (p.need ->> 1)::int
                                 ) is null
                      ) end
         order by e.n
    loop
        perform pawl.refuse_entry(v_entry.entry, v_entry.place);
        perform pawl.refuse_input(
            (p_head).name, v_definition, coalesce(nullif(v_entry.entry -> 'data', 'null'), '{}'), v_entry.place
        );
    end loop;
    for v_part in 0 .. (jsonb_array_length(p_runs) - 1) / 1000 loop
        return query
        select coalesce(p_place[(v_part * 1000 + s.place)::int], v_part * 1000 + s.place), s.run_id, s.created
          from (
              select array_agg(coalesce(nullif(e.entry -> 'data', 'null'), '{}') order by e.n) as data,
                     array_agg(e.entry ->> 'correlation_id' order by e.n) as correlation,
                     array_agg(nullif(e.entry ->> 'subject', '') order by e.n) as subject,
                     array_agg(coalesce((e.entry ->> 'priority')::smallint, 0::smallint) order by e.n) as priority,
                     array_agg((e.entry ->> 'start_at')::timestamptz order by e.n) as start_at
                from jsonb_array_elements(p_runs) with ordinality as e (entry, n)
               where e.n > v_part * 1000 and e.n <= (v_part + 1) * 1000
          ) as part
         cross join lateral pawl.start_checked(
             p_bucket, p_head, v_definition, part.data, part.correlation, part.subject, part.priority,
             part.start_at, p_triggered_by
         ) as s
         where part.data is not null;
    end loop;
end
$$;

-- Workflows that are switched off -------------------------------------------------------------------------------------
-- Which events and queues start which workflows. One that is switched off still hears of events, so that each can say
-- what it did not start; its queues keep their messages.
create or replace function pawl.keep_triggers() returns trigger
language plpgsql security definer set search_path = pg_catalog as $$
declare
    v_queue text;
begin
    if tg_op <> 'INSERT' then
        delete from pawl.event_trigger t where t.workflow = old.workflow;
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
            perform pawl.ensure_queue(v_queue);
        end loop;
    end if;
    return null;
end
$$;

-- Events are done with: what they did not start, they say.
create or replace function pawl.finish_triggers(p_bucket smallint, p_id bigint[], p_problem text[]) returns void
language plpgsql
set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off as $$
begin
    delete from pawl.trigger_pending q
     using unnest(p_id) as u (id)
     where q.bucket = p_bucket and q.id = u.id;
    update pawl.inbox i
       set problem = concat_ws('; ', u.problem, off.problem)
      from unnest(p_id, p_problem) as u (id, problem)
     cross join lateral (
         select e.tenant, e.name from pawl.inbox e where e.bucket + 0 = p_bucket and e.id = u.id offset 0
     ) as e
     cross join lateral (
         select string_agg(format('workflow ''%s'' was not started, it is switched off: %s', d.name, d.off_reason),
                           '; ') as problem
           from pawl.event_trigger t
           join pawl.definition d on d.workflow = t.workflow and d.off_reason is not null
          where t.tenant = e.tenant and t.event = e.name
         offset 0
     ) as off
     where (u.problem is not null or off.problem is not null) and i.bucket + 0 = p_bucket and i.id = u.id;
end
$$;

-- Up to p_limit messages of each queue, hidden from others for p_lease seconds; a row for each workflow that a message
-- may start, or one without. `known`: the message is about a run that exists.
create or replace function pawl.read_queues(p_bucket smallint, p_limit int, p_lease int)
returns table (
    queue text, kind text, tenant int, reads_max int, id bigint, reads int, at timestamptz, message jsonb,
    headers jsonb, known boolean, workflow int, version int
)
language plpgsql security definer set search_path = pg_catalog set enable_seqscan = off as $$
#variable_conflict use_column
declare
    v_queue record;
    c_hide_max constant int := 1000;
    v_any boolean;
    v_off text[];
    v_hidden int;
begin
    for v_queue in
        select c.*
          from pawl.consumed_queue c
          join pawl.tenant t on t.id = c.tenant and t.bucket = p_bucket
         where pawl.queue_exists(c.name)
         order by c.name
    loop
        -- Most looks find nothing, and this is the quickest way to know.
        execute format('select true from pgmq.%I order by msg_id limit 1', lower('q_' || v_queue.name)) into v_any;
        continue when v_any is null;
        -- Messages for a workflow that is switched off wait, and were not read: otherwise they would be given up. Those
        -- that stand among others are hidden for the time of a lease; nothing is read before all of them are.
        v_off := array(
            select n.name
              from pawl.definition d
             cross join lateral (values (d.name), (d.id::text)) as n (name)
             where d.tenant = v_queue.tenant and d.off_reason is not null and v_queue.kind <> 'trigger'
        );
        continue when v_queue.workflow = any (v_off);
        if v_off <> '{}' and v_queue.kind = 'message' then
            execute format(
                'with waiting as (select q.msg_id from pgmq.%1$I q where q.vt <= clock_timestamp()'
                ' and coalesce(q.message ->> ''workflow_name'', q.message ->> ''workflow'','
                ' lower(q.message ->> ''rule_id'')) = any ($1) limit $2 for update skip locked), '
                'hidden as (update pgmq.%1$I q set vt = clock_timestamp() + make_interval(secs => $3) from waiting w'
                ' where q.msg_id = w.msg_id returning 1) select count(*) from hidden',
                lower('q_' || v_queue.name)
            ) into v_hidden using v_off, c_hide_max, p_lease;
            continue when v_hidden = c_hide_max;
        end if;
        return query
        select v_queue.name, v_queue.kind, v_queue.tenant, v_queue.reads_max, m.msg_id, m.read_ct, m.enqueued_at,
               m.message, to_jsonb(m) -> 'headers',
               v_queue.kind = 'message' and pawl.is_uuid(m.message ->> 'execution_id')
                   and (exists (select 1 from pawl.live_run l where l.bucket = p_bucket
                                   and l.run_id = (m.message ->> 'execution_id')::uuid)
                        or exists (select 1 from pawl.run r where r.bucket = p_bucket
                                      and r.run_id = (m.message ->> 'execution_id')::uuid)),
               w.workflow, w.version
          from pgmq.read(v_queue.name, p_lease, p_limit) m
          left join lateral (
              select d.workflow, d.version
                from pawl.event_trigger t
                join pawl.definition d on d.workflow = t.workflow and d.active
               where v_queue.kind = 'trigger' and t.tenant = v_queue.tenant and t.event = 'queue:' || v_queue.name
               union all
              select d.workflow, coalesce(v.version, d.version)
                from pawl.definition d
                left join pawl.workflow_version v
                  on v.workflow = d.workflow and v.version::text = m.message ->> 'workflow_version'
                     and v_queue.kind = 'message'
               where v_queue.kind <> 'trigger' and d.active and d.tenant = v_queue.tenant
                 and (d.name = coalesce(v_queue.workflow, m.message ->> 'workflow_name', m.message ->> 'workflow')
                      or (v_queue.kind = 'message' and d.id::text = lower(m.message ->> 'rule_id')
                          and not m.message ? 'workflow_name'))
          ) as w on true
         order by m.msg_id, w.workflow;
    end loop;
end
$$;

-- Dead letters by how their fingerprint begins ------------------------------------------------------------------------

-- Walks the dead letters of a tenant by the time they came, p_scan rows at most; whoever calls it looks at the other
-- conditions, and at a fingerprint that is not whole.
create or replace function pawl.walk_dead_letters(
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
        case when length(p_fingerprint) = 32 then 'd.fingerprint = $3 and' else '' end,
        case when p_newest_first then 'desc' else 'asc' end
    ) using p_bucket, p_tenant, p_fingerprint, coalesce(p_from, '-infinity'),
        coalesce(p_from_run, '00000000-0000-0000-0000-000000000000'), coalesce(p_before, 'infinity'),
        coalesce(p_before_run, '00000000-0000-0000-0000-000000000000'), p_scan;
end
$$;

-- Newest first, from a cursor (p_before, p_before_run). When p_scan rows were looked at and there may be more, a last
-- row says with its `at` and run_id how far, and has no workflow.
create or replace function pawl.list_dead_letters(
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
        case when length(p_fingerprint) = 32 then 'and d.fingerprint = $3' else '' end
    ) using p_bucket, p_tenant, p_fingerprint, coalesce(p_from, '-infinity'), coalesce(p_before, 'infinity'),
        coalesce(p_before_run, '00000000-0000-0000-0000-000000000000'), p_scan
    loop
        v_walked := v_walked + 1;
        run_id := v_letter.run_id;
        at := v_letter.at;
        continue when not starts_with(v_letter.fingerprint, p_fingerprint) or p_node <> v_letter.node
            or p_replayed <> (v_letter.replayed_as is not null);
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

-- Simple enough to become part of the statement that asks. p_workflow is the number of the filter's workflow.
create or replace function pawl.matches_replay(p_letter pawl.dead_letter, p_filter jsonb, p_workflow int)
returns boolean
language sql stable
return (p_letter).replayed_as is null
    and (p_filter ->> 'fingerprint' is null or starts_with((p_letter).fingerprint, p_filter ->> 'fingerprint'))
    and (p_filter ->> 'step' is null or (p_letter).node = p_filter ->> 'step')
    and (p_filter ->> 'workflow' is null or (p_letter).workflow = p_workflow)
    and (p_filter ->> 'after' is null or (p_letter).at > (p_filter ->> 'after')::timestamptz)
    and (p_filter ->> 'before' is null or (p_letter).at < (p_filter ->> 'before')::timestamptz);

-- Runs as people see them: one that waits for a message is due at no time ---------------------------------------------

-- One run of a tenant with the data of its event 0. An open run has a live_run row, a closed one a run row, never both.
create or replace function pawl.find_run(p_bucket smallint, p_tenant int, p_run uuid)
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
                 pawl.uuid7_time(l.run_id) as started_at, null::timestamptz as closed_at,
                 case when l.state <> 2 then l.due_at end as due_at, null::jsonb as output, null::jsonb as error,
                 l.priority, null::uuid as retried_as
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

-- Open runs, newest first, as before.
create or replace function pawl.list_open_runs(
    p_bucket smallint, p_tenant int, p_workflow text, p_status text[], p_subject text, p_correlation text,
    p_from uuid, p_before uuid, p_limit int, p_scan int
) returns table (
    run_id uuid, workflow text, version int, status text, subject text, started_at timestamptz, closed_at timestamptz,
    due_at timestamptz, output jsonb, error jsonb, scanned_to uuid
)
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
set enable_sort = off set jit = off as $$
#variable_conflict use_column
declare
    v_walk text := 'pawl.live_run l where l.bucket = $1 and l.run_id >= $4 and l.run_id < $5';
    v_workflow int;
    v_ids uuid[];
    v_found bigint;
begin
    perform pawl.require_tenant(p_tenant);
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
               pawl.uuid7_time(x.run_id), null::timestamptz, case when x.state <> 2 then x.due_at end, null::jsonb,
               null::jsonb, null::uuid
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

-- Definitions ---------------------------------------------------------------------------------------------------------

-- Keeps a definition as a version that nothing starts until it is activated. The same content as that of the newest
-- version, or under the same label, is that version.
create or replace function pawl.save_draft(p_tenant int, p_name text, p_definition jsonb)
returns table (id int, version int, changed boolean)
language plpgsql set search_path = pg_catalog as $$
#variable_conflict use_column
declare
    v_newest jsonb;
begin
    perform pg_advisory_xact_lock(hashtext('pawl.definition'));
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

-- As before; a definition that has another name is not taken for this one.
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
    perform pg_advisory_xact_lock(hashtext('pawl.definition'));
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

-- Publishes an event in the caller's transaction.
create or replace function pawl.emit(
    name text, key text default null, data jsonb default null, subject text default null, id text default null
) returns text
language plpgsql security definer set search_path = pg_catalog as $$
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
    perform pawl.wake_at_commit(v_tenant.bucket);
    return v_id;
end
$$;

-- A policy for a role, made again for another one when the tables have another owner (a restored dump).
create or replace function pawl.secure_policy(p_table regclass, p_name text, p_role text, p_condition text) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
    if not exists (select 1 from pg_policy y where y.polrelid = p_table and y.polname = p_name) then
        execute format('create policy %I on %s to %s using (%s) with check (%s)', p_name, p_table, p_role, p_condition,
                       p_condition);
    elsif p_name = 'owner' and not exists (
        select 1 from pg_policy y
         where y.polrelid = p_table and y.polname = p_name and p_role::regrole::oid = any (y.polroles)
    ) then
        execute format('alter policy %I on %s to %s', p_name, p_table, p_role);
    end if;
end
$$;

-- Since when the oldest task waits, for `pawl doctor` of a login that may not read the table.
create function queues.oldest_task() returns timestamptz
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$ select min(t.scheduled_at) from queues.task t where t.dequeued_at is null $$;

revoke execute on function queues.oldest_task() from public;
grant execute on function queues.oldest_task() to worker_service_user;
