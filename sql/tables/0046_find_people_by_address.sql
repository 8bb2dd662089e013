-- A reply names an address, not a message: whose address it is must be found at once, and so must all facts about a
-- person when they are erased.
-- breaking: no

set local lock_timeout = '5s';

-- As pawl.address_key writes them. A hash takes an address of any length.
create index person_sms on pawl.person using hash (regexp_replace(addresses ->> 'sms', '[^0-9+]', '', 'g'));
create index person_line on pawl.person using hash (btrim(addresses ->> 'line'));

-- Facts about a message do not say whom they are about: the message does.
create index message_fact_person on pawl.message_fact (tenant, person) where person is not null;
alter table pawl.message_fact add constraint message_fact_person_fits_check check (octet_length(person) <= 500);
