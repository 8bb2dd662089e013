#pragma once

#include "embed/sessions.hpp"

#include <boost/json/object.hpp>

#include <memory>
#include <optional>
#include <string>

namespace pawl::workers {

namespace json = boost::json;

struct Activity {
    std::string contact;
    std::string ticket;  // empty: none
    std::string kind;    // email_sent, meeting_scheduled ...
    std::string text;
    json::object data;
    std::string idempotency_key;  // the same one is kept once
};

// Who the customers of a tenant are and what they asked. Calls block; any thread. Throws when it
// cannot be reached; the step is tried again then.
class Crm {
public:
    virtual ~Crm() = default;
    // {id, contact, subject, body, status, email, name, fields}
    virtual std::optional<json::object> find_ticket(int tenant, const std::string& id) = 0;
    // By id or email address: {id, name, email, company, fields}
    virtual std::optional<json::object> find_contact(
        int tenant, const std::string& id_or_email
    ) = 0;
    virtual bool set_ticket_status(
        int tenant, const std::string& id, const std::string& status
    ) = 0;
    virtual void record(int tenant, const Activity& activity) = 0;
};

// pawl.crm_contact, crm_ticket and crm_activity.
std::shared_ptr<Crm> make_table_crm(std::shared_ptr<embed::Sessions> sessions);

}  // namespace pawl::workers
