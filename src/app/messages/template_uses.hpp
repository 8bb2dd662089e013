#pragma once

#include "app/caller.hpp"
#include "steps/message_once.hpp"
#include "store/repos/connector_accounts.hpp"
#include "store/repos/hidden_addresses.hpp"
#include "store/repos/message_templates.hpp"
#include "store/repos/messages.hpp"
#include "store/repos/persons.hpp"

#include <functional>

namespace pawl::app {

// What the use cases of templates work with. All of it outlives them.
struct TemplateUses {
    store::MessageTemplates& templates;
    store::Persons& persons;
    store::Messages& messages;
    store::ConnectorAccounts& accounts;
    store::HiddenAddresses& hidden;
    // Set by the process around it, before they are called. How a message goes out that tries out a
    // template, and how providers reach this server.
    std::function<asio::awaitable<Result<connect::Verdict>>(steps::SingleMessage)> send = {};
    std::string public_url = {};
};

struct TemplateParams {
    std::string name;
    std::string category;    // empty: marketing
    json::object languages;  // the content of each
};
// A new version, unless the newest one says the same.
asio::awaitable<Result<store::TemplateSaved>> put_template(
    TemplateUses& uses, store::TenantId tenant, TemplateParams params
);
asio::awaitable<Result<store::MessageTemplate>> find_template(
    TemplateUses& uses,
    store::TenantId tenant,
    std::string name,
    std::optional<std::int32_t> version
);
asio::awaitable<Result<void>> remove_template(
    TemplateUses& uses, store::TenantId tenant, std::string name
);

// For whom a template is filled: a person, or one that is made up.
struct PreviewParams {
    std::string name;
    std::optional<std::int32_t> version;
    json::object languages;  // instead of what is kept; empty: what is kept
    std::string person;      // the key; empty: made up
    json::object user;       // with a person: instead of what is known
    json::value trigger;     // what would have started the run
    json::value with;        // what the step would say
    std::string language;    // empty: the person's
};
struct Preview {
    std::int32_t version = 1;  // 0: not kept yet
    std::string language;
    std::string category;
    json::object content;
};
// Nothing is sent. An error names what is not known of the person.
asio::awaitable<Result<Preview>> preview_template(
    TemplateUses& uses, store::TenantId tenant, PreviewParams params
);

}  // namespace pawl::app
