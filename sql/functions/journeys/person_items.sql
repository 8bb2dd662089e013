-- needs: functions/journeys/message_names

-- Messages to a person, what became of them, and what the person did that belongs to none (a reply, a follow), newest
-- first, from before (p_at, p_kind, p_id) on. An old message may have a new fact, so all messages of the person are
-- looked at. Called by the API.
create or replace function pawl.person_items(
    p_bucket smallint, p_tenant int, p_person text, p_at timestamptz, p_kind text, p_id text, p_limit int
)
returns table (kind text, at timestamptz, id text, entry jsonb)
language plpgsql stable set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set jit = off as $$
#variable_conflict use_column
begin
    return query
    select i.kind, i.at, i.id, i.entry
      from (
          select 'message' as kind, m.created_at as at, m.id::text collate "C" as id, jsonb_build_object(
                     'message_id', m.id, 'run_id', m.run_id, 'workflow', w.name, 'node', m.node, 'channel', m.channel,
                     'connector', m.connector, 'account', m.account, 'template', m.template, 'category', m.category,
                     'state', pawl.message_state_name(m.state), 'reason', m.reason, 'error', m.error,
                     'external_id', m.external_id
                 ) as entry
            from pawl.message m
            left join pawl.workflow w on w.id = m.workflow
           where m.tenant = p_tenant and m.person = pawl.event_key(p_person) and m.bucket + 0 = p_bucket
           union all
          select 'fact', f.at, (f.connector || '/' || f.account || '/' || f.provider_event_id) collate "C",
                 jsonb_build_object(
                     'fact', f.kind, 'message_id', m.id, 'run_id', m.run_id, 'workflow', w.name, 'node', m.node,
                     'channel', m.channel, 'connector', f.connector, 'account', f.account, 'machine', f.machine,
                     'detail', f.detail
                 )
            from pawl.message m
           cross join lateral (
               select * from pawl.message_fact x where x.bucket = p_bucket and x.message = m.id offset 0
           ) as f
            left join pawl.workflow w on w.id = m.workflow
           where m.tenant = p_tenant and m.person = pawl.event_key(p_person) and m.bucket + 0 = p_bucket
           union all
          select 'fact', f.at, (f.connector || '/' || f.account || '/' || f.provider_event_id) collate "C",
                 jsonb_build_object(
                     'fact', f.kind, 'message_id', null, 'run_id', null, 'workflow', null, 'node', null,
                     'channel', f.channel, 'connector', f.connector, 'account', f.account, 'machine', f.machine,
                     'detail', f.detail
                 )
            from pawl.message_fact f
           where f.tenant = p_tenant and f.person = pawl.event_key(p_person) and f.message is null
             and f.bucket + 0 = p_bucket
      ) as i
     where p_at is null or (i.at, i.kind, i.id) < (p_at, p_kind, p_id collate "C")
     order by i.at desc, i.kind desc, i.id desc
     limit p_limit;
end
$$;
