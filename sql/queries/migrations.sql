-- name: migrations_exist
select to_regclass('pawl.migration') is not null

-- name: applied_migrations
select number, name, applied_at from pawl.migration order by number

