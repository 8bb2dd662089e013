-- Messages that were on their way when their person was erased: whether there can be any is asked for each commit.
-- breaking: no

set local lock_timeout = '5s';

create index person_erased on pawl.person (erased_at) where erased_at is not null;
