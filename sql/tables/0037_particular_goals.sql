-- Goals with a key or a filter count whether their run has ended or not. What a run's are, its log says.
-- breaking: no

set local lock_timeout = '5s';

-- Goals of runs that hang on more than the event and the person. `key` is a hash of the event's key
-- (pawl.person_number); by_person: it is that of the run's subject.
create table pawl.goal_watch (
    run_id uuid not null,
    at timestamptz not null,
    until timestamptz not null default 'infinity',
    key bigint not null,
    tenant int not null,
    workflow int not null,
    version int not null,
    bucket smallint not null,
    by_person boolean not null,
    goal text not null,
    event text not null,
    filter jsonb,
    constraint goal_watch_pk primary key (bucket, run_id, goal),
    constraint goal_watch_goal_fits_check check (octet_length(goal) <= 500),
    constraint goal_watch_event_fits_check check (octet_length(event) <= 500)
);
create index goal_watch_key on pawl.goal_watch (tenant, event, key);
create index goal_watch_until on pawl.goal_watch (until);

-- Events that may be such a goal, until the projector has held them against its filter. `id` is that of the inbox.
create table pawl.goal_doubt (
    run_id uuid not null,
    id bigint not null,
    tenant int not null,
    bucket smallint not null,
    goal text not null,
    constraint goal_doubt_pk primary key (bucket, run_id, goal, id),
    constraint goal_doubt_goal_fits_check check (octet_length(goal) <= 500)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
