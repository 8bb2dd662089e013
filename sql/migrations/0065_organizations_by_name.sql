-- The interface of the per-organization worker, to the letter: its functions and views are found without a schema, a
-- run that a form starts has what was submitted, messages of workflow_execution_queue are for the tenant that their
-- organization is, and what ends in a dead-letter queue says whose it was.
-- breaking: no

set local lock_timeout = '5s';

-- Messages ------------------------------------------------------------------------------------------------------------

-- Whoever may send to such a queue may send for every organization: only the owner of the queues gives that away.
alter table pawl.queue add column organizations boolean not null default false;
comment on column pawl.queue.organizations is 'a message says by organization_id which tenant it is for';
update pawl.queue set organizations = true where name = 'workflow_execution_queue';
select pawl.ensure_queue('workflow_execution_queue');

create or replace view pawl.consumed_queue as
with triggered as (
    select distinct t.tenant, substr(t.event, 7) as name from pawl.event_trigger t where t.event like 'queue:%'
)
select t.name, t.tenant, 'trigger' as kind, null::text as workflow, coalesce(q.reads_max, 5) as reads_max,
       coalesce(q.dead_letter_queue, 'workflow_dlq') as dead_letter_queue, coalesce(q.archive, false) as archive,
       false as organizations
  from triggered t
  left join pawl.queue q on q.name = t.name
 where coalesce(q.tenant, 1) = t.tenant and coalesce(q.active, true)
 union all
select q.name, q.tenant, case when q.workflow is null then 'message' else 'workflow' end, q.workflow, q.reads_max,
       q.dead_letter_queue, q.archive, q.organizations
  from pawl.queue q
 where q.active and not exists (select 1 from triggered t where t.tenant = q.tenant and t.name = q.name);

-- As before; also: the tenant of a message is that of its organization where the queue is for all of them. One whose
-- organization is no tenant's is for the tenant that the queue belongs to.
create or replace function pawl.read_queues(p_bucket smallint, p_limit int, p_lease int)
returns table (
    queue text, kind text, tenant int, reads_max int, id bigint, reads int, at timestamptz, message jsonb,
    headers jsonb, known boolean, workflow int, version int
)
language plpgsql security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
set jit = off
as $_$
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
        -- What is wrong with one queue does not keep the others from being read.
        begin
            -- Most looks find nothing, and this is the quickest way to know.
            execute format('select true from pgmq.%I order by msg_id limit 1', lower('q_' || v_queue.name))
               into v_any;
            continue when v_any is null;
            -- Messages for a workflow that is switched off wait, and were not read: otherwise they would be given up.
            -- Those that stand among others are hidden for the time of a lease; nothing is read before all of them are.
            v_off := array(
                select n.name
                  from pawl.definition d
                 cross join lateral (values (d.name), (d.id::text)) as n (name)
                 where (d.tenant = v_queue.tenant or v_queue.organizations and n.name = d.id::text)
                   and d.off_reason is not null and v_queue.kind <> 'trigger'
            );
            continue when v_queue.workflow = any (v_off);
            if v_off <> '{}' and v_queue.kind = 'message' then
                execute format(
                    'with waiting as (select q.msg_id from pgmq.%1$I q where q.vt <= clock_timestamp()'
                    ' and coalesce(q.message ->> ''workflow_name'', q.message ->> ''workflow'','
                    ' lower(q.message ->> ''rule_id'')) = any ($1) limit $2 for update skip locked), '
                    'hidden as (update pgmq.%1$I q set vt = clock_timestamp() + make_interval(secs => $3)'
                    ' from waiting w where q.msg_id = w.msg_id returning 1) select count(*) from hidden',
                    lower('q_' || v_queue.name)
                ) into v_hidden using v_off, c_hide_max, p_lease;
                continue when v_hidden = c_hide_max;
            end if;
            return query
            select v_queue.name, v_queue.kind, o.tenant, v_queue.reads_max, m.msg_id, m.read_ct, m.enqueued_at,
                   m.message, to_jsonb(m) -> 'headers',
                   v_queue.kind = 'message' and pawl.is_uuid(m.message ->> 'execution_id')
                       and (exists (select 1 from pawl.live_run l where l.bucket = p_bucket and l.tenant = o.tenant
                                       and l.run_id = (m.message ->> 'execution_id')::uuid)
                            or exists (select 1 from pawl.run r where r.bucket = p_bucket and r.tenant = o.tenant
                                          and r.run_id = (m.message ->> 'execution_id')::uuid)),
                   w.workflow, w.version
              from pgmq.read(v_queue.name, p_lease, p_limit) m
             cross join lateral (
                  select coalesce((select t.id from pawl.tenant t
                                    where v_queue.organizations and t.bucket = p_bucket
                                      and t.organization::text = lower(m.message ->> 'organization_id')),
                                  v_queue.tenant)
             ) as o (tenant)
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
                   where v_queue.kind <> 'trigger' and d.active and d.tenant = o.tenant
                     and (d.name = coalesce(v_queue.workflow, m.message ->> 'workflow_name', m.message ->> 'workflow')
                          or (v_queue.kind = 'message' and d.id::text = lower(m.message ->> 'rule_id')
                              and not m.message ? 'workflow_name'))
              ) as w on true
             order by m.msg_id, w.workflow;
        exception
            when others then
                queue := v_queue.name;
                kind := v_queue.kind;
                tenant := v_queue.tenant;
                reads_max := v_queue.reads_max;
                id := 0;
                reads := 0;
                at := now();
                message := to_jsonb(sqlerrm);
                known := false;
                return next;
        end;
    end loop;
