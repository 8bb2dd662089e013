-- A function that was changed by hand in the database looked up to date: only the hash of its file was kept.
-- breaking: no

set local lock_timeout = '5s';

alter table pawl.sql_text add column made text;
