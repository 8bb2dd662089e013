-- name: migrations_exist
select to_regclass('pawl.migration') is not null

-- name: applied_migrations
select number, name, applied_at from pawl.migration order by number

-- name: lock_migration_table
-- One migration at a time. Only the owner may take this lock; others may read what was applied meanwhile. It ends with
-- the transaction, so poolers and crashes do no harm.
lock table pawl.migration in share row exclusive mode

-- name: create_schema
create schema if not exists pawl

-- name: create_migration_table
create table if not exists pawl.migration (
    number int not null,
    name text not null,
    applied_at timestamptz not null default now(),
    constraint migration_pk primary key (number)
)

-- name: owner_changed
-- A dump that was restored under another owner: the policies are for the old one, and the new one sees no row.
select exists (
    select 1 from pg_class c
     where c.oid = to_regclass('pawl.migration') and c.relrowsecurity
       and not (select r.rolsuper from pg_roles r where r.oid = c.relowner)
       and not exists (select 1 from pg_policy y
                        where y.polrelid = c.oid and y.polname = 'owner' and c.relowner = any (y.polroles))
)

-- name: secure_schema
-- After every migration: roles, policies and grants for the tables and functions there are.
select secure from pawl.secure()

-- name: record_migration
-- First in the transaction of its migration: whoever comes second fails here and not half-way.
insert into pawl.migration (number, name) values ($1, $2)
