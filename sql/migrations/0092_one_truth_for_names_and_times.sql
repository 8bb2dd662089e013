-- One person is one person in any spelling of the name: blanks around it and upper case do not count, whether they are
-- asked, kept from a decision, vote or get a task from another. A run that was cancelled tells what its children could
-- not undo. Steps that undo others stand in workflow_steps where they happened, with the keys that they send.
-- No view or log shows a time of a run that is before the run, or before the event before it.
-- breaking: no

set local lock_timeout = '5s';

-- People --------------------------------------------------------------------------------------------------------------

create function pawl.person_name(p_written text) returns text
language sql immutable parallel safe
return btrim(p_written, E' \t\n\r\f\v');

create function pawl.is_same_person(p_one text, p_other text) returns boolean
language sql immutable parallel safe
return lower(pawl.person_name(p_one)) = lower(pawl.person_name(p_other));

create function pawl.is_among(p_names text[], p_by text) returns boolean
language sql immutable parallel safe
return coalesce((select bool_or(pawl.is_same_person(n.name, p_by)) from unnest(p_names) as n (name)), false);

create or replace function pawl.may_decide(p_task pawl.human_task, p_by text) returns boolean
language sql immutable parallel safe
return not pawl.is_among((p_task).excluded, p_by)
       and case when cardinality((p_task).approvers) > 0
                then pawl.is_among((p_task).approvers || (p_task).escalated_to, p_by)
                else coalesce(pawl.is_same_person((p_task).assignee, p_by), true) end;

-- A list of names with another one in the place of a person, or with nothing there.
create function pawl.replace_person(p_names text[], p_by text, p_to text) returns text[]
language sql immutable parallel safe
return array(
    select case when pawl.is_same_person(n.name, p_by) then p_to else n.name end
      from unnest(p_names) with ordinality as n (name, place)
     where p_to is not null or not pawl.is_same_person(n.name, p_by)
     order by n.place
);

create or replace function pawl.vote_on_task(p_task pawl.human_task, p_yes boolean, p_by text, p_alone boolean)
returns pawl.human_task
language plpgsql immutable parallel safe
set search_path = pg_catalog as $$
declare
    v_task pawl.human_task := p_task;
begin
    v_task.claimed_by := null;
    v_task.approved_by := pawl.replace_person(v_task.approved_by, p_by, null);
    v_task.rejected_by := pawl.replace_person(v_task.rejected_by, p_by, null);
    if p_yes then
        v_task.approved_by := v_task.approved_by || p_by;
    else
        v_task.rejected_by := v_task.rejected_by || p_by;
    end if;
    if p_yes and (p_alone or cardinality(v_task.approved_by) >= v_task.approvals_needed) then
        v_task.state := 1;
    elsif not p_yes and (p_alone or cardinality(v_task.rejected_by) >= v_task.rejections_needed) then
        v_task.state := 2;
    end if;
    return v_task;
end
$$;

