-- How the database itself is doing.
create or replace function pawl.figures_of_database() returns table (metric text, labels jsonb, value float8)
language plpgsql stable
set search_path = pg_catalog set jit = off as $$
#variable_conflict use_column
begin
    return query
    select 'pawl_xmin_age_seconds', null::jsonb,
           coalesce(extract(epoch from now() - min(a.xact_start)), 0)::float8
      from pg_stat_activity a where a.backend_xmin is not null and a.pid <> pg_backend_pid()
    union all
    select 'pawl_database_connections', null, count(*)::float8
      from pg_stat_activity a where a.backend_type = 'client backend'
    union all
    select 'pawl_database_connections_max', null, current_setting('max_connections')::float8
    union all
    select 'pawl_database_size_bytes', null, pg_database_size(current_database())::float8
    union all
    select 'pawl_transaction_id_age', null, age(d.datfrozenxid)::float8
      from pg_database d where d.datname = current_database();
    return query
    select m.metric, null::jsonb, m.value
      from pg_stat_database d
     cross join lateral (values
         ('pawl_database_commits_total', d.xact_commit::float8), ('pawl_database_rollbacks_total', d.xact_rollback),
         ('pawl_database_deadlocks_total', d.deadlocks), ('pawl_database_blocks_read_total', d.blks_read),
         ('pawl_database_blocks_hit_total', d.blks_hit)) as m (metric, value)
     where d.datname = current_database();
    return query
    select 'pawl_open_runs', null::jsonb, s.n_live_tup::float8 from pg_stat_user_tables s
     where s.relid = 'pawl.live_run'::regclass;
    return query
    select m.metric, jsonb_build_object('table', t.name), m.value
      from (values ('event'), ('run'), ('live_run'), ('signal'), ('inbox'), ('subscription'), ('human_task'),
                   ('dead_letter')) as t (name)
     cross join lateral (
         select sum(pg_total_relation_size(p.relid))::float8 as bytes, coalesce(sum(s.n_dead_tup), 0)::float8 as dead
           from (select ('pawl.' || t.name)::regclass as relid
                 union
                 select b.relid from pg_partition_tree(('pawl.' || t.name)::regclass) b) as p
           left join pg_stat_user_tables s on s.relid = p.relid) as z
     cross join lateral (values ('pawl_table_bytes', z.bytes), ('pawl_table_dead_rows', z.dead)) as m (metric, value);
    return query
    select 'pawl_partition_weeks_ahead', null::jsonb, count(*)::float8
      from generate_series(1, 8) as w (week)
     where to_regclass('pawl.event_' || to_char(date_trunc('week', now() at time zone 'UTC')
                                                + w.week * interval '1 week', 'YYYYMMDD')) is not null;
    return query
    select 'pawl_replication_lag_bytes', null::jsonb,
           coalesce(max(pg_wal_lsn_diff(pg_current_wal_lsn(), r.replay_lsn)), 0)::float8 from pg_stat_replication r
    union all
    select 'pawl_replication_slot_retained_bytes', null,
           coalesce(max(pg_wal_lsn_diff(pg_current_wal_lsn(), s.restart_lsn)), 0)::float8 from pg_replication_slots s;
end
$$;
