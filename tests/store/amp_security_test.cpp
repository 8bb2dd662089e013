#include "support/database.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

// Two merchants in the roles that applications give their users: one reads, changes and infers
// nothing of the other, by any table, view or function that these roles can reach.
namespace pawl::test {
namespace {

class TwoMerchants : public ::testing::Test {
protected:
    TwoMerchants() {
        session_.script("set client_min_messages = error");
        for (const char* name : {"two_tenants.sql", "two_merchants.sql"}) {
            std::ifstream file(std::string(PAWL_SOURCE_DIR "/sql/tests/") + name);
            std::stringstream text;
            text << file.rdbuf();
            session_.script(text.str());
        }
    }

    void expect_none(const std::string& what, const std::string& sql) {
        std::string all;
        for (const std::string& row : session_.column(sql)) all += row + "\n";
        EXPECT_EQ(all, "") << what;
    }
    std::string gains(const std::string& disguise, const std::string& where = "true") const {
        return fmt::format(
            "select g.gain from attack.attempt a join attack.disguise d on d.role = a.role and "
            "d.name = '{0}' "
            "cross join lateral attack.gain('{0}', a.statement) as g (gain) where g.gain is not "
            "null and ({1}) "
            "order by 1",
            disguise,
            where
        );
    }
    int count(const std::string& sql) {
        return std::stoi(session_.value("select count(*)::text " + sql));
    }

    TestDatabase database_;
    Session& session_ = database_.session();
};

// What comes to the roles later has to be tried too.
TEST_F(TwoMerchants, EverythingThatCanBeReachedIsTried) {
    expect_none(
        "say in attack.merchant_argument what its arguments are",
        "select distinct name from attack.attempt where statement is null"
    );
    for (const char* name :
         {"amp_workflow",
          "amp_workflow_node",
          "amp_workflow_edge",
          "amp_workflow_trigger",
          "amp_workflow_log",
          "merchant_credentials",
          "v_amp_workflow_performance",
          "v_amp_workflow_action_funnel"}) {
        EXPECT_GT(
            count(fmt::format(
                "from attack.attempt where role = 'authenticated' and name = '{}'", name
            )),
            3
        ) << name;
    }
    EXPECT_EQ(count("from attack.relation where role = 'anon'"), 0);
    expect_none(
        "the victim has no row in it, so nothing would be stolen",
        "select r.name::text from attack.relation r where r.role = 'authenticated' and "
        "r.name::text not like "
        "'%amp\\_graph\\_check' and attack.loot(r.name) ? 'nodes' order by 1"
    );
}

TEST_F(TwoMerchants, OneMerchantGetsNothingOfAnother) {
    expect_none("the thief got through", gains("merchant"));
}

TEST_F(TwoMerchants, WhoIsNoMerchantGetsNothing) {
    expect_none("the stranger got through", gains("stranger"));
    expect_none("the visitor got through", gains("visitor"));
}

TEST_F(TwoMerchants, TheServiceRoleSeesBoth) {
    for (const char* name :
         {"amp_workflow",
          "amp_workflow_node",
          "amp_workflow_edge",
          "amp_workflow_trigger",
          "amp_workflow_log",
          "merchant_credentials",
          "v_amp_workflow_performance"}) {
        const std::string told = session_.value(fmt::format(
            "select attack.told('server', 'select string_agg(x::text, chr(10)) from {} x', true)",
            name
        ));
        EXPECT_NE(told.find("secret"), std::string::npos) << name << ": " << told;
        EXPECT_NE(told.find("thief"), std::string::npos) << name << ": " << told;
    }
}

// The test itself: with a hole in the wall it must see the thief.
TEST_F(TwoMerchants, AHoleIsSeen) {
    const auto seen = [this](const std::string& hole, const std::string& where) {
        session_.script("begin");
        session_.script(hole);
        const auto caught = session_.column(gains("merchant", where)).size();
        session_.script("rollback");
        return caught;
    };
    EXPECT_GT(
        seen(
            "create policy hole on pawl.amp_workflow_node to authenticated using (true)",
            "a.name = 'amp_workflow_node'"
        ),
        0U
    );
    EXPECT_GT(
        seen(
            "alter view pawl.amp_workflows reset (security_invoker)",
            "a.name = 'pawl.amp_workflows'"
        ),
        0U
    );
    EXPECT_GT(
        seen(
            "alter function pawl.bff_get_amp_workflow_full security definer",
            "a.name like 'pawl.bff_get%'"
        ),
        0U
    );
    // Errors that differ tell too.
    EXPECT_GT(
        seen("drop trigger amp_event_own on pawl.amp_event", "a.name = 'pawl.amp_event'"), 0U
    );
    EXPECT_GT(
        seen(
            "alter function pawl.amp_allow_check security definer", "a.name like '%amp_graph_check'"
        ),
        0U
    );
}

}  // namespace
}  // namespace pawl::test
