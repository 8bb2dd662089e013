-- Providers that can be asked whether they have a message are asked about those whose outcome is unknown.
-- breaking: no

set local lock_timeout = '5s';

-- Recognises the text of a message in what its provider lists; only of messages that it can be asked about.
alter table pawl.message add column text_hash bigint;

-- Messages with an unknown outcome that their provider is asked about, and when next. `due_at` is also the end of the
-- lease of the process that asks.
create table pawl.message_inquiry (
    due_at timestamptz not null,
    created_at timestamptz not null default now(),
    id uuid not null,
    tenant int not null,
    tries int not null default 0,
    bucket smallint not null,
    constraint message_inquiry_pk primary key (bucket, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
create index message_inquiry_due on pawl.message_inquiry (bucket, due_at);
