-- Who answers for a workflow and who changed its versions; what API keys are called, which stays known when a key is
-- gone: lists of what was done name who did it.
-- breaking: no

set local lock_timeout = '5s';

alter table pawl.workflow add column owner text;
alter table pawl.workflow add constraint workflow_owner_check check (octet_length(owner) between 1 and 1000);

-- The name of a person or an API key, cli, sql ...; null: noted before it was asked.
alter table pawl.version_change add column by text;

create table pawl.key_name (
    tenant int not null,
    -- The 8 characters that stand for the key wherever it did something.
    prefix text not null,
    name text not null,
    constraint key_name_pk primary key (tenant, prefix),
    constraint key_name_prefix_fits_check check (octet_length(prefix) <= 100)
);

insert into pawl.key_name (tenant, prefix, name)
select distinct on (k.tenant, k.prefix) k.tenant, k.prefix, k.name
  from pawl.api_key k
 order by k.tenant, k.prefix, k.id desc;
