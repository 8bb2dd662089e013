-- Looks again for the messages of facts that found none, p_limit of each kind at most: the commit of such a message
-- may have been under way when the fact came, and neither has seen the other. A fact is looked at once
-- more when every transaction of that time has ended; after that, project_messages finds it. Called by match_inbox.
-- Locks messages before facts, as project_messages does. Returns how many were matched.
create or replace function pawl.match_facts(p_bucket smallint, p_limit int) returns int
language plpgsql set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set jit = off as $$
declare
    v_message uuid[];
    v_row tid[];
    v_pending bigint[];
begin
    select array_agg(l.id) into v_pending
      from (
          (select p.id from pawl.fact_pending p where p.bucket = p_bucket and p.horizon is null limit p_limit)
          union all
          (select p.id from pawl.fact_pending p
            where p.bucket = p_bucket and p.horizon <= pg_snapshot_xmin(pg_current_snapshot())
            limit p_limit)
      ) as c
     cross join lateral (
         select q.id from pawl.fact_pending q where q.bucket = p_bucket and q.id = c.id offset 0 for update skip locked
     ) as l;
    if v_pending is null then
        return 0;
    end if;
    select array_agg(f.row_id order by f.message), array_agg(f.message order by f.message) into v_row, v_message
      from pawl.find_pending(p_bucket, v_pending) as f;
    delete from pawl.fact_pending p
     where p.bucket = p_bucket and p.id = any (v_pending) and p.horizon is not null;
    -- The next id that a transaction gets: those that are open now have lower ones.
    update pawl.fact_pending p
       set horizon = pg_snapshot_xmax(pg_current_snapshot())
     where p.bucket = p_bucket and p.id = any (v_pending);
    if v_row is null then
        return 0;
    end if;
    perform pawl.lock_messages(p_bucket, v_message);
    return pawl.give_facts(p_bucket, v_row, v_message);
end
$$;

-- Facts that wait and the messages that they are about, where these are there now. Called by match_facts, with its
-- settings.
create or replace function pawl.find_pending(p_bucket smallint, p_pending bigint[])
returns table (row_id tid, message uuid)
language plpgsql stable set search_path = pg_catalog as $$
#variable_conflict use_column
begin
    return query
    select f.row_id, coalesce(n.id, x.id)
      from pawl.fact_pending p
     cross join lateral (
         select h.ctid as row_id, h.external_id, h.message_id
           from pawl.message_fact h
          where h.bucket = p_bucket and h.tenant = p.tenant and h.connector = p.connector and h.account = p.account
            and h.provider_event_id = p.provider_event_id and h.message is null
         offset 0
     ) as f
      left join lateral (
          select m.id from pawl.message m where m.bucket = p_bucket and m.id = f.message_id and m.tenant + 0 = p.tenant
          offset 0
      ) as n on true
      left join lateral (
          select m.id from pawl.message m
           where m.external_id = f.external_id and m.tenant + 0 = p.tenant and m.bucket + 0 = p_bucket
             and m.connector = p.connector and m.account = p.account
           order by m.created_at + interval '0' desc
           limit 1
      ) as x on true
     where p.bucket = p_bucket and p.id = any (p_pending) and coalesce(n.id, x.id) is not null;
end
$$;

-- Whether a workflow of the tenant starts by events of this name, or may wait for them.
create or replace function pawl.wants_event(p_tenant int, p_event text) returns boolean
language plpgsql stable set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set jit = off as $$
begin
    return exists (select 1 from pawl.event_trigger t where t.tenant = p_tenant and t.event = p_event)
        or exists (
               select 1
                 from pawl.workflow w
                cross join lateral (
                    select 1 from pawl.event_wait e where e.workflow = w.id and e.event in (p_event, '*') offset 0
                ) as e
                where w.tenant = p_tenant
           );
end
$$;
