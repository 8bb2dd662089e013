-- A job can be stopped by whoever asked for it, and people want to see those of their tenant.
-- breaking: no

set local lock_timeout = '5s';

alter table pawl.job drop constraint job_status_check;
alter table pawl.job add constraint job_status_check
    check (status in ('queued', 'running', 'done', 'failed', 'cancelled'));
create index job_of_tenant on pawl.job (tenant, created_at desc, id desc);
