-- needs: functions/events/publish

-- The name of a state of pawl.message; null for a number that has none. Ranked: what is proved later in a message's
-- life, or against it, is higher. A failure is below a delivery, which disproves it; a bounce is above one, which only
-- says that the first server took the message.
create or replace function pawl.message_state_name(p_state smallint) returns text
language sql immutable parallel safe
return (array['skipped', 'sending', 'unknown', 'sent', 'failed', 'delivered', 'bounced', 'opened', 'clicked',
              'complained'])[p_state + 1];

-- The number of a state; null for a name that is none.
create or replace function pawl.message_state(p_name text) returns smallint
language sql immutable parallel safe
return array_position(array['skipped', 'sending', 'unknown', 'sent', 'failed', 'delivered', 'bounced', 'opened',
                            'clicked', 'complained'], p_name) - 1;

-- How messages reach people (message_channels of src/model).
create or replace function pawl.message_channels() returns text[]
language sql immutable parallel safe
return '{line,sms,email,push,webhook}'::text[];

-- Whether a bounce is for good. A connector that knows says `permanent` in the detail; without it, it is.
create or replace function pawl.is_permanent_bounce(p_kind text, p_detail jsonb) returns boolean
language sql immutable parallel safe
return p_kind = 'bounced' and coalesce(p_detail -> 'permanent' <> 'false'::jsonb, true);

-- The state that a fact alone proves; 0: none. What a program did (machine) proves no more than that the message
-- arrived, and a soft bounce no more than that it has not arrived yet.
create or replace function pawl.fact_state(p_kind text, p_machine boolean, p_detail jsonb) returns smallint
language sql immutable parallel safe
return case
    when p_kind = 'sent' then 3
    when p_kind = 'failed' then 4
    when p_kind = 'bounced' then case when pawl.is_permanent_bounce(p_kind, p_detail) then 6 else 4 end
    -- It was sent. That a person has it is not known: scanners look at links before they deliver.
    when p_kind in ('opened', 'clicked') and p_machine then 3
    when p_kind in ('delivered', 'unsubscribed', 'replied') then 5
    when p_kind = 'opened' then 7
    when p_kind = 'clicked' then 8
    when p_kind = 'complained' then 9
    else 0
end;

-- An address as pawl.suppression has it: every spelling of one address is the same.
create or replace function pawl.address_key(p_channel text, p_address text) returns text
language sql immutable parallel safe
return pawl.event_key(case p_channel
    when 'email' then lower(btrim(p_address))
    when 'sms' then regexp_replace(p_address, '[^0-9+]', '', 'g')
    else btrim(p_address)
end);

-- The id of a provider's event in a form that fits into an index.
create or replace function pawl.fact_key(p_id text) returns text
language sql immutable parallel safe
return case when octet_length(p_id) <= 200 then p_id else 'md5:' || md5(p_id) end;
