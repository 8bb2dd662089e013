-- Errors that people have looked at and want to hear no more of: their dead letters stay, but count as seen.
-- breaking: no

set local lock_timeout = '5s';

create table pawl.dead_letter_mute (
    tenant int not null,
    fingerprint text not null,
    reason text not null,
    by text not null,
    at timestamptz not null default now(),
    constraint dead_letter_mute_pk primary key (tenant, fingerprint),
    constraint dead_letter_mute_tenant_fk foreign key (tenant) references pawl.tenant (id),
    constraint dead_letter_mute_fingerprint_check check (octet_length(fingerprint) <= 100),
    constraint dead_letter_mute_reason_check check (length(reason) between 1 and 2000),
    constraint dead_letter_mute_by_check check (length(by) <= 500)
);
