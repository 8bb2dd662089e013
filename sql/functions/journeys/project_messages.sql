-- needs: functions/journeys/erase
-- needs: functions/journeys/inquiries

-- Writes the messages of steps, in the transaction of their commit. p_data of each: state (skipped, sending, unknown,
-- sent, failed), channel, category, and connector, account, template, template_version, variant, address, external_id,
-- reason, error (or detail: what is wrong with one that is skipped), test (of no run), seq (of the event that ended the
-- step: what one commit ended keeps its order) where there are any. A message that is there is changed: what the engine
-- says last counts, and nothing that is known gets lost; one that was begun and is skipped now may have been sent, and
-- is `unknown`, and its provider is asked where that can be (`ask_after`). Facts that came before are matched, and a
-- person who was erased meanwhile is left out. Called by workers, and by servers for tests. Locks the messages in the
-- order of their ids.
create or replace function pawl.project_messages(
    p_bucket smallint, p_id uuid[], p_tenant int[], p_run uuid[], p_workflow int[], p_version int[], p_node text[],
    p_person text[], p_data jsonb[]
) returns void
language plpgsql set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set jit = off as $$
begin
    if coalesce(cardinality(p_id), 0) = 0 then
        return;
    end if;
    insert into pawl.message as m (
        bucket, id, tenant, run_id, workflow, version, node, person, channel, connector, account, template,
        template_version, variant, category, address, external_id, said, state, reason, error, sent_at, failed_at,
        ended_at, test
    )
    select p_bucket, u.id, u.tenant, u.run_id, u.workflow, u.version, u.node,
           case when u.person is not null then pawl.event_key(u.person) end, u.data ->> 'channel',
           u.data ->> 'connector', u.data ->> 'account', u.data ->> 'template', (u.data ->> 'template_version')::int,
           u.data ->> 'variant', coalesce(u.data ->> 'category', 'marketing'), u.data ->> 'address',
           case when u.data ->> 'external_id' <> '' then pawl.event_key(u.data ->> 'external_id') end,
           u.state, u.state, u.data ->> 'reason', coalesce(u.data ->> 'error', u.data ->> 'detail'),
           case u.state when 3 then now() end, case u.state when 4 then now() end,
           now() + (u.data ->> 'seq')::int * interval '10 microseconds',
           coalesce((u.data ->> 'test')::boolean, false)
      from (
          select n.*, pawl.message_state(n.data ->> 'state') as state
            from unnest(p_id, p_tenant, p_run, p_workflow, p_version, p_node, p_person, p_data)
                 as n (id, tenant, run_id, workflow, version, node, person, data)
          -- The state is found once, not for each column that it says something about.
          offset 0
      ) as u
     order by u.id
        on conflict (bucket, id) do update
       set said = case when m.said = 1 and excluded.said = 0 then 2 else excluded.said end,
           state = greatest(case when m.said = 1 and excluded.said = 0 then 2 else excluded.said end, m.heard),
           reason = excluded.reason, error = excluded.error,
           connector = coalesce(excluded.connector, m.connector), account = coalesce(excluded.account, m.account),
           address = coalesce(excluded.address, m.address),
           external_id = coalesce(excluded.external_id, m.external_id),
           sent_at = least(m.sent_at, excluded.sent_at),
           failed_at = least(m.failed_at, excluded.failed_at), ended_at = excluded.ended_at
     where m.tenant = excluded.tenant;
    perform pawl.release_reservations(
        p_bucket, array_agg(u.tenant), array_agg(u.person), array_agg(u.data ->> 'channel'),
        array_agg(u.data ->> 'address'), array_agg(u.id)
    )
       from unnest(p_id, p_tenant, p_person, p_data) as u (id, tenant, person, data)
      where u.data ->> 'state' in ('skipped', 'failed')
     having count(*) > 0;
    perform pawl.adopt_facts(p_bucket, p_id);
    if exists (select 1 from pawl.person p where p.erased_at > now() - interval '1 hour')
       or exists (select 1 from unnest(p_data) as u (data) where u.data ->> 'reason' = 'no_person') then
        perform pawl.forget_late_messages(p_bucket, p_id, p_tenant, p_person);
    end if;
    if exists (select 1 from unnest(p_data) as u (data) where u.data ? 'ask_after') then
        perform pawl.plan_inquiries(p_bucket, p_id, p_tenant, p_data);
    end if;
end
$$;

-- Gives messages the facts that came before them, and does what follows from these. Called by project_messages, with
-- its settings; the messages are locked. An update that finds that a fact has got its message meanwhile leaves it.
create or replace function pawl.adopt_facts(p_bucket smallint, p_message uuid[]) returns void
language plpgsql set search_path = pg_catalog as $$
declare
    v_message uuid[];
    v_row tid[];
begin
    -- Most often none waits, and to look for those of each message takes long.
    if not exists (
        select 1 from pawl.message_fact f
         where f.bucket = p_bucket and f.message is null and coalesce(f.message_id::text, f.external_id) is not null
    ) then
        return;
    end if;
    select array_agg(f.message), array_agg(f.row_id) into v_message, v_row
      from (
          select m.id as message, x.row_id
            from unnest(p_message) as u (id)
           cross join lateral (
               select h.id, h.tenant, h.connector, h.account, h.external_id
                 from pawl.message h where h.bucket = p_bucket and h.id = u.id
               offset 0
           ) as m
           cross join lateral (
               select f.ctid as row_id
                 from pawl.message_fact f
                where f.message_id = m.id and f.message is null and f.bucket + 0 = p_bucket and f.tenant + 0 = m.tenant
               union all
               select f.ctid
                 from pawl.message_fact f
                where f.external_id = m.external_id and f.message is null and f.tenant + 0 = m.tenant
                  and f.bucket + 0 = p_bucket and f.connector = m.connector and f.account = m.account
           ) as x
      ) as f;
    if v_row is not null then
        perform pawl.give_facts(p_bucket, v_row, v_message);
    end if;
end
$$;