end
$_$;

-- What became of the messages of an organization that started no run: those that wait, or are just being read; those
-- that lead to no rule and come again; and those that were given up in the last p_within.
create function pawl.organization_messages(p_tenant int, p_within interval)
returns table (state text, execution_id text, problem text)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
    c_most constant int := 1000;
    v_organization text := (select t.organization::text from pawl.tenant t where t.id = p_tenant);
    v_queue record;
begin
    perform pawl.require_tenant(p_tenant);
    for v_queue in
        select c.name, c.dead_letter_queue
          from pawl.consumed_queue c
         where c.organizations and pawl.queue_exists(c.name)
    loop
        return query execute format(
            'select case when q.vt <= clock_timestamp() or r.found then ''waiting'' else ''tried'' end,
                    q.message ->> ''execution_id'',
                    case when not r.found then concat_ws('': '', ''Rule not found'', q.message ->> ''rule_id'') end
               from pgmq.%I q
              cross join lateral (
                  select exists (select 1 from pawl.definition d
                                  where d.tenant = $1 and d.active
                                    and (d.id::text = lower(q.message ->> ''rule_id'')
                                         or d.name = q.message ->> ''workflow_name''))
              ) as r (found)
              where lower(q.message ->> ''organization_id'') = $2
                and (q.read_ct > 0 or q.vt <= clock_timestamp())
              limit $3', lower('q_' || v_queue.name)
        ) using p_tenant, v_organization, c_most;
        if pawl.queue_exists(v_queue.dead_letter_queue) then
            return query execute format(
                'select ''dead'', q.message ->> ''execution_id'', q.message ->> ''error''
                   from pgmq.%I q
                  where q.enqueued_at > clock_timestamp() - $1 and q.message ->> ''queue'' = $2
                    and lower(q.message ->> ''organization_id'') = $3
                  limit $4', lower('q_' || v_queue.dead_letter_queue)
            ) using p_within, v_queue.name, v_organization, c_most;
        end if;
    end loop;
end
$$;

-- As before, in the order of p_run; also: how far the log has come, apart from notes that no worker could carry it on.
drop function pawl.runs_done(smallint, uuid[]);
create function pawl.runs_done(p_bucket smallint, p_run uuid[])
returns table (run_id uuid, status text, error text, dead boolean, last_seq int)
language sql stable set search_path = pg_catalog, pg_temp
begin atomic
    select u.run_id,
           case when r.status is not null then pawl.run_status_name(r.status)
                when l.state = 2 or l.due_at > now() then 'waiting'
                else 'open' end,
           r.error ->> 'message',
           r.status = 2,
           (select e.seq from pawl.event e
             where e.bucket = p_bucket and e.run_id = u.run_id and e.type <> 19 order by e.seq desc limit 1)
      from unnest(p_run) with ordinality as u (run_id, place)
      left join lateral (
          select h.state, h.due_at from pawl.live_run h where h.bucket = p_bucket and h.run_id = u.run_id offset 0
      ) as l on true
      left join lateral (
          select c.status, c.error from pawl.run c where c.bucket = p_bucket and c.run_id = u.run_id offset 0
      ) as r on true
     order by u.place;
end;

-- Dead letters --------------------------------------------------------------------------------------------------------

-- As before; also: a message that did not say its organization is that of the tenant that the queue belongs to.
create or replace function pawl.dead_message(p_queue text, p_id bigint, p_message jsonb, p_reason text, p_reads int)
returns jsonb
language sql stable set search_path = pg_catalog as $$
    select m.message
           || jsonb_build_object(
               'error', p_reason,
               'failed_at', to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
               'attempt', p_reads, 'total_attempts', p_reads, 'queue', p_queue, 'msg_id', p_id,
               'organization_id', coalesce(
                   nullif(m.message -> 'organization_id', 'null'),
                   (select to_jsonb(t.organization)
                      from pawl.consumed_queue q join pawl.tenant t on t.id = q.tenant
                     where q.name = p_queue limit 1)))
      from (select case when jsonb_typeof(p_message) = 'object' then p_message
                        else jsonb_build_object('message', p_message) end) as m (message)
