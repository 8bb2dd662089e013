-- The log of journeys lists what happened in order, also what was committed at once.
-- breaking: no

set local lock_timeout = '5s';

-- When the step of the message ended, in the order of the events of its run: ten microseconds for each event before it.
alter table pawl.message add column ended_at timestamptz;
