-- Addresses that people have linked to themselves: a LINE user who proved to be a customer.
-- breaking: no

set local lock_timeout = '5s';

-- Counts where what is known of the person has no address of the channel.
create table pawl.linked_address (
    tenant int not null,
    person text not null,
    channel text not null,
    address text not null,
    at timestamptz not null default now(),
    constraint linked_address_pk primary key (tenant, person, channel),
    constraint linked_address_tenant_fk foreign key (tenant) references pawl.tenant (id),
    constraint linked_address_address_unique unique (tenant, channel, address),
    constraint linked_address_person_fits_check check (octet_length(person) between 1 and 500),
    constraint linked_address_channel_check check (octet_length(channel) <= 60),
    constraint linked_address_address_fits_check check (octet_length(address) between 1 and 500)
);
