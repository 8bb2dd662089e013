-- placeholder
-- breaking: no

set local lock_timeout = '5s';
select 1;
