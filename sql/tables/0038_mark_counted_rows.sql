-- Rows of the log say which transaction wrote them only while a workflow is counted (pawl.counted_xid): the index
-- has no entry for the others.
-- breaking: no

set local lock_timeout = '5s';

drop index pawl.event_xid;
create index event_xid on pawl.event using brin (xid) with (pages_per_range = 128) where xid is not null;
