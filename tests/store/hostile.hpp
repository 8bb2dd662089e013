#pragma once

#include "engine/core/program.hpp"
#include "engine/observe/metrics.hpp"
#include "engine/start/start_limits.hpp"
#include "store/repos/tenants.hpp"
#include "store/under_test.hpp"

#include <fmt/core.h>

#include <memory>

namespace pawl::test {

inline constexpr char too_large[] = "{\"n\": 1e400}";

// As large as a double can be: Postgres writes it with 309 digits.
inline constexpr char largest[] = "{\"n\": 1.7976931348623157e308}";

// Two tenants, one of them hostile.
class Hostile : public ::testing::Test {
protected:
    ~Hostile() override {
        if (!thief_) return;
        thief_.reset();
        sql_.script(fmt::format("drop owned by {0}; drop role {0}", role()));
    }
    // Logged in as a role of the hostile tenant.
    Session& thief() {
        if (!thief_) {
            sql_.script(
                fmt::format("create role {0} login; select pawl.bind_role('{0}', 'other')", role())
            );
            thief_ = std::make_unique<Session>(db_.database().url() + "&user=" + role());
        }
        return *thief_;
    }
    // Roles belong to the whole cluster: one for each database.
    std::string role() { return "evil_" + db_.database().name(); }
    // A workflow of the tenant with one step, and these settings.
    store::WorkflowId workflow(
        store::TenantId tenant,
        const std::string& settings = "{}",
        const std::string& function = "work"
    ) {
        return std::stoi(sql_.value(fmt::format(
            "insert into pawl.definition (tenant, name, steps, settings) values ({}, 'flow', "
            "'[{{\"name\": \"{}\", \"type\": \"code\", \"function\": \"{}\"}}]', '{}') "
            "returning workflow::text",
            tenant,
            function == "work" ? "a" : function,
            function,
            settings
        )));
    }
    std::string runs(store::TenantId tenant) {
        return sql_.value(
            fmt::format("select count(*)::text from pawl.live_run where tenant = {}", tenant)
        );
    }
    // The database refuses every run of the hostile tenant.
    void refuse_its_runs() {
        sql_.script(fmt::format(
            "create function public.refuse() returns trigger language plpgsql as $$ begin "
            "if new.tenant = {} then raise exception 'index row requires 10032 bytes' using "
            "errcode = '54000'; end if; return new; end $$;"
            "create trigger refuse before insert on pawl.live_run for each row execute function "
            "public.refuse()",
            hostile_
        ));
    }
    asio::awaitable<engine::ProgramPtr> program(store::WorkflowId id, std::int32_t version) {
        const auto stored = co_await db_.store().find_version(id, version);
        if (!stored) co_return nullptr;
        auto definition = definition_from_json(stored->definition);
        if (!definition) co_return nullptr;
        co_return std::make_shared<const engine::Program>(engine::Program{
            id, version, stored->tenant, stored->bucket, std::move(*definition)});
    }

    PgUnderTest db_;
    Session& sql_ = db_.database().session();
    asio::any_io_executor executor_ = db_.loop().context().get_executor();
    store::TenantId hostile_ = db_.other_tenant();
    engine::Metrics metrics_;
    store::Tenants tenants_{db_.pool()};
    engine::StartLimits limits_{tenants_};

private:
    std::unique_ptr<Session> thief_;
};

}  // namespace pawl::test