create or replace function pawl.act_on_task(
    p_bucket smallint, p_tenant int, p_task uuid, p_action text, p_by text, p_reason text, p_data jsonb, p_to text,
    p_force boolean
) returns text
language plpgsql
set search_path = pg_catalog
set plan_cache_mode = force_custom_plan as $$
declare
    v_task pawl.human_task;
    v_by text := pawl.person_name(p_by);
    v_to text := pawl.person_name(p_to);
    v_claims boolean;  -- whether it is the person who claimed it; null: the task is not claimed
    v_alone boolean;  -- whether it went to this person after the others
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
    v_claims := pawl.is_same_person(v_task.claimed_by, v_by);
    v_alone := coalesce(pawl.is_same_person(v_task.escalated_to, v_by), false);
    if v_task.id is null then
        return 'not_found';
    elsif v_task.state <> 0 then
        return 'closed';
    elsif v_task.due_at <= now() then
        return 'late';
    -- Whatever rights a person has: who asked does not answer.
    elsif p_action in ('approve', 'reject', 'claim') and pawl.is_among(v_task.excluded, v_by) then
        return 'excluded';
    elsif p_action = 'delegate' and pawl.is_among(v_task.excluded, v_to) then
        return 'excluded';
    elsif not p_force and v_task.approvals_needed = 1 and not v_claims then
        return 'claimed';
    elsif not p_force and not pawl.may_decide(v_task, v_by) and v_claims is distinct from true then
        return 'not_allowed';
    elsif p_action = 'approve' and pawl.is_among(v_task.approved_by, v_by) then
        return 'twice';
    elsif p_action = 'reject' and pawl.is_among(v_task.rejected_by, v_by) then
        return 'twice';
    elsif p_action = 'delegate' and cardinality(v_task.approvers) > 0
          and pawl.is_among(v_task.approved_by || v_task.rejected_by, v_by) then
        return 'voted';
    elsif p_action = 'delegate' and cardinality(v_task.approvers) > 0
          and not pawl.is_among(v_task.approvers, v_by) and not v_alone then
        return 'not_allowed';
    elsif p_action = 'delegate' and pawl.is_among(v_task.approvers || v_task.escalated_to, v_to) then
        return 'seated';
    end if;
    case p_action
        when 'claim' then
            v_task.claimed_by := v_by;
        when 'unclaim' then
            v_task.claimed_by := null;
        when 'delegate' then
            v_task.claimed_by := null;
            if v_alone and cardinality(v_task.approvers) > 0 then
                v_task.escalated_to := v_to;
                v_task.assignee := v_to;
            elsif cardinality(v_task.approvers) = 0 then
                v_task.assignee := v_to;
            else
                v_task.approvers := pawl.replace_person(v_task.approvers, v_by, v_to);
            end if;
        when 'approve' then
            v_task := pawl.vote_on_task(v_task, true, v_by, v_alone);
            v_task.data := coalesce(p_data, v_task.data);
        when 'reject' then
            v_task := pawl.vote_on_task(v_task, false, v_by, v_alone);
    end case;
    if p_data is not null then
        insert into pawl.task_decision (bucket, task, action, by, data)
        values (p_bucket, p_task, 'edit', v_by, p_data);
    end if;
    insert into pawl.task_decision (bucket, task, action, by, reason, data)
    values (p_bucket, p_task, p_action, v_by, p_reason,
            case when v_to is not null then jsonb_build_object('to', v_to) end);
    update pawl.human_task t
       set claimed_by = v_task.claimed_by, assignee = v_task.assignee, approvers = v_task.approvers,
           escalated_to = v_task.escalated_to, approved_by = v_task.approved_by, rejected_by = v_task.rejected_by,
           data = v_task.data, state = v_task.state,
           decided_at = case when v_task.state <> 0 then now() end,
           decided_by = case when v_task.state <> 0 then v_by end,
           reason = case when v_task.state <> 0 then p_reason end
     where t.bucket = p_bucket and t.id = p_task;
    if v_task.state <> 0 then
        perform pawl.leave_signals(
            p_bucket, array[v_task.run_id], array['task'],
            array[jsonb_build_object(
                'token', v_task.token, 'visit', v_task.visit, 'task', v_task.id,
                'decision', pawl.task_state_name(v_task.state), 'by', v_by, 'reason', p_reason, 'data', v_task.data
            )],
            true
        );
    end if;
    return 'done';
end
$$;

drop function pawl.is_excluded(text[], text);

-- Runs that were cancelled --------------------------------------------------------------------------------------------

-- A run that was cancelled and undid what it did is no dead letter, though its error tells what its children could not
-- undo: they are dead letters themselves.
do $$
declare
    v_old text := pg_get_functiondef('pawl.commit_runs'::regproc);
    v_new text := replace(v_old, 'where u.status = 2 or u.error is not null',
                          'where u.status = 2 or u.error ->> ''code'' <> ''children_not_undone''');
begin
    if v_new = v_old then
        raise exception 'pawl.commit_runs is not as this migration expects it';
    end if;
    execute v_new;
end
$$;

-- Steps that undo others ----------------------------------------------------------------------------------------------

