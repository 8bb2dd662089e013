-- A message is written down before it goes to a provider that does not recognise a repeat, so that a worker that dies
-- in between does not send it twice; and messages that only try out a template.
-- breaking: no

set local lock_timeout = '5s';

-- attempt: of the step, of the last try that was begun before it was made. test: tries out a template, of no run.
alter table pawl.message add column attempt smallint, add column test boolean not null default false;

-- A bounce for good is called permanent. What uses the old name is applied again.
drop function if exists pawl.is_hard_bounce(text, jsonb) cascade;
