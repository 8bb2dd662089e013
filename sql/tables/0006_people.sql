-- Tasks that people decide.
-- breaking: no
-- baseline: 0092_one_truth_for_names_and_times

set local lock_timeout = '5s';

-- A person is asked. The log of the run says what was asked and what came of it; this is where people find it.
create table pawl.human_task (
    id uuid not null default pawl.uuid7(),
    bucket smallint not null,
    tenant int not null,
    run_id uuid not null,
    token int not null,
    visit int not null default 1,
    workflow int not null,
    node text not null,
    subject text,
    title text not null,
    description text,
    data jsonb,
    form jsonb,
    assignee text,
    grp text,
    approvers text[] not null default '{}',
    approvals_needed smallint not null default 1,
    approved_by text[] not null default '{}',
    due_at timestamptz,
    state smallint not null default 0,
    claimed_by text,
    opened_at timestamptz not null default now(),
    decided_at timestamptz,
    decided_by text,
    reason text,
    escalated_to text,
    excluded text[] not null default '{}',
    rejections_needed smallint not null default 1,
    rejected_by text[] not null default '{}',
    constraint human_task_pk primary key (bucket, id),
    constraint human_task_state_check check (state between 0 and 4),
    constraint human_task_assignee_fits_check check (octet_length(assignee) <= 2000),
    constraint human_task_group_fits_check check (octet_length(grp) <= 2000)
);
-- Without the bucket, which is `bucket + 0` where these are meant. So is the state, where a partial index is not meant.
create unique index human_task_token on pawl.human_task (run_id, token) where state = 0;
create index human_task_run on pawl.human_task (run_id, id);
create index human_task_tenant on pawl.human_task (tenant, id);
create index human_task_open on pawl.human_task (tenant, id) where state = 0;
create index human_task_assignee on pawl.human_task (tenant, assignee, id) where state = 0;
create index human_task_group on pawl.human_task (tenant, grp, id) where state = 0;

-- Everything that was done about a task, and the person who did it. Never changed.
create table pawl.task_decision (
    id bigint generated always as identity,
    bucket smallint not null,
    task uuid not null,
    at timestamptz not null default now(),
    action text not null,
    by text not null,
    reason text,
    data jsonb,
    constraint task_decision_pk primary key (bucket, task, id),
    constraint task_decision_action_check check (
        action in ('open', 'claim', 'unclaim', 'delegate', 'edit', 'approve', 'reject', 'remind', 'escalate', 'close')
    )
);