$$;

-- As before; also: a run whose data do not say so is its tenant's.
create or replace function pawl.dead_run_message(p_bucket smallint, p_run uuid) returns jsonb
language sql stable set search_path = pg_catalog as $$
    select jsonb_build_object(
               'execution_id', d.run_id, 'workflow_name', w.name, 'workflow_version', d.version,
               'steps', pawl.steps_of(v.definition),
               'current_step', coalesce(array_position(pawl.step_names(v.definition), d.node) - 1, 0),
               'context', c.context,
               'visibility_timeout', coalesce(v.definition -> 'visibility_timeout', '60'),
               'max_retries', coalesce(v.definition -> 'max_retries', '3'),
               'rule_id', coalesce(c.context -> 'rule_id', to_jsonb(h.id)),
               'trigger_type', coalesce(c.context -> 'trigger_type', c.triggered_by),
               'organization_id', coalesce(nullif(c.context -> 'organization_id', 'null'), to_jsonb(t.organization)),
               'attempt', f.attempts, 'total_attempts', f.attempts,
               'error', coalesce(d.error ->> 'message', d.error ->> 'code', 'failed'), 'error_step', d.node,
               'failed_at', to_char(d.at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
           )
      from pawl.dead_letter d
      join pawl.tenant t on t.id = d.tenant
      join pawl.workflow w on w.id = d.workflow
      join pawl.workflow_version v on v.workflow = d.workflow and v.version = d.version
      left join pawl.definition h on h.workflow = d.workflow
     cross join lateral (
         select coalesce(jsonb_object_agg(p.key, p.value order by p.rank, e.seq) filter (where p.key is not null), '{}')
                    as context,
                jsonb_agg(e.data -> 'triggered_by') filter (where e.seq = 0) -> 0 as triggered_by
           from pawl.event e
           left join lateral pawl.context_part(v.definition, e.type, e.node, e.data, e.error) p on true
          where e.bucket = d.bucket and e.run_id = d.run_id
     ) as c
     cross join lateral (
         select greatest(count(*), 1) as attempts
           from pawl.event e
          where e.bucket = d.bucket and e.run_id = d.run_id and e.type = 2 and e.node = d.node
     ) as f
     where d.bucket = p_bucket and d.run_id = p_run
$$;

-- Forms ---------------------------------------------------------------------------------------------------------------

-- What was submitted, as public.fw_form_submissions has it (id, form_id, organization_id and submission_data or data):
-- a table of the application, or a view that it makes of another one. Read as the owner of this schema, and so only
-- where somebody made it who could do anything here anyway. Empty where there is none, or nothing of that organization.
create function pawl.submission_data(p_form uuid, p_submission uuid, p_organization uuid) returns jsonb
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
declare
    v_table regclass := to_regclass('public.fw_form_submissions');
    v_columns text[];
    v_data text;
    v_found jsonb;
begin
    select array_agg(a.attname::text),
           min(a.attname::text) filter (where a.attname = 'submission_data')
      into v_columns, v_data
      from pg_class c
      join pg_roles r on r.oid = c.relowner
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.oid = v_table
       and (r.rolsuper
            or c.relowner in (select n.nspowner from pg_namespace n where n.nspname in ('pawl', 'public'))
            or c.relowner = (select b.datdba from pg_database b where b.datname = current_database()));
    v_data := coalesce(v_data, case when 'data' = any (v_columns) then 'data' end);
    if v_data is null or not 'id' = any (v_columns) then
        return '{}';
    end if;
    execute format(
        'select to_jsonb(s.%I) from %s s where s.id::text = $1 and %s and %s', v_data, v_table,
        case when 'form_id' = any (v_columns) then 's.form_id::text = $2' else 'true' end,
        case when 'organization_id' = any (v_columns) then 's.organization_id::text = $3' else 'true' end
    ) into v_found using p_submission::text, p_form::text, p_organization::text;
    return coalesce(nullif(v_found, 'null'), '{}');
end
$$;

-- As before; also: the run gets what was submitted, and filters see it.
create or replace function pawl.fw_enqueue_form_submission_automation(
    p_form_id uuid, p_submission_id uuid, p_organization_id uuid
) returns uuid
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    v_tenant pawl.tenant := pawl.organization_tenant(p_organization_id);
    v_before text := coalesce(current_setting('pawl.tenant', true), '');
    v_data jsonb;
    v_rule record;
    v_run uuid;
    v_first uuid;
begin
    if p_form_id is null or p_submission_id is null then
        raise exception '% is required', case when p_form_id is null then 'p_form_id' else 'p_submission_id' end
            using errcode = 'null_value_not_allowed';
    end if;
    v_data := jsonb_build_object(
        'trigger_type', 'form_submitted', 'submission_id', p_submission_id, 'form_id', p_form_id,
        'organization_id', p_organization_id,
        'submission_data', pawl.submission_data(p_form_id, p_submission_id, p_organization_id));
    -- Whoever works for all tenants starts for this one; for everybody else it is their own already.
    perform set_config('pawl.tenant', v_tenant.id::text, true);
    for v_rule in
        select distinct on (d.name) d.name
          from pawl.definition d
         cross join jsonb_array_elements(
             case when jsonb_typeof(d.settings -> 'triggers') = 'array' then d.settings -> 'triggers' else '[]' end
         ) as t (trigger)
         where d.tenant = v_tenant.id and d.active and t.trigger ->> 'event' = 'form_submitted'
           and pawl.form_filter_holds(t.trigger -> 'filter', v_data)
         order by d.name
    loop
        v_run := pawl.start(v_rule.name, v_data, 'form:' || p_submission_id, triggered_by => 'form_submitted');
        v_first := coalesce(v_first, v_run);
    end loop;
    perform set_config('pawl.tenant', v_before, true);
    return v_first;
end
$$;

-- Names without a schema ----------------------------------------------------------------------------------------------

-- Where they are free: an application may have things of the same name. They do what those of pawl do, with the rights
-- of whoever asks.
do $$
declare
    v_view text;
    v_call record;
begin
    foreach v_view in array array['fw_workflow_executions', 'fw_module_settings'] loop
        begin
            if to_regclass('public.' || v_view) is not null then
                raise notice 'public.% exists already: use pawl.%', v_view, v_view;
            else
                execute format('create view public.%1$I as select * from pawl.%1$I', v_view);
            end if;
        exception when insufficient_privilege or invalid_schema_name then
            raise notice 'public.% could not be made: use pawl.%', v_view, v_view;
        end;
    end loop;
    for v_call in
        select p.proname as name, pg_get_function_arguments(p.oid) as parameters,
               pg_get_function_result(p.oid) as result,
               (select string_agg(quote_ident(a.name), ', ' order by a.n)
                  from unnest(p.proargnames) with ordinality as a (name, n) where a.n <= p.pronargs) as arguments,
               case p.provolatile when 's' then 'stable' else 'volatile' end as volatility
          from pg_proc p
         where p.pronamespace = 'pawl'::regnamespace
           and p.proname in ('fw_has_org_access', 'fw_enqueue_form_submission_automation',
                             'fw_claim_queued_executions', 'fw_finish_execution')
         order by p.proname
    loop
        begin
            if exists (select 1 from pg_proc f join pg_namespace n on n.oid = f.pronamespace
                        where n.nspname = 'public' and f.proname = v_call.name) then
                raise notice 'public.% exists already: use pawl.%', v_call.name, v_call.name;
            else
                execute format('create function public.%1$I(%2$s) returns %3$s language sql %4$s as %5$L', v_call.name,
                               v_call.parameters, v_call.result, v_call.volatility,
                               format('select * from pawl.%I(%s)', v_call.name, v_call.arguments));
            end if;
        exception when insufficient_privilege or invalid_schema_name then
            raise notice 'public.% could not be made: use pawl.%', v_call.name, v_call.name;
        end;
    end loop;
end
$$;

-- The views that roles of tenants read, by whichever schema they are found in.
create function pawl.views_for_users() returns text[]
language sql immutable parallel safe
return array['workflow_definitions', 'workflow_executions', 'fw_workflow_executions', 'fw_module_settings'];

-- As before; also: the short names of all those views.
create or replace function pawl.secure() returns setof text
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    v_role text;
    v_view text;
begin
    return query select pawl.secure_roles();
    perform pawl.secure_table(c.oid, c.relowner::regrole)
       from pg_class c
      where c.relnamespace = 'pawl'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      order by c.relname;
    perform pawl.secure_functions();
    foreach v_role in array array['pawl_worker', 'pawl_api', 'pawl_user'] loop
        continue when to_regrole(v_role) is null;
        execute format('grant usage on schema pawl to %I', v_role);
        if v_role <> 'pawl_user' then
            execute format('grant usage on all sequences in schema pawl to %I', v_role);
        end if;
        for v_view in
            select c.oid::regclass::text
              from pg_class c
              join pg_namespace n on n.oid = c.relnamespace
             where c.relkind = 'v' and c.relname = any (pawl.views_for_users())
               and (n.nspname = 'pawl'
                    or n.nspname = 'public' and pg_get_viewdef(c.oid) ~ ('FROM pawl\.' || c.relname || '\M'))
        loop
            execute format('grant select, insert, update, delete on %s to %I', v_view, v_role);
        end loop;
    end loop;
end
$$;
