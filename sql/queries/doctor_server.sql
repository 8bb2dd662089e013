-- name: doctor_connections
with seats as (
    select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as max,
           -- What kind they are is hidden from a user that may not read statistics.
           (select count(*) from pg_stat_activity a
             where a.usesysid is not null
               and coalesce(a.backend_type, 'client backend') = 'client backend')::int as used,
           (select r.rolconnlimit from pg_roles r where r.rolname = current_user) as role_max,
           (select count(*) from pg_stat_activity a where a.usename = current_user)::int as role_used,
           (select d.datconnlimit from pg_database d where d.datname = current_database()) as database_max,
           (select count(*) from pg_stat_activity a where a.datname = current_database())::int as database_used
), free as (
    select s.*, least(s.max - s.used,
                      case when s.role_max >= 0 then s.role_max - s.role_used else s.max end,
                      case when s.database_max >= 0 then s.database_max - s.database_used else s.max end) as left
      from seats s
)
select case when f.left < 20 then 'warn' else 'ok' end,
       format('%s of %s are taken, %s are left for this role and database', f.used, f.max, f.left),
       case when f.left < 20
            then 'a worker thread takes up to 15, the API 8: raise max_connections or the role''s limit, or pool'
            else '' end,
       case when f.left < 20 then 'connections_short' else 'connections' end as code,
       jsonb_build_object('used', f.used, 'most', f.max, 'left', f.left) as values
  from free f

-- name: doctor_settings
-- Settings that break a promise, or make the tables swell. Limits that Pawl sets in its own sessions hold there only:
-- reset_val is what other sessions get.
with wrong as (
    select 'fail' as verdict, 'fsync is off: a crash of the machine destroys the database' as detail,
           'alter system set fsync = on; select pg_reload_conf()' as next,
           'fsync_off' as code, '{}'::jsonb as values
     where current_setting('fsync') = 'off'
    union all
    select 'fail', 'full_page_writes is off: a crash in the middle of a write destroys pages',
           'alter system set full_page_writes = on; select pg_reload_conf()', 'full_page_writes_off', '{}'
     where current_setting('full_page_writes') = 'off'
    union all
    select 'fail', format('synchronous_commit is %s: what was acknowledged can be lost in a crash',
                          current_setting('synchronous_commit')),
           format('alter role %I set synchronous_commit = on, or alter system', current_user),
           'synchronous_commit_off', '{}'
     where current_setting('synchronous_commit') = 'off'
    union all
    select 'fail', 'autovacuum is off: tables swell until nothing works', 'alter system set autovacuum = on',
           'autovacuum_off', '{}'
     where current_setting('autovacuum') = 'off'
    union all
    select 'fail', 'track_counts is off: autovacuum does not know what to do', 'alter system set track_counts = on',
           'track_counts_off', '{}'
     where current_setting('track_counts') = 'off'
    union all
    select 'warn', format('autovacuum is off for %s', string_agg(c.oid::regclass::text, ', ')),
           format('alter table %s reset (autovacuum_enabled)', min(c.oid::regclass::text)),
           'tables_not_vacuumed', jsonb_build_object('names', string_agg(c.oid::regclass::text, ', '))
      from pg_class c
     where c.relnamespace = 'pawl'::regnamespace
       and c.reloptions && array['autovacuum_enabled=false', 'autovacuum_enabled=off']
    having count(*) > 0
    union all
    select 'fail', 'transactions are read-only here by default',
           format('alter role %I reset default_transaction_read_only', current_user), 'read_only', '{}'
     where current_setting('default_transaction_read_only') = 'on' and not pg_is_in_recovery()
    union all
    select 'warn', format('default_transaction_isolation is %s', current_setting('default_transaction_isolation')),
           format('alter role %I set default_transaction_isolation = ''read committed''', current_user),
           'isolation', jsonb_build_object('setting', current_setting('default_transaction_isolation'))
     where current_setting('default_transaction_isolation') <> 'read committed'
    union all
    select 'warn', format('%s is %s ms: claims and commits may be cut off', s.name, s.setting),
           format('alter role %I set %s = ''30s'', or 0', current_user, s.name),
           'short_timeout', jsonb_build_object('setting', s.name, 'ms', s.setting)
      from pg_settings s
     where s.name in ('statement_timeout', 'lock_timeout') and s.setting::int between 1 and 4999
    union all
    select 'warn', 'idle_in_transaction_session_timeout is off: a client that forgets a transaction keeps vacuum away',
           'alter system set idle_in_transaction_session_timeout = ''10min''', 'idle_transactions', '{}'
     where (select s.reset_val from pg_settings s where s.name = 'idle_in_transaction_session_timeout') = '0'
)
select * from wrong
union all
select 'ok', 'safe', '', 'settings_safe', '{}' where not exists (select 1 from wrong)

