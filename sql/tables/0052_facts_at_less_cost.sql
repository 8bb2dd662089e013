-- A webhook costs less: facts are found by the event, which differs from row to row, before the names that are the same
-- in most of them; and a page of messages has room for a second version of each, so that a batch of facts about
-- messages that were sent together changes no index.
-- breaking: no

set local lock_timeout = '5s';

alter table pawl.message_fact
    drop constraint message_fact_pk,
    add constraint message_fact_pk primary key (bucket, provider_event_id, tenant, connector, account);

-- Where a table is small, two indexes that begin with the bucket cost the same, and the newer one is taken: this one
-- has to serve look-ups by the message.
drop index pawl.message_fact_message;
create index message_fact_message on pawl.message_fact (bucket, message, at) where message is not null;

alter table pawl.message set (fillfactor = 50);

-- It returns an array.
drop function if exists pawl.fact_marks(text, boolean);
