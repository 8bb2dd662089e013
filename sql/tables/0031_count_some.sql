-- Workflows are counted when they are journeys, or when it is asked for: to count every step of every run costs the
-- database as much as to run them.
-- breaking: no

set local lock_timeout = '5s';

-- Runs that began from this time on count. Null: none do.
alter table pawl.workflow add column counted_since timestamptz;
create index workflow_counted on pawl.workflow (tenant) where counted_since is not null;

-- Those that were counted until now and have something to show (pawl.is_journey says the same of new ones).
update pawl.workflow w
   set counted_since = '-infinity'
 where exists (
     select 1 from pawl.workflow_version v
      where v.workflow = w.id
        and (v.definition @> '{"person": true}' or v.definition ?| '{goal,holdout,enter_if}'
             or v.definition @? '$.nodes[*].type ? (@ == "message" || @ == "split" || @ == "goal" || @ == "trigger")'
             or v.definition @? '$.steps[*] ? (exists(@.message) || exists(@.split))'
             or v.definition @? '$.triggers[*] ? (exists(@.audience))')
 );
