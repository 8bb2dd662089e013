-- A watched table pays for each row that a workflow wants: the check of the batch was read anew by every statement. The
-- event is that of the watch, which is checked there.
-- breaking: no

set local lock_timeout = '5s';

alter table pawl.change_batch drop constraint change_batch_event_fits_check;
