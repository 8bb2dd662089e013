-- A schedule may start runs for all that a query gives: at each slot a job reads them, and then starts their runs.
-- breaking: no

set local lock_timeout = '5s';

alter table pawl.schedule add column audience text;
alter table pawl.schedule add column local_time text;
comment on column pawl.schedule.audience is 'the query for whom a slot starts runs; null: a slot starts one run';

alter table pawl.job add column schedule int;
alter table pawl.job add column slot timestamptz;
-- The last subject of an audience whose run was started.
alter table pawl.job add column cursor_text text;
alter table pawl.job drop constraint job_kind_check;
alter table pawl.job add constraint job_kind_check check (kind in ('replay', 'bulk', 'audience'));
alter table pawl.job drop constraint job_status_check;
alter table pawl.job add constraint job_status_check
    check (status in ('queued', 'running', 'paused', 'done', 'failed', 'cancelled'));
-- One job for a slot, whichever scheduler looks at it.
create unique index job_slot on pawl.job (schedule, slot) where schedule is not null;

-- Who is in an audience that was read, until their runs are started.
create table pawl.audience_member (
    job uuid not null,
    tenant int not null,
    subject text collate "C" not null,
    data jsonb not null,
    constraint audience_member_pk primary key (job, subject),
    constraint audience_member_subject_check check (octet_length(subject) between 1 and 500)
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 10000);

drop function if exists pawl.cron_triggers(jsonb);
