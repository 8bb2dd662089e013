-- Whether a queue is not to be read now, since its workflow is switched off. Messages for a workflow that is switched
-- off wait, and were not read: otherwise they would be given up. Those that stand among others are hidden for the time
-- of a lease; nothing is read before all of them are. Called by read_queues, as its owner and with its settings.
create or replace function pawl.hold_back_messages(
    p_queue text, p_tenant int, p_kind text, p_organizations boolean, p_workflow text, p_lease int
) returns boolean
language plpgsql set search_path = pg_catalog, pg_temp as $_$
declare
    c_hide_max constant int := 1000;
    v_off text[];
    v_hidden int;
begin
    v_off := array(
        select n.name
          from pawl.definition d
         cross join lateral (values (d.name), (d.id::text)) as n (name)
         where (d.tenant = p_tenant or p_organizations and n.name = d.id::text)
           and d.off_reason is not null and p_kind <> 'trigger'
    );
    if p_workflow = any (v_off) then
        return true;
    end if;
    if v_off <> '{}' and p_kind = 'message' then
        execute format(
            'with waiting as (select q.msg_id from pgmq.%1$I q where q.vt <= clock_timestamp()'
            ' and coalesce(q.message ->> ''workflow_name'', q.message ->> ''workflow'','
            ' lower(q.message ->> ''rule_id'')) = any ($1) limit $2 for update skip locked), '
            'hidden as (update pgmq.%1$I q set vt = clock_timestamp() + make_interval(secs => $3)'
            ' from waiting w where q.msg_id = w.msg_id returning 1) select count(*) from hidden',
            lower('q_' || p_queue)
        ) into v_hidden using v_off, c_hide_max, p_lease;
        return v_hidden = c_hide_max;
    end if;
    return false;
end
$_$;

-- Up to p_limit messages of each queue, hidden from others for p_lease seconds; a row for each workflow that a message
-- may start, or one without. `known`: the message is about a run that exists. The tenant of a message is that of its
-- organization where the queue is for all of them. One whose organization is no tenant's is for the tenant that the
-- queue belongs to.
create or replace function pawl.read_queues(p_bucket smallint, p_limit int, p_lease int)
returns table (
    queue text, kind text, tenant int, reads_max int, id bigint, reads int, at timestamptz, message jsonb,
    headers jsonb, known boolean, workflow int, version int
)
language plpgsql security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off set jit = off
set lock_timeout = '250ms' as $_$
#variable_conflict use_column
declare
    v_queue record;
    v_any boolean;
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
            continue when pawl.hold_back_messages(v_queue.name, v_queue.tenant, v_queue.kind, v_queue.organizations,
                                                  v_queue.workflow, p_lease);
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
                return query
                select v_queue.name, v_queue.kind, v_queue.tenant, v_queue.reads_max, 0::bigint, 0, now(),
                       to_jsonb(sqlerrm), null::jsonb, false, null::int, null::int;
        end;
    end loop;
end
$_$;
