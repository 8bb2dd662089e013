#include "workers/connectors/crm.hpp"

#include "base/json.hpp"
#include "store/pg/tenant_call.hpp"
#include "store/queries.gen.hpp"

namespace pawl::workers {

namespace {

class TableCrm : public Crm {
public:
    explicit TableCrm(std::shared_ptr<embed::Sessions> sessions) : sessions_(std::move(sessions)) {}

    std::optional<json::object> find_ticket(int tenant, const std::string& id) override {
        return one(tenant, store::queries::crm_ticket, id);
    }

    std::optional<json::object> find_contact(int tenant, const std::string& id_or_email) override {
        return one(tenant, store::queries::crm_contact, id_or_email);
    }

    bool set_ticket_status(int tenant, const std::string& id, const std::string& status) override {
        pg::Params params;
        params.add(std::int32_t{tenant}).add(id).add(status);
        return sessions_->ask_as(tenant, store::queries::crm_set_ticket_status, std::move(params))
                   .affected() > 0;
    }

    void record(int tenant, const Activity& activity) override {
        pg::Params params;
        params.add(std::int32_t{tenant});
        params.add(store::some(activity.contact)).add(store::some(activity.ticket));
        params.add(activity.kind).add(activity.text).add_json(activity.data);
        params.add(activity.idempotency_key);
        sessions_->ask_as(tenant, store::queries::crm_record, std::move(params));
    }

private:
    std::optional<json::object> one(int tenant, const pg::Query& query, const std::string& id) {
        pg::Params params;
        params.add(std::int32_t{tenant}).add(id);
        const auto rows = sessions_->ask_as(tenant, query, std::move(params));
        if (rows.size() == 0) return std::nullopt;
        return rows.jsonb(0, 0).get_object();
    }

    std::shared_ptr<embed::Sessions> sessions_;
};

}  // namespace

std::shared_ptr<Crm> make_table_crm(std::shared_ptr<embed::Sessions> sessions) {
    return std::make_shared<TableCrm>(std::move(sessions));
}

}  // namespace pawl::workers