-- The key that a step sends which undoes p_record, as plan::idempotency_key has it. What it undoes was done between two
-- places of the log: when those belong to runs of their own, only the log tells which one it is (null).
create function pawl.undo_key(p_run uuid, p_chain jsonb, p_node text, p_record jsonb, p_first int, p_last int)
returns text
language sql immutable parallel safe
return (
    select coalesce(min(o.run), p_chain ->> 'anew_run', p_chain ->> 'first_run', p_run::text)
           || ':undo-' || (p_record #>> '{}') || ':' || p_node
      from unnest(array[p_first, p_last]) as p (seq)
     cross join lateral (
         select (select w.one ->> 'run'
                   from jsonb_array_elements(p_chain -> 'owners') with ordinality as w (one, place)
                  where p.seq <= (w.one ->> 'until')::int
                  order by w.place
                  limit 1) as run
     ) as o
    having count(distinct coalesce(o.run, '')) = 1
);

create or replace function pawl.execution_steps(
    p_bucket smallint, p_run uuid, p_workflow int, p_version int, p_status smallint, p_held boolean
) returns table (id uuid, step_name text, seq int, status text, input jsonb, result jsonb, attempts int,
                 max_attempts int, next_attempt_at timestamptz, idempotency_key text, error text,
                 created_at timestamptz, updated_at timestamptz, backoff_seconds int, dead_letter boolean)
language plpgsql stable parallel safe
set search_path = pg_catalog set plan_cache_mode = force_generic_plan set jit = off
set enable_seqscan = off set enable_bitmapscan = off as $$
#variable_conflict use_column
declare
    v_definition jsonb := (
        select v.definition from pawl.workflow_version v where v.workflow = p_workflow and v.version = p_version
    );
    v_ways text[] := array(select w."from" || ' ' || w."to" from pawl.ways_of(v_definition) w);
    v_undoing text[] := array(select s.step ->> 'compensate'
                                from jsonb_array_elements(pawl.steps_of(v_definition)) as s (step)
                               where s.step ? 'compensate');
    v_start timestamptz;
    v_chain jsonb;
begin
    select greatest(e.at, pawl.uuid7_time(p_run), to_timestamp((e.data ->> 'start_at')::bigint / 1000000.0)),
           e.data
      into v_start, v_chain
      from pawl.event e where e.bucket = p_bucket and e.run_id = p_run and e.seq = 0;
    return query
    with done as materialized (
        select d.*, lag(d.last_seq) over w as before_seq, lag(d.at) over w as before_at
          from pawl.execution_steps_done(p_bucket, p_run, v_definition) d
        window w as (partition by d.token order by d.first_seq)
    ), undoing as (
        -- What undoes comes one after the other, since the run went back. The last of what it did is undone first.
        select d.token, d.node, d.visit, coalesce(lag(d.last_seq) over w, u.seq) as since_seq,
               coalesce(lag(d.at) over w, greatest(u.at, v_start)) as since,
               pawl.undo_key(p_run, v_chain, d.node, u.undo -> (jsonb_array_length(u.undo) - row_number() over w)::int,
                             c.first_seq, c.last_seq) as key
          from done d
         cross join lateral (
             select e.seq, e.at, case when jsonb_typeof(e.data -> 'undo') = 'array' then e.data -> 'undo' end as undo
               from pawl.event e
              where e.bucket = p_bucket and e.run_id = p_run and e.type = 14 and e.seq < d.first_seq
              order by e.seq desc
              limit 1
         ) as u
         cross join lateral (
             select min(p.last_seq) as first_seq, max(p.last_seq) as last_seq
               from done p
               join jsonb_array_elements(pawl.steps_of(v_definition)) as s (step)
                 on coalesce(s.step ->> 'id', s.step ->> 'name') = p.node and s.step ->> 'compensate' = d.node
              where p.ended and p.last_seq < u.seq
         ) as c
         where d.node = any (v_undoing)
        window w as (partition by u.seq order by d.first_seq)
    ), everything as (
        -- A step is come to when the one before it ends: of its branch, or where its branch began.
        select d.node, d.key, d.first_seq, d.last_type, d.ended, d.withdrawn, d.attempts, d.data, d.error, d.at,
               coalesce(u.since_seq, d.before_seq, b.last_seq, 0) as since_seq,
               coalesce(u.since, d.before_at, b.at, v_start) as since, null::jsonb as config, u.key as undo_key
          from done d
          left join undoing u on u.token = d.token and u.node = d.node and u.visit = d.visit
          left join lateral (
              select p.last_seq, p.at
                from done p
               where d.before_seq is null and p.ended and p.last_seq < d.first_seq
                 and p.node || ' ' || d.node = any (v_ways)
               order by p.last_seq desc
               limit 1
          ) as b on true
         union all
        select u.node,
               -- Which branch comes to it is known here when there is but one.
               case when (select count(distinct d.token) from done d) <= 1 and not v_definition ? 'code'
                    then pawl.step_key(
                   p_run, coalesce((select max(d.token) from done d), 0), u.node,
                   1 + (select count(*) from done d where d.node = u.node)::int) end,
               2147483647, null, false, false, 0, null, null, u.at, u.since_seq, u.at, u.config, null
          from pawl.execution_steps_due(p_bucket, p_run, v_definition) u
         where p_status = 0
    ), placed as (
        select a.*, s.step, s.place, to_timestamp((a.data ->> 'retry_at')::bigint / 1000000.0) as retry_at,
               row_number() over (order by a.since_seq, s.place, a.first_seq) as n
          from everything a
          left join jsonb_array_elements(pawl.steps_of(v_definition)) with ordinality as s (step, place)
            on coalesce(s.step ->> 'id', s.step ->> 'name') = a.node
    )
    select md5(coalesce(p.key, p_run || ':' || p.node || ':' || p.since_seq))::uuid, p.node, p.n::int,
           case when p.ended and p.error is null then 'completed'
                when p.ended then 'failed'
                when p_status > 0 or p.withdrawn then 'cancelled'
                when p.last_type in (3, 11) then 'waiting'
                when p_held and (p.retry_at is null or p.retry_at <= now()) then 'in_progress'
                else 'pending' end,
           coalesce(p.config, pawl.input_of(p.step)),
           case when p.last_type = 1 then p.data when p.ended then p.data -> 'value' end,
           p.attempts, pawl.attempts_of(v_definition, p.step),
           case when p.ended or p_status > 0 or p.withdrawn then null
                when p.last_type = 2 then p.retry_at
                else to_timestamp((p.data ->> 'until')::bigint / 1000000.0) end,
           coalesce(p.undo_key, pawl.shown_key(p.key, v_chain, p.step, v_definition)),
           coalesce(p.error ->> 'message', p.error ->> 'code'), p.since, greatest(p.since, p.at),
           coalesce(ceil(extract(epoch from p.retry_at - p.at)), 0)::int,
           p.ended and p_status = 2 and p.last_type = 2 and not coalesce(p.data ? 'caught', false)
               and p.step ->> 'on_failure' is distinct from 'continue'
      from placed p;
end
$$;

-- Times ---------------------------------------------------------------------------------------------------------------

-- A run has the time of the process that made its id, which may be a little ahead of that of the database, and a retry
-- has what another run did before it began. What is shown of a run is never before it, nor before the event before it.
do $$
declare
    v_view record;
    v_old text;
    v_new text;
begin
    for v_view in
        select *
          from (values ('workflow_executions', 'security_invoker'),
                       ('fw_workflow_executions', 'security_barrier')) as v (name, option)
    loop
        v_old := pg_get_viewdef(format('pawl.%I', v_view.name)::regclass);
        v_new := replace(v_old, 'x.closed_at AS completed_at',
                         'case when x.closed_at is not null then greatest(x.closed_at, pawl.uuid7_time(x.run_id)) end'
                         ' AS completed_at');
        if v_new = v_old then
            raise exception 'pawl.% is not as this migration expects it', v_view.name;
        end if;
        execute format('create or replace view pawl.%I with (%s) as %s', v_view.name, v_view.option, v_new);
    end loop;
end
$$;

create or replace function pawl.result(run uuid)
returns table (closed boolean, status text, output jsonb, error jsonb, closed_at timestamptz)
language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
declare
    v_tenant pawl.tenant := pawl.sql_tenant();
begin
    return query
    select r.closed_at is not null, r.status, r.output, r.error,
           case when r.closed_at is not null then greatest(r.closed_at, pawl.uuid7_time(run)) end
      from pawl.find_run(v_tenant.bucket, v_tenant.id, run) r;
end
$$;

create or replace function pawl.execution_visits(p_bucket smallint, p_run uuid)
returns table (seq int, type smallint, node text, token int, attempt int, data jsonb, error jsonb, at timestamptz,
               ends boolean, visit int)
language plpgsql stable parallel safe
set search_path = pg_catalog set plan_cache_mode = force_generic_plan set jit = off
set enable_seqscan = off set enable_bitmapscan = off as $$
#variable_conflict use_column
declare
    v_began timestamptz := greatest(pawl.uuid7_time(p_run), (
        select s.at from pawl.event s where s.bucket = p_bucket and s.run_id = p_run and s.seq = 0
    ));
begin
    return query
    select e.seq, e.type, e.node, coalesce(e.token, 0), e.attempt::int, e.data, e.error, greatest(e.at, v_began),
           e.ends,
           coalesce(sum(e.ends::int) over (partition by e.token, e.node order by e.seq
                                           rows between unbounded preceding and 1 preceding), 0)::int
      from (
          select v.seq, v.type, v.node, v.token, v.attempt, v.data, v.error, v.at,
                 v.type in (1, 7, 9, 16) or v.type = 2 and not coalesce(v.data ? 'retry_at', false) as ends
            from pawl.event v
           where v.bucket = p_bucket and v.run_id = p_run and v.node is not null
             and v.type in (1, 2, 3, 7, 9, 11, 15, 16)
      ) as e
     order by e.seq;
end
$$;

create or replace function pawl.events_after(p_bucket smallint, p_run uuid[], p_seq int[], p_limit int)
returns table (run_id uuid, seq int, type smallint, attempt smallint, node text, data jsonb, error jsonb,
               at timestamptz, token int)
language plpgsql stable
set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
set jit = off as $$
#variable_conflict use_column
begin
    return query
    select e.run_id, e.seq, e.type, e.attempt, e.node, e.data, e.error,
           greatest(e.at, pawl.uuid7_time(e.run_id), (
               select s.at from pawl.event s where s.bucket = p_bucket and s.run_id = e.run_id and s.seq = 0
           )), e.token
      from unnest(p_run, p_seq) as u (run_id, seq)
     cross join lateral (
         select * from pawl.event x where x.bucket = p_bucket and x.run_id = u.run_id and x.seq > u.seq
          order by x.seq
          limit p_limit
     ) as e
     limit p_limit;
end
$$;
