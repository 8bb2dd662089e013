-- Steps to settle: messages whose send had an unknown outcome, and what facts have proved since. One that is being sent
-- comes after half a minute, if its step has not ended by itself: the fact was quicker than its commit, or the outcome
-- could not be noted. No node: the step went on by itself. Rows stay until drop_settled, so that none is lost with the
-- process that settles them. Called by servers.
create or replace function pawl.settled_messages(p_bucket smallint, p_limit int)
returns table (
    id uuid, run_id uuid, tenant int, node text, state text, channel text, connector text, account text, category text,
    template text, template_version int, external_id text
)
language plpgsql stable set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set jit = off as $$
#variable_conflict use_column
begin
    return query
    select s.id, s.run_id, m.tenant, m.node, pawl.message_state_name(m.state), m.channel, m.connector, m.account,
           m.category, m.template, m.template_version, m.external_id
      from pawl.message_settled s
      left join lateral (
          select * from pawl.message x where x.bucket = p_bucket and x.id = s.id and x.said in (1, 2) offset 0
      ) as m on true
     where s.bucket = p_bucket and (m.said is distinct from 1 or m.created_at < now() - interval '30 seconds')
     order by s.bucket, s.id
     limit p_limit;
end
$$;

-- What a person says of a message whose outcome is unknown: that it was sent, or was not (p_reason: why). Only facts of
-- the provider say more. False: its outcome is known, or there is no such message of the tenant. Called by servers,
-- before the step is settled.
create or replace function pawl.settle_message(
    p_bucket smallint, p_tenant int, p_message uuid, p_sent boolean, p_reason text
) returns boolean
language plpgsql set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set jit = off as $$
declare
    v_said constant smallint := case when p_sent then 3 else 4 end;
    v_message pawl.message;
begin
    update pawl.message m
       set said = v_said, state = greatest(v_said, m.heard), error = case when not p_sent then p_reason end,
           sent_at = case when p_sent then coalesce(m.sent_at, now()) else m.sent_at end,
           failed_at = case when not p_sent then coalesce(m.failed_at, now()) else m.failed_at end
     where m.bucket = p_bucket and m.id = p_message and m.tenant = p_tenant and m.said in (1, 2)
    returning m.* into v_message;
    if not found then
        return false;
    end if;
    if not p_sent then
        perform pawl.release_reservations(p_bucket, array[p_tenant], array[v_message.person], array[v_message.channel],
                                          array[v_message.address], array[p_message]);
    end if;
    return true;
end
$$;

-- Deletes about p_limit messages that are older than p_keep, with their facts, the oldest of each tenant first; facts
-- about no message that are as old; and facts about a message that did not come within a day. Returns how many rows
-- went. Called by retain, for one bucket after the other.
create or replace function pawl.purge_messages(p_bucket smallint, p_keep interval, p_limit int) returns bigint
language plpgsql set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set jit = off as $$
declare
    v_id uuid[];
    v_gone bigint;
    v_count bigint;
begin
    select array_agg(x.id) into v_id
      from (
          select m.id
            from pawl.tenant t
           cross join lateral (
               select h.id
                 from pawl.message h
                where h.tenant = t.id and h.created_at < now() - p_keep and h.bucket + 0 = p_bucket
                order by h.created_at, h.id
                limit p_limit
           ) as m
           where t.bucket = p_bucket
           limit p_limit
      ) as x;
    delete from pawl.message_fact f
     using (select p_bucket as bucket, n.id from unnest(v_id) as n (id) offset 0) as u
     where f.bucket = u.bucket and f.message = u.id;
    delete from pawl.message_settled s
     using (select p_bucket as bucket, n.id from unnest(v_id) as n (id) offset 0) as u
     where s.bucket = u.bucket and s.id = u.id;
    delete from pawl.message m
     using (select p_bucket as bucket, n.id from unnest(v_id) as n (id) offset 0) as u
     where m.bucket = u.bucket and m.id = u.id;
    get diagnostics v_gone = row_count;
    delete from pawl.message_fact f
     where f.ctid = any (array(
           select x.ctid from pawl.message_fact x
            where x.bucket = p_bucket and x.received_at < now() - interval '1 day'
              and x.message is null and coalesce(x.message_id::text, x.external_id) is not null
            order by x.received_at
            limit p_limit
       )) and f.message is null;
    get diagnostics v_count = row_count;
    v_gone := v_gone + v_count;
    delete from pawl.message_fact f
     where f.ctid = any (array(
           select x.ctid from pawl.message_fact x
            where x.bucket = p_bucket and x.received_at < now() - p_keep
              and x.message is null and coalesce(x.message_id::text, x.external_id) is null
            order by x.received_at
            limit p_limit
       )) and f.message is null;
    get diagnostics v_count = row_count;
    return v_gone + v_count;
end
$$;

-- The same for all buckets. Called by retain, as its owner.
create or replace function pawl.sweep_messages(p_keep interval, p_batch int) returns bigint
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
    return (
        select coalesce(sum(pawl.purge_messages(b.bucket, p_keep, p_batch)), 0)
          from (select distinct t.bucket from pawl.tenant t) as b
    );
end
$$;
