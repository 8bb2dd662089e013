-- A provider recognises a repeat for some time only: from when on a message may have reached it.
-- breaking: no

set local lock_timeout = '5s';

-- The first try that may have reached the provider, of a message that is being sent under its own key by a provider
-- that recognises a repeat. Null: no provider will recognise it.
alter table pawl.message add column tried_at timestamptz;
