-- How many runs began and ended, by minute and by hour: to count them each time would read all of them.
-- breaking: no

set local lock_timeout = '5s';

create table pawl.run_rate (
    tenant int not null,
    workflow int not null,
    -- Minutes that a row is about: 1 or 60.
    step smallint not null,
    at timestamptz not null,
    started bigint not null,
    completed bigint not null,
    failed bigint not null,
    cancelled bigint not null,
    constraint run_rate_pk primary key (tenant, step, at, workflow),
    constraint run_rate_step_check check (step in (1, 60))
);
create index run_rate_old on pawl.run_rate (step, at);

-- Until when runs were counted.
alter table pawl.figures add column rated_until timestamptz;

-- Runs that ended lately stand together: they were written one after another. Not autosummarize, as for pawl.event:
-- pawl.rate_runs has the new pages summarised first.
create index run_closed on pawl.run using brin (closed_at) with (pages_per_range = 4);