-- name: doctor_server
-- Where this connection leads, and what runs out there.
select 'fail', 'this is a standby: it takes no writes',
       'connect to the primary: target_session_attrs=read-write in DATABASE_URL finds it among several hosts',
       'standby' as code, '{}'::jsonb as values
 where pg_is_in_recovery()
union all
select 'fail', format('none of synchronous_standby_names (%s) is there: commits wait for ever',
                      current_setting('synchronous_standby_names')),
       'bring the standby up, or take it out of synchronous_standby_names',
       'no_sync_standby', jsonb_build_object('names', current_setting('synchronous_standby_names'))
 where current_setting('synchronous_standby_names') not in ('', '""') and not pg_is_in_recovery()
   and current_setting('synchronous_commit') not in ('off', 'local')
   and pg_has_role(current_user, 'pg_read_all_stats', 'usage')
   and not exists (select 1 from pg_stat_replication r where r.sync_state in ('sync', 'quorum'))
union all
select 'warn', format('this user cannot see whether one of synchronous_standby_names (%s) is there',
                      current_setting('synchronous_standby_names')),
       format('grant pg_read_all_stats to %I', current_user),
       'hidden_standbys', jsonb_build_object('names', current_setting('synchronous_standby_names'))
 where current_setting('synchronous_standby_names') not in ('', '""') and not pg_is_in_recovery()
   and not pg_has_role(current_user, 'pg_read_all_stats', 'usage')
union all
select 'warn',
       format('the log is not archived since %s: %s', date_trunc('second', a.last_failed_time), a.last_failed_wal),
       'see the server''s log for what archive_command says; until it works the disk fills',
       'not_archived', jsonb_build_object('since', date_trunc('second', a.last_failed_time), 'file', a.last_failed_wal)
  from pg_stat_archiver a where a.last_failed_time > coalesce(a.last_archived_time, '-infinity')
union all
select 'warn', format('the replication slot %s keeps %s of log on the disk', s.slot_name,
                      pg_size_pretty(pg_wal_lsn_diff(pg_current_wal_lsn(), s.restart_lsn))),
       format('bring its consumer up, or: select pg_drop_replication_slot(%L)', s.slot_name),
       'slot_keeps_log',
       jsonb_build_object('slot', s.slot_name,
                          'size', pg_size_pretty(pg_wal_lsn_diff(pg_current_wal_lsn(), s.restart_lsn)))
  from pg_replication_slots s
 where not pg_is_in_recovery() and not s.active
   and pg_wal_lsn_diff(case when pg_is_in_recovery() then null else pg_current_wal_lsn() end, s.restart_lsn) > 1e9
union all
select case when age(d.datfrozenxid) > 1500000000 then 'fail' else 'warn' end,
       format('%s transactions since the oldest that is not frozen; at 2 billion the server stops',
              age(d.datfrozenxid)),
       'find what holds an old snapshot (above), then: vacuum (freeze, verbose)',
       'not_frozen', jsonb_build_object('count', age(d.datfrozenxid))
  from pg_database d where d.datname = current_database() and age(d.datfrozenxid) > 500000000
union all
select 'warn', format('%s has %s dead rows and %s live ones', s.relname, s.n_dead_tup, s.n_live_tup),
       format('vacuum pawl.%s; if that does not help, a transaction or a replication slot holds an old snapshot',
              s.relname),
       'dead_rows', jsonb_build_object('table', s.relname, 'dead', s.n_dead_tup, 'live', s.n_live_tup)
  from pg_stat_user_tables s
 where s.schemaname = 'pawl' and s.n_dead_tup > 100000 + 5 * s.n_live_tup
union all
select 'ok', 'PostgreSQL ' || current_setting('server_version'), '', 'server',
       jsonb_build_object('version', current_setting('server_version'))

-- name: doctor_roles
-- Tasks of the database's queue, and with them emails and text messages, run as worker_service_user.
select 'warn', 'this user is no member of worker_service_user: emails and tasks of queues are not carried out',
       format('grant worker_service_user to %I', current_user),
       'no_service_user' as code, '{}'::jsonb as values
  from pg_roles r
 where r.rolname = 'worker_service_user' and not pg_has_role(current_user, r.oid, 'member')
