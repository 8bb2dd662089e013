-- Runs are found by their error and their data: the functions behind lists and counts take more.
-- breaking: no

set local lock_timeout = '5s';

-- What the previous release asks is answered by the new ones, with the defaults of what they take in addition.
drop function if exists pawl.list_open_runs(smallint, int, text, text[], text, text, uuid, uuid, int, int);
drop function if exists pawl.list_closed_runs(smallint, int, text, text[], text, text, uuid, uuid, int, int);
drop function if exists pawl.count_runs(smallint, int, text, text[], text, text, uuid, uuid, int, int, boolean);
