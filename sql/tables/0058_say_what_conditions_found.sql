-- Conditions of triggers see values that an event does not have: redacted ones, and those that are too long. What they
-- found goes with the event. Tables of conditions may have rows of several tenants.
-- breaking: no

set local lock_timeout = '5s';

alter table pawl.change_batch add column met jsonb;
comment on column pawl.change_batch.met is 'for each of the changes what pawl.inbox.met is; null: of none';
alter table pawl.inbox add column met jsonb;
comment on column pawl.inbox.met is
    'what conditions of triggers found in values that data does not have: {columns, met: [digest of conditions]}';

alter table pawl.condition_table add column tenant_column text;
comment on column pawl.condition_table.tenant_column is
    'holds the name of a tenant, or its organization; null: conditions look at all rows of the subject';

drop function if exists pawl.few_rows_sql(regclass, text, int);
drop function if exists pawl.note_few_changes(pawl.watch, text, jsonb[], jsonb[]);
drop function if exists pawl.wanted_changes(text, int, text, boolean, text, text, jsonb[], jsonb[]);
drop function if exists pawl.write_few_changes(pawl.watch, int[], jsonb[], text[]);
drop function if exists pawl.claim_triggers(smallint, int, interval);
drop function if exists pawl.allow_condition_table(text, text, text[], text);
