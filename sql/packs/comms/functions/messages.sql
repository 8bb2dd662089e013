-- Records an e-mail and returns the id of its message. Sends nothing: kickoff_send_email_task does.
create or replace function comms.create_email_message(
    to_address text, subject text, body_text text default null, body_html text default null,
    from_address text default null, reply_to text default null
) returns bigint
language sql security definer
set search_path = pg_catalog, pg_temp as $$
    with message as (
        insert into comms.message (channel) values ('email') returning message_id
    )
    insert into comms.email_message (message_id, to_address, subject, body_text, body_html, from_address, reply_to)
    select m.message_id, $1, $2, $3, $4, $5, $6 from message m
    returning message_id
$$;

-- Records an SMS and returns the id of its message. Sends nothing: kickoff_send_sms_task does.
create or replace function comms.create_sms_message(to_number text, body text, from_number text default null)
returns bigint
language sql security definer
set search_path = pg_catalog, pg_temp as $$
    with message as (
        insert into comms.message (channel) values ('sms') returning message_id
    )
    insert into comms.sms_message (message_id, to_number, body, from_number)
    select m.message_id, $1, $2, $3 from message m
    returning message_id
$$;

revoke execute on function
       comms.create_email_message, comms.create_sms_message
  from public;
