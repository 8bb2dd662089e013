#pragma once

#include "support/database.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace pawl::test {

using Rows = std::vector<std::string>;

inline constexpr const char* alpha = "aaaaaaaa-0000-0000-0000-000000000001";
inline constexpr const char* beta = "bbbbbbbb-0000-0000-0000-000000000002";
inline constexpr const char* service = "";

inline std::string text_of(const std::string& name) {
    std::ifstream file(PAWL_SOURCE_DIR "/sql/tests/" + name);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

// Two merchants, their tables, a journey of each, and people who went through it.
class Amp : public ::testing::Test {
protected:
    Amp() {
        session_.script("set client_min_messages = error");
        session_.script(text_of("amp_merchants.sql"));
    }

    // Becomes a user of a merchant, or the service role.
    void sign_in(const std::string& merchant) {
        session_.script("reset role; set request.jwt.claims = ''; drop table if exists answer");
        session_.script(
            merchant.empty() ? "set role service_role"
                             : fmt::format("select amp_test_sign_in('{}')", merchant)
        );
    }
    void sign_out() { session_.script("reset role"); }
    std::string value(const std::string& sql) { return session_.value(sql); }

    // What the database says against a save of these nodes and edges.
    std::string refused(const std::string& nodes, const std::string& edges) {
        return session_
            .refusal(fmt::format(
                "select bff_upsert_amp_workflow_with_graph('{{\"workflow_code\": \"new\", "
                "\"name\": \"New\"}}', '{}'::jsonb, '{}'::jsonb)",
                nodes,
                edges
            ))
            .message;
    }
    // The rows of a query of the dashboard, which is taken as it is written there.
    std::vector<std::string> ask(std::size_t query, const std::string& parameters) {
        std::vector<std::string> queries;
        std::stringstream file(text_of("amp_dashboard.sql"));
        for (std::string one; std::getline(file, one, ';');) queries.push_back(one);
        session_.script("deallocate all");
        session_.script("prepare asked as " + queries.at(query));
        session_.script("drop table if exists answer");
        session_.script(fmt::format("create temp table answer as execute asked({})", parameters));
        return session_.column("select a::text from answer a order by a::text");
    }

    TestDatabase database_;
    Session& session_ = database_.session();
    const std::string journey_ = "'cccccccc-0000-0000-0000-000000000001'";
    const std::string ever_ = "'2000-01-01', '2100-01-01'";
};

}  // namespace pawl::test
