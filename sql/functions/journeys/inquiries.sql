-- Has the providers of messages asked that are unknown, where they can be: `ask_after` in p_data says in how many
-- seconds. One that is asked about already is asked anew: another attempt may have become unknown. Called by
-- begin_again and project_messages, with their settings.
create or replace function pawl.plan_inquiries(p_bucket smallint, p_id uuid[], p_tenant int[], p_data jsonb[])
returns void
language plpgsql set search_path = pg_catalog as $$
begin
    insert into pawl.message_inquiry (bucket, id, tenant, due_at)
    select p_bucket, u.id, u.tenant, now() + make_interval(secs => (u.data ->> 'ask_after')::double precision)
      from (
          select n.id, n.tenant, n.data
            from unnest(p_id, p_tenant, p_data) as n (id, tenant, data)
           where n.data ? 'ask_after'
           order by n.id
      ) as u
     cross join lateral (
         select 1 as one
           from pawl.message m
          where m.bucket = p_bucket and m.id = u.id and m.tenant + 0 = u.tenant and m.said = 2 and m.heard < 3
         offset 0
     ) as m
        on conflict (bucket, id) do update
       set due_at = excluded.due_at, created_at = excluded.created_at, tries = 0;
end
$$;

-- Inquiries that are due, p_limit at most: each is this process's for the time of p_lease, and another's after that.
-- Those about messages that are not unknown any more go. begun_at: before the first attempt. Called by servers.
create or replace function pawl.take_inquiries(p_bucket smallint, p_limit int, p_lease interval)
returns table (
    id uuid, tenant int, run_id uuid, node text, connector text, account text, address text, text_hash bigint,
    begun_at timestamptz, tries int, asked_since timestamptz
)
language plpgsql set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off as $$
#variable_conflict use_column
declare
    v_id uuid[];
begin
    select array_agg(l.id) into v_id
      from (
          select q.id from pawl.message_inquiry q
           where q.bucket = p_bucket and q.due_at <= now()
           order by q.due_at
           limit p_limit
             for update skip locked
      ) as l;
    if v_id is null then
        return;
    end if;
    delete from pawl.message_inquiry q
     where q.bucket = p_bucket and q.id = any (v_id)
       and not exists (select 1 from pawl.message m
                        where m.bucket = p_bucket and m.id = q.id and m.said = 2 and m.heard < 3);
    return query
    with taken as (
        update pawl.message_inquiry q
           set due_at = now() + p_lease, tries = q.tries + 1
         where q.bucket = p_bucket and q.id = any (v_id)
        returning q.id, q.tries, q.created_at
    )
    select t.id, m.tenant, m.run_id, m.node, m.connector, m.account, m.address, m.text_hash, m.created_at, t.tries,
           t.created_at
      from taken t
     cross join lateral (select * from pawl.message x where x.bucket = p_bucket and x.id = t.id offset 0) as m
     order by t.created_at, t.id;
end
$$;
