-- name: migrations_exist
select to_regclass('pawl.migration') is not null

-- name: applied_migrations
-- Numbers below zero are the history of a database that was taken over (take_over_migrations).
select number, name, applied_at from pawl.migration where number > 0 order by number

-- name: texts_exist
select to_regclass('pawl.sql_text') is not null

-- name: applied_texts
select path, hash, applied_at from pawl.sql_text order by path

-- name: newer_texts
-- The newest version that has applied a text and is newer than the program's own; empty when there is none.
select coalesce((
    select t.version
      from pawl.sql_text t
     where string_to_array(t.version, '.')::int[] > string_to_array($1, '.')::int[]
     order by string_to_array(t.version, '.')::int[] desc
     limit 1
), '')

-- name: is_old_chain
-- For the script of `pawl migrate sql`, like the next four: what the program finds in the rows.
select exists (select 1 from pawl.migration where number = 1 and name <> $1)

-- name: is_at_baseline
select exists (select 1 from pawl.migration where number = $1 and name = $2)

-- name: has_newer_file
select exists (select 1 from pawl.migration where number > $1)

-- name: is_file_pending
select not exists (select 1 from pawl.migration where number = $1)

-- name: is_text_pending
select not exists (select 1 from pawl.sql_text where path = $1 and hash = $2)

-- name: record_text
insert into pawl.sql_text (path, hash, version) values ($1, $2, $3)
    on conflict (path) do update set hash = excluded.hash, version = excluded.version, applied_at = now(), made = null

-- name: can_see_edits
-- Whether the database knows what was made when a text was applied. A database from before that does not.
select to_regprocedure('pawl.made_of(text[], text[])') is not null
       and exists (select 1 from pg_attribute a
                    where a.attrelid = to_regclass('pawl.sql_text') and a.attname = 'made' and not a.attisdropped)

-- name: edited_texts
-- Texts ($1) whose functions and views ($2) are not as they were when the text was applied.
select t.path
  from pawl.sql_text t
  left join pawl.made_of($1::text[], $2::text[]) m on m.path = t.path
 where t.path = any ($1::text[]) and t.made is not null and t.made is distinct from m.made

-- name: note_made
-- Once all texts ($1) are applied: what their functions and views ($2) look like.
update pawl.sql_text t set made = m.made
  from pawl.made_of($1::text[], $2::text[]) m
 where m.path = t.path and t.made is distinct from m.made

-- name: forget_texts
-- Texts that the program does not have any more: a numbered file dropped what they made.
delete from pawl.sql_text where path <> all ($1::text[])

-- name: take_over_migrations
-- A database at the last migration ($1) before they were drawn together into the baseline: those rows stay as history.
update pawl.migration set number = number - $1 - 1 where number > 0

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

-- name: create_text_table
-- What functions and views are made of, by file: a file whose hash differs is applied again.
create table if not exists pawl.sql_text (
    path text not null,
    hash text not null,
    version text not null,
    applied_at timestamptz not null default now(),
    constraint sql_text_pk primary key (path),
    constraint sql_text_path_fits_check check (octet_length(path) <= 200)
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
-- First in the transaction of its file: of two processes the second fails here and not half-way.
insert into pawl.migration (number, name) values ($1, $2)
