-- Addresses of people who were erased were recognised by hashes without a key, and all telephone numbers can be tried
-- in a moment. A server that has a secret key makes HMACs of these hashes, also of those that are here.
-- breaking: no

set local lock_timeout = '5s';

-- What these HMACs are made with, encrypted like every secret, so that they outlive a change of the server's key. The
-- oldest that a server can open counts.
create table pawl.mark_key (
    id uuid not null,
    key_id text not null,
    nonce bytea not null,
    box bytea not null,
    created_at timestamptz not null default now(),
    constraint mark_key_pk primary key (id)
);

-- Those that a server has still to seal; and whether a tenant has any that are sealed.
create index suppression_plain on pawl.suppression (tenant) where address like 'sha256:%';
create index suppression_sealed on pawl.suppression (tenant, channel) where address like 'hmac:%';

drop function if exists pawl.prepare_messages(
    smallint, int[], text[], text[], text[], text[], text[], text[], text[], uuid[], timestamptz
);
drop function if exists pawl.lift_suppression(int, text, text);
