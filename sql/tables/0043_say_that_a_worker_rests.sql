-- A worker that was told to drain is drained when it has said so, not when it held no run before it heard of it.
-- breaking: no

set local lock_timeout = '5s';

-- What the worker said last: that it takes no more runs.
alter table pawl.worker add column resting boolean not null default false;
