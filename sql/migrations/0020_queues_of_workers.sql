-- Workers that own nothing use queues too: what touches pgmq runs as the owner of the functions. Looking at queues that
-- are empty costs less.
-- breaking: no

set local lock_timeout = '5s';

-- By the catalog: a name of a schema that somebody may not use is an error elsewhere, and this is asked in the commits
-- of runs.
create or replace function pawl.queue_exists(p_name text) returns boolean
language sql stable set search_path = pg_catalog as $$
    select exists (
        select 1
          from pg_class c
          join pg_namespace n on n.oid = c.relnamespace
         where n.nspname = 'pgmq' and c.relname = lower('q_' || p_name) and has_schema_privilege(n.oid, 'usage')
           and has_table_privilege(c.oid, 'insert, update, delete')
    )
$$;

create or replace function pawl.ensure_queue(p_name text) returns void
language plpgsql security definer set search_path = pg_catalog as $$
begin
    if exists (select 1 from pg_namespace n where n.nspname = 'pgmq') and not pawl.queue_exists(p_name) then
        perform pgmq.create(p_name);
    end if;
exception when others then
    raise warning 'the queue % could not be made: %', p_name, sqlerrm;
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
    v_any boolean;
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

alter function pawl.settle_queue security definer;
alter function pawl.hand_over_dead_runs security definer;
alter function pawl.keep_queue_partitions security definer;
alter function pawl.note_dead_runs security definer;
alter function pawl.keep_triggers security definer;

-- Which pgmq there is, for those who look after it: `pawl doctor`.
create function pawl.queue_provider(out provider text, out usable boolean)
language sql stable security definer set search_path = pg_catalog as $$
    select coalesce(
               (select 'the extension pgmq ' || e.extversion from pg_extension e where e.extname = 'pgmq'),
               (select case when obj_description(n.oid, 'pg_namespace') like '%made by Pawl' then 'made by Pawl'
                            else 'a schema pgmq of somebody else' end
                  from pg_namespace n where n.nspname = 'pgmq'),
               'none'
           ),
           pawl.queue_exists('workflow_queue') and pawl.queue_exists('workflow_dlq')
$$;
