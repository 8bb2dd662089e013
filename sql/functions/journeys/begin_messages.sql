-- needs: functions/journeys/apply_facts
-- needs: functions/journeys/inquiries

-- Writes down messages that are about to be sent by a provider that does not recognise a repeat, or does so for some
-- time only, one row for each place of the arrays. p_data as in project_messages, with the `attempt` of the step; where
-- the provider recognises a repeat, `window`, the seconds for which it does, and `together` where it will recognise the
-- call with others instead; and where it can be asked about a message later, `ask_after`, `address` and `text_hash`.
--   outcome  begun: send it. again: send it; an earlier try may have reached the provider, which recognises it.
--            sent: it was sent by an earlier attempt, with this external_id. interrupted: an attempt that was begun did
--            not say how it ended, so that the message may have been sent, and no provider recognises it (any more). It
--            is `unknown` now; the step is to fail as one whose outcome is not known, and a fact settles it.
-- What counts as an earlier attempt: the same or a later one of the same run, since its log says that this one has not
-- ended; a retried run has one only where its message was left in the middle. Called by workers, before each call.
-- Locks the messages in the order of their ids.
create or replace function pawl.begin_messages(
    p_bucket smallint, p_id uuid[], p_tenant int[], p_run uuid[], p_workflow int[], p_version int[], p_node text[],
    p_person text[], p_data jsonb[]
)
returns table (place int, outcome text, external_id text)
language plpgsql set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set jit = off as $$
#variable_conflict use_column
declare
    v_fresh uuid[];
begin
    with fresh as (
        insert into pawl.message (
            bucket, id, tenant, run_id, workflow, version, node, person, channel, connector, account, template,
            template_version, category, attempt, address, text_hash, tried_at, said, state
        )
        select p_bucket, u.id, u.tenant, u.run_id, u.workflow, u.version, u.node,
               case when u.person is not null then pawl.event_key(u.person) end, u.data ->> 'channel',
               u.data ->> 'connector', u.data ->> 'account', u.data ->> 'template',
               (u.data ->> 'template_version')::int, coalesce(u.data ->> 'category', 'marketing'),
               (u.data ->> 'attempt')::smallint, u.data ->> 'address', (u.data ->> 'text_hash')::bigint,
               case when u.data ? 'window' and not u.data ? 'together' then now() end, 1, 1
          from unnest(p_id, p_tenant, p_run, p_workflow, p_version, p_node, p_person, p_data)
               as u (id, tenant, run_id, workflow, version, node, person, data)
         order by u.id
            on conflict (bucket, id) do nothing
        returning id
    )
    select coalesce(array_agg(f.id), '{}') into v_fresh from fresh f;
    if cardinality(v_fresh) = cardinality(p_id) then
        return query select u.place::int, 'begun', null::text from unnest(p_id) with ordinality as u (id, place);
        return;
    end if;
    return query
    select u.place::int, coalesce(a.outcome, 'begun'), a.external_id
      from unnest(p_id) with ordinality as u (id, place)
      left join pawl.begin_again(
          p_bucket, v_fresh, p_id, p_tenant, p_run, p_workflow, p_version, p_node, p_data
      ) as a on a.id = u.id
     order by u.place;
end
$$;

-- The same for messages that are there, but for those that were written just now (p_fresh). Called by begin_messages,
-- with its settings.
create or replace function pawl.begin_again(
    p_bucket smallint, p_fresh uuid[], p_id uuid[], p_tenant int[], p_run uuid[], p_workflow int[], p_version int[],
    p_node text[], p_data jsonb[]
)
returns table (id uuid, outcome text, external_id text)
language plpgsql set search_path = pg_catalog as $$
#variable_conflict use_column
begin
    perform pawl.lock_messages(p_bucket, array(select u.id from unnest(p_id) as u (id) where u.id <> all (p_fresh)));
    return query
    with found as materialized (
        select p_bucket as bucket, u.*, m.heard, m.external_id,
               case when m.state = 3 or m.state > 4 then 'sent'
                    when m.said = 1 and u.data ? 'window' then
                        case when m.connector = u.data ->> 'connector' and m.account = u.data ->> 'account'
                              and m.tried_at > now() - make_interval(secs => (u.data ->> 'window')::double precision)
                             then 'again' else 'interrupted' end
                    when m.said = 1 and (m.run_id <> u.run_id or m.attempt >= u.attempt) then 'interrupted'
                    when m.said = 2 and m.run_id = u.run_id and m.attempt >= u.attempt then 'interrupted'
                    else 'begun' end as outcome
          from (
              select n.id, n.tenant, n.run_id, n.workflow, n.version, n.node, n.data,
                     (n.data ->> 'attempt')::smallint as attempt
                from unnest(p_id, p_tenant, p_run, p_workflow, p_version, p_node, p_data)
                     as n (id, tenant, run_id, workflow, version, node, data)
               where n.id <> all (p_fresh)
          ) as u
         cross join lateral (
             select * from pawl.message x where x.bucket = p_bucket and x.id = u.id and x.tenant + 0 = u.tenant
             offset 0
         ) as m
    ), noted as (
        update pawl.message m
           set said = n.said, state = greatest(n.said, m.heard), attempt = f.attempt, run_id = f.run_id,
               workflow = f.workflow, version = f.version, node = f.node, reason = null, error = null,
               connector = f.data ->> 'connector', account = f.data ->> 'account',
               address = coalesce(f.data ->> 'address', m.address),
               text_hash = case f.outcome when 'begun' then (f.data ->> 'text_hash')::bigint else m.text_hash end,
               tried_at = case when f.outcome <> 'begun' then m.tried_at
                               when f.data ? 'window' and not f.data ? 'together' then now() end
          from found f
         cross join lateral (
             select case when f.outcome = 'interrupted' then 2 else 1 end::smallint as said
         ) as n
         where m.bucket = f.bucket and m.id = f.id and f.outcome <> 'sent'
    ), settled as (
        insert into pawl.message_settled (bucket, id, run_id)
        select p_bucket, f.id, f.run_id from found f where f.outcome = 'interrupted' and f.heard > 2
            on conflict do nothing
    )
    select f.id, f.outcome, f.external_id from found f;
    perform pawl.plan_inquiries(p_bucket, p_id, p_tenant, p_data);
end
$$;

-- Takes back what begin_messages wrote: the provider certainly did not take the message, and the step tries again
-- later. One that something is known of stays, as not known from an attempt before. Called by workers.
create or replace function pawl.release_messages(p_bucket smallint, p_id uuid[]) returns void
language plpgsql set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set jit = off as $$
begin
    perform pawl.lock_messages(p_bucket, p_id);
    delete from pawl.message m
     using (select p_bucket as bucket, n.id from unnest(p_id) as n (id) order by n.id offset 0) as u
     where m.bucket = u.bucket and m.id = u.id and m.said = 1 and m.heard = 0;
    update pawl.message m
       set said = 2, state = greatest(2, m.heard), attempt = m.attempt - 1
      from (select p_bucket as bucket, n.id from unnest(p_id) as n (id) order by n.id offset 0) as u
     where m.bucket = u.bucket and m.id = u.id and m.said = 1;
end
$$;
