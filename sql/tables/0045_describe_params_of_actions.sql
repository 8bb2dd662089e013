-- An action says what its params must be: a wrong one is refused before it reaches the statement.
-- breaking: no

set local lock_timeout = '5s';

-- JSON Schema of the params, as far as forms understand it; null: anything.
alter table pawl.action
  add column schema jsonb,
  add constraint action_schema_check check (jsonb_typeof(schema) = 'object' and octet_length(schema::text) <= 100000);

-- They take or return more; the previous release's calls are answered by the new ones.
drop function if exists pawl.register_action(text, text, text);
drop function if exists pawl.find_action(int, text);
