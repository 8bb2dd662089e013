-- Messages by e-mail and SMS, as facts that are only added.
-- breaking: no
-- baseline: 0092_one_truth_for_names_and_times

set local lock_timeout = '5s';

create table comms.message (
    message_id bigint generated always as identity,
    channel text not null,
    created_at timestamptz not null default now(),
    constraint message_pk primary key (message_id),
    constraint message_channel_unique unique (message_id, channel),
    constraint message_channel_check check (channel in ('email', 'sms'))
);

-- What goes into a header must not be able to begin another one.
create table comms.email_message (
    message_id bigint not null,
    channel text not null default 'email',
    from_address text,
    to_address text not null,
    reply_to text,
    subject text not null,
    body_text text,
    body_html text,
    constraint email_message_pk primary key (message_id),
    constraint email_message_fk foreign key (message_id, channel) references comms.message (message_id, channel),
    constraint email_message_channel_check check (channel = 'email'),
    constraint email_message_body_check check (num_nonnulls(body_text, body_html) > 0),
    constraint email_message_address_check check (
        to_address ~ '^[^\s@<>]+@[^\s@<>]+$' and length(to_address) <= 320
        and from_address !~ '[\r\n]' and length(from_address) <= 500
        and reply_to !~ '[\r\n]' and length(reply_to) <= 500
    ),
    constraint email_message_subject_check check (subject !~ '[\r\n]' and length(subject) <= 998)
);

create table comms.sms_message (
    message_id bigint not null,
    channel text not null default 'sms',
    from_number text,
    to_number text not null,
    body text not null,
    constraint sms_message_pk primary key (message_id),
    constraint sms_message_fk foreign key (message_id, channel) references comms.message (message_id, channel),
    constraint sms_message_channel_check check (channel = 'sms'),
    constraint sms_message_number_check check (to_number ~ '^\+?[0-9]{3,20}$' and length(from_number) <= 50),
    constraint sms_message_body_check check (length(body) between 1 and 1600)
);

-- The root of the process: one for each message, however often it is asked for.
create table comms.send_email_task (
    send_email_task_id bigint generated always as identity,
    message_id bigint not null,
    scheduled_at timestamptz not null default now(),
    created_at timestamptz not null default now(),
    idempotency_key uuid not null default gen_random_uuid(),
    constraint send_email_task_pk primary key (send_email_task_id),
    constraint send_email_task_message_unique unique (message_id),
    constraint send_email_task_message_fk foreign key (message_id) references comms.email_message (message_id)
);

create table comms.send_email_task_scheduled (
    send_email_task_id bigint not null,
    attempt int not null,
    queue_task_id bigint not null,
    created_at timestamptz not null default now(),
    constraint send_email_task_scheduled_pk primary key (send_email_task_id, attempt),
    constraint send_email_task_scheduled_fk foreign key (send_email_task_id)
        references comms.send_email_task (send_email_task_id)
);

-- `final`: trying again would not help, or could do it twice.
create table comms.send_email_task_failed (
    send_email_task_id bigint not null,
    attempt int not null,
    error_message text not null,
    final boolean not null default false,
    created_at timestamptz not null default now(),
    constraint send_email_task_failed_pk primary key (send_email_task_id, attempt),
    constraint send_email_task_failed_fk foreign key (send_email_task_id, attempt)
        references comms.send_email_task_scheduled (send_email_task_id, attempt)
);

create table comms.send_email_task_succeeded (
    send_email_task_id bigint not null,
    attempt int,
    provider_message_id text,
    worker_payload jsonb,
    created_at timestamptz not null default now(),
    constraint send_email_task_succeeded_pk primary key (send_email_task_id),
    constraint send_email_task_succeeded_fk foreign key (send_email_task_id)
        references comms.send_email_task (send_email_task_id)
);

-- The root of the process: one for each message, however often it is asked for.
create table comms.send_sms_task (
    send_sms_task_id bigint generated always as identity,
    message_id bigint not null,
    scheduled_at timestamptz not null default now(),
    created_at timestamptz not null default now(),
    idempotency_key uuid not null default gen_random_uuid(),
    constraint send_sms_task_pk primary key (send_sms_task_id),
    constraint send_sms_task_message_unique unique (message_id),
    constraint send_sms_task_message_fk foreign key (message_id) references comms.sms_message (message_id)
);

create table comms.send_sms_task_scheduled (
    send_sms_task_id bigint not null,
    attempt int not null,
    queue_task_id bigint not null,
    created_at timestamptz not null default now(),
    constraint send_sms_task_scheduled_pk primary key (send_sms_task_id, attempt),
    constraint send_sms_task_scheduled_fk foreign key (send_sms_task_id)
        references comms.send_sms_task (send_sms_task_id)
);

-- `final`: trying again would not help, or could do it twice.
create table comms.send_sms_task_failed (
    send_sms_task_id bigint not null,
    attempt int not null,
    error_message text not null,
    final boolean not null default false,
    created_at timestamptz not null default now(),
    constraint send_sms_task_failed_pk primary key (send_sms_task_id, attempt),
    constraint send_sms_task_failed_fk foreign key (send_sms_task_id, attempt)
        references comms.send_sms_task_scheduled (send_sms_task_id, attempt)
);

create table comms.send_sms_task_succeeded (
    send_sms_task_id bigint not null,
    attempt int,
    provider_message_id text,
    worker_payload jsonb,
    created_at timestamptz not null default now(),
    constraint send_sms_task_succeeded_pk primary key (send_sms_task_id),
    constraint send_sms_task_succeeded_fk foreign key (send_sms_task_id)
        references comms.send_sms_task (send_sms_task_id)
);
