-- name: begin_transaction
begin

-- name: begin_read_only
begin read only

-- name: abort_transaction
-- What comes after it in this transaction is read by the server, and not looked at any further.
select 1 / 0

-- name: commit_transaction
commit

-- name: discard_session
-- Settings, locks and temporary tables that a statement of a user has left behind are not for the next one.
discard all

-- name: limit_transaction
-- For this transaction: how long a statement and a lock may take, and how its values are written. A statement whose
-- worker died ends where the server can look for that, which is not everywhere.
select set_config('statement_timeout', $1, true), set_config('lock_timeout', $1, true),
       set_config('idle_in_transaction_session_timeout', $2, true), set_config('datestyle', 'ISO, YMD', true),
       set_config('bytea_output', 'hex', true), set_config('extra_float_digits', '1', true),
       case when version() like '%linux%' then set_config('client_connection_check_interval', '2000', true) end

-- name: become_role
select set_config('role', $1, true)

-- name: begin_sql_effect
select pawl.begin_sql_effect($1, $2, $3, $4, $5)

-- name: end_sql_effect
select pawl.end_sql_effect($1, $2, $3, $4)

-- name: add_sql_pages
select pawl.add_sql_pages($1, $2, $3, $4, $5)

-- name: read_sql_page
select pawl.read_sql_page($1, $2, $3, $4, $5)

-- name: end_backend
-- Every name in full: a login may have a search path of its own making.
select pg_catalog.pg_terminate_backend(a.pid, 3000)
  from pg_catalog.pg_stat_activity a
 where a.pid operator(pg_catalog.=) $1 and a.usename operator(pg_catalog.=) session_user

-- name: purge_sql_effects
select pawl.purge_sql_effects($1, $2)

-- name: tenant_name
select t.name from pawl.tenant t where t.id = $1

-- name: check_condition
select pawl.check_condition($1, $2, $3, $4, $5, $6, $7)
