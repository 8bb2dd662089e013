-- A workflow may have several goals, each with a name.
-- breaking: no

set local lock_timeout = '5s';

alter table pawl.goal add column name text;
update pawl.goal set name = event;
alter table pawl.goal alter column name set not null;
-- It hangs on more than the event and its person: only the run itself can tell.
alter table pawl.goal add column particular boolean not null default false;
alter table pawl.goal drop constraint goal_pk;
alter table pawl.goal add constraint goal_pk primary key (workflow, version, name);
alter table pawl.goal add constraint goal_name_fits_check check (octet_length(name) <= 500);

-- As every table that grows.
alter table pawl.goal_entry drop constraint goal_entry_pk;
alter table pawl.goal_entry add constraint goal_entry_pk primary key (bucket, tenant, workflow, person, run_id);
