#pragma once

#include "base/vault.hpp"
#include "store/pg/event_tail.hpp"
#include "store/pg/pg_store.hpp"
#include "store/repos/actions.hpp"
#include "store/repos/api_keys.hpp"
#include "store/repos/audit.hpp"
#include "store/repos/browser_sessions.hpp"
#include "store/repos/callbacks.hpp"
#include "store/repos/connector_accounts.hpp"
#include "store/repos/connector_definitions.hpp"
#include "store/repos/consent.hpp"
#include "store/repos/credential_inbox.hpp"
#include "store/repos/credential_store.hpp"
#include "store/repos/dead_letters.hpp"
#include "store/repos/drafts.hpp"
#include "store/repos/executions.hpp"
#include "store/repos/funnels.hpp"
#include "store/repos/heads.hpp"
#include "store/repos/hidden_addresses.hpp"
#include "store/repos/human_tasks.hpp"
#include "store/repos/idempotency.hpp"
#include "store/repos/inbox.hpp"
#include "store/repos/jobs.hpp"
#include "store/repos/limits.hpp"
#include "store/repos/merchants.hpp"
#include "store/repos/message_log.hpp"
#include "store/repos/message_templates.hpp"
#include "store/repos/messages.hpp"
#include "store/repos/operations.hpp"
#include "store/repos/organizations.hpp"
#include "store/repos/outbox_targets.hpp"
#include "store/repos/overviews.hpp"
#include "store/repos/persons.hpp"
#include "store/repos/retries.hpp"
#include "store/repos/run_rates.hpp"
#include "store/repos/schedules.hpp"
#include "store/repos/tenants.hpp"
#include "store/repos/version_store.hpp"

namespace pawl::app {

// Everything that use cases read and write, over one pool, which outlives it.
struct Repositories {
    explicit Repositories(pg::Pool& pool)
        : store(pool),
          tail(pool),
          accounts(pool, vault),
          actions(pool),
          audit(pool),
          callbacks(pool),
          connectors(pool),
          consent(pool),
          credential_inbox(pool, vault),
          credentials(pool, vault),
          dead_letters(pool),
          drafts(pool),
          executions(pool),
          funnels(pool),
          heads(pool),
          hidden(pool, vault),
          human_tasks(pool),
          idempotency(pool),
          inbox(pool),
          jobs(pool),
          keys(pool),
          limits(pool),
          merchants(pool),
          message_log(pool),
          messages(pool),
          operations(pool),
          organizations(pool),
          outbox(pool, vault),
          overviews(pool),
          persons(pool),
          retries(pool),
          run_rates(pool),
          schedules(pool),
          sessions(pool),
          templates(pool),
          tenants(pool),
          versions(pool) {}

    Vault vault;  // what credentials and secrets are encrypted with
    store::PgStore store;
    store::EventTail tail;
    store::ConnectorAccounts accounts;
    store::Actions actions;
    store::Audit audit;
    store::Callbacks callbacks;
    store::ConnectorDefinitions connectors;
    store::Consent consent;
    store::CredentialInbox credential_inbox;
    store::Credentials credentials;
    store::DeadLetters dead_letters;
    store::Drafts drafts;
    store::Executions executions;
    store::Funnels funnels;
    store::Heads heads;
    store::HiddenAddresses hidden;
    store::HumanTasks human_tasks;
    store::Idempotency idempotency;
    store::Inbox inbox;
    store::Jobs jobs;
    store::ApiKeys keys;
    store::Limits limits;
    store::Merchants merchants;
    store::MessageLog message_log;
    store::Messages messages;
    store::Operations operations;
    store::Organizations organizations;
    store::OutboxTargets outbox;
    store::Overviews overviews;
    store::Persons persons;
    store::Retries retries;
    store::RunRates run_rates;
    store::Schedules schedules;
    store::Sessions sessions;
    store::MessageTemplates templates;
    store::Tenants tenants;
    store::Versions versions;
};

}  // namespace pawl::app
