-- What is told about an event beside where it happened. Not immutable, which would be a lie that keeps the planner from
-- writing it out in place.
create or replace function pawl.outbox_data(p_type smallint, p_data jsonb, p_error jsonb) returns jsonb
language sql stable parallel safe
return case p_type
    when 0 then jsonb_build_object('input', p_data -> 'input')
    when 1 then jsonb_build_object('result', p_data)
    when 2 then jsonb_build_object('error', p_error, 'will_retry', coalesce(p_data ? 'retry_at', false))
    when 3 then jsonb_build_object('title', p_data -> 'title', 'assignee', p_data -> 'assignee',
                                   'group', p_data -> 'group', 'error', p_data -> 'error')
    when 4 then jsonb_build_object('status', 'completed', 'output', p_data)
    when 5 then jsonb_build_object('status', 'failed', 'error', p_error)
    when 6 then jsonb_build_object('status', 'cancelled', 'reason', p_data -> 'reason')
    when 7 then jsonb_build_object('key', p_data -> 'emit' -> 'key', 'emitted', p_data -> 'emit' -> 'data')
    when 12 then jsonb_build_object('reason', p_data -> 'reason')
    when 16 then jsonb_build_object('by', p_data -> 'by', 'reason', p_data -> 'reason')
    else '{"more": null}'
end;

-- A message as it is told: {type, timestamp, data}. As text, since it goes out as text. Big results stay where they
-- are; the reader may ask for them. What is stored may be a hundredth of what it says, so the size of that decides
-- only for what is far too big or cannot be.
create or replace function pawl.outbox_text(
    p_row pawl.outbox, p_workflow text, p_node text, p_attempt smallint, p_type smallint, p_data jsonb, p_error jsonb
) returns text
language sql stable parallel safe
return '{"type": ' || to_json((p_row).type) || ', "timestamp": "'
    || to_char((p_row).created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '", "data": '
    || coalesce((p_row).data::text,
                left(json_build_object('run_id', (p_row).run_id, 'seq', (p_row).seq, 'workflow', p_workflow,
                                       'version', (p_row).version, 'subject', (p_row).subject, 'step', p_node,
                                       'attempt', p_attempt)::text, -1)
                || ', ' || case when pg_column_size(p_data) > 100000
                                     or (pg_column_size(p_data) > 64 and octet_length(p_data::text) > 20000)
                                then '"truncated": true}'
                                else substr(pawl.outbox_data(p_type, p_data, p_error)::text, 2) end)
    || '}';

-- The messages of the rows given, in their order.
create or replace function pawl.outbox_messages(p_bucket smallint, p_target int, p_run uuid[], p_seq int[])
returns table (run_id uuid, seq int, message text)
language plpgsql stable set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set enable_material = off set jit = off as $$
begin
    return query
        select u.run_id, u.seq, pawl.outbox_text(o.row, w.name, e.node, e.attempt, e.type, e.data, e.error)
          from unnest(p_run, p_seq) with ordinality as u (run_id, seq, n)
         cross join lateral (
             select x as row, x.workflow from pawl.outbox x
              where x.bucket = p_bucket and x.target = p_target and x.run_id = u.run_id and x.seq = u.seq
             offset 0
         ) as o
          left join lateral (
             select x.node, x.attempt, x.type, x.data, x.error from pawl.event x
              where x.bucket = p_bucket and x.run_id = u.run_id and x.seq = u.seq
             offset 0
         ) as e on true
          left join lateral (select x.name from pawl.workflow x where x.id = o.workflow offset 0) as w on true
         order by u.n;
end
$$;
