-- Changes of watched tables, until a matcher makes events of them: what a statement has changed is one row here, so
-- that the statement pays for little more than the text.
-- breaking: no

set local lock_timeout = '5s';

create table pawl.change_batch (
    bucket smallint not null,
    id bigint generated always as identity,
    tenant int not null,
    event text not null,
    -- The beginning of the events' ids, and where they come from.
    prefix text not null,
    source text not null,
    subject_column text,
    -- The moment of the change, not of its transaction.
    at timestamptz not null default clock_timestamp(),
    -- The workflows that led to the changes (pawl.change_chain).
    chain text[],
    count int not null,
    -- What each event says, in order: a list; or for each column the list of its values, with what all events say
    -- beside them.
    changes json not null,
    says jsonb,
    constraint change_batch_pk primary key (bucket, id),
    constraint change_batch_event_fits_check check (octet_length(event) <= 500)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
-- To pack the text would take longer than to write it.
alter table pawl.change_batch alter column changes set storage external;

drop function if exists pawl.plan_many_changes(pawl.watch, regclass, text);
