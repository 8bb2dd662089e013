-- The projector groups events of the log before it makes rows of counts of them: log_said has other columns, and
-- log_marks is not needed any more.
-- breaking: no

set local lock_timeout = '5s';

drop function if exists pawl.log_marks(smallint, txid_snapshot, txid_snapshot, uuid[]);
drop function if exists pawl.log_said(smallint, txid_snapshot, txid_snapshot, uuid[]);
