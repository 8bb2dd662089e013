-- A statement that changes a watched table does not fail because the engine could not read what it writes: that is
-- looked at when changes become events, and for most tables it need not be.
-- breaking: no

set local lock_timeout = '5s';

alter table pawl.change_batch add column plain boolean not null default false;
comment on column pawl.change_batch.plain is 'the engine can read all of the changes: they are not looked at for that';

drop function if exists pawl.require_readable(jsonb);
drop function if exists pawl.readable_rows(regclass, text);
