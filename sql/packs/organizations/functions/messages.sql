-- What became of the messages of an organization that started no run: those that wait, or are just being read; those
-- that lead to no rule and come again; and those that were given up in the last p_within.
create or replace function pawl.organization_messages(p_tenant int, p_within interval)
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
