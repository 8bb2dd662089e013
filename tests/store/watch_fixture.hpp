#pragma once

#include "support/database.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>

namespace pawl::test {

// A table of the application with rows of two tenants, and workflows that want some of them.
class Watched : public ::testing::Test {
protected:
    Watched() {
        session_.script(
            "insert into pawl.tenant (name, organization) values "
            "('acme', '00000000-0000-0000-0000-00000000000a'),"
            "('bolt', '00000000-0000-0000-0000-00000000000b');"
            "create table ledger (id int, merchant text, person text, n numeric, t text)"
        );
    }
    // A workflow of a tenant with these triggers.
    void workflow(
        const std::string& tenant, const std::string& triggers, const std::string& name = "w"
    ) {
        session_.script(fmt::format(
            "insert into pawl.definition (tenant, name, steps, settings) select t.id, '{}', "
            "'[{{\"name\": \"a\", \"type\": \"code\", \"function\": \"noop\"}}]', "
            "'{{\"triggers\": {}}}' from pawl.tenant t where t.name = '{}'",
            name,
            triggers,
            tenant
        ));
    }
    void watch(const std::string& more = "") {
        session_.script(
            "select pawl.watch_table('ledger', tenant => 'merchant', subject => 'person'" + more +
            ")"
        );
    }
    // A matcher makes events of what was written down.
    void take() {
        while (session_.value("select pawl.take_changes(0::smallint)::text") != "0") {
        }
    }
    std::string events(const std::string& what, const std::string& where = "true") {
        take();
        return session_.value(fmt::format(
            "select coalesce(string_agg({}, ' ' order by i.id), '') from pawl.inbox i where {}",
            what,
            where
        ));
    }
    std::string count(const std::string& from) {
        take();
        return session_.value("select count(*)::text from " + from);
    }

    TestDatabase database_;
    Session& session_ = database_.session();
};

}  // namespace pawl::test
