-- The first tenant's queues come first: it is the one that runs the service. What a tenant has made of a queue of its
-- own (times that are none, a lock that it holds) costs it the figures of that queue, and no others theirs.
create or replace function pawl.figures_of_queues()
returns table (metric text, labels jsonb, value double precision)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off set jit = off
set lock_timeout = '100ms'
as $_$
#variable_conflict use_column
declare
    c_locked_max constant int := 10;
    v_queue text;
    v_locked int := 0;
begin
    begin
        return query
        with due as (
            select t.scheduled_at from queues.task t
             where t.dequeued_at is null and t.scheduled_at <= now() order by t.scheduled_at limit 10000
        )
        select 'pawl_tasks_due', null::jsonb, count(*)::float8 from due
        union all
        select 'pawl_oldest_task_age_seconds', null,
               coalesce(extract(epoch from now() - min(d.scheduled_at) filter (where isfinite(d.scheduled_at))), 0)
                   ::float8 from due d;
    exception when others then
        null;
    end;
    if to_regnamespace('pgmq') is null or not has_schema_privilege('pgmq', 'usage') then
        return;
    elsif to_regclass('pgmq.meta') is null or not has_table_privilege('pgmq.meta', 'select') then
        return;
    end if;
    for v_queue in
        select m.queue_name::text
          from pgmq.meta m
         order by exists (select 1 from pawl.queue q where q.name = m.queue_name::text and q.tenant <> 1), 1
         limit 100
    loop
        begin
            return query execute format(
                'with head as (select q.enqueued_at from pgmq.%1$I q order by q.msg_id limit 10000)
                 select ''pawl_queue_messages'', %2$L::jsonb, count(*)::float8 from head
                 union all
                 select ''pawl_queue_oldest_age_seconds'', %2$L::jsonb,
                        coalesce(extract(epoch from now() - min(h.enqueued_at) filter (where isfinite(h.enqueued_at))),
                                 0)::float8 from head h',
                'q_' || lower(v_queue), jsonb_build_object('queue', v_queue));
        exception
            when lock_not_available then
                v_locked := v_locked + 1;
                exit when v_locked >= c_locked_max;
            when others then
                continue;
        end;
    end loop;
end
$_$;
