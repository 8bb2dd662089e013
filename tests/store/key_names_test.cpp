#include "store/repos/api_keys.hpp"
#include "store/repos/audit.hpp"
#include "store/repos/drafts.hpp"
#include "store/repos/version_store.hpp"
#include "store/task_fixture.hpp"

// Who did something: API keys by their names, which stay when a key goes.
namespace pawl::test {
namespace {

class KeyNames : public Tasks {
protected:
    KeyNames() {
        store::NewApiKey key;
        key.name = "helpdesk";
        key.prefix = "abcd2345";
        key.hash = std::string(32, 'h');
        key.scopes = {"admin"};
        wait(keys_.create(std::move(key)));
        db_.database().session().script("delete from pawl.api_key where prefix = 'abcd2345'");
    }
    template <class T>
    T wait(asio::awaitable<T> done) {
        return db_.loop().run(std::move(done));
    }
    void wait(asio::awaitable<void> done) { db_.loop().run(std::move(done)); }
    static Definition definition(const std::string& function) {
        return parse_definition("{name: made, steps: [{name: s, code: " + function + "}]}").value();
    }

    store::ApiKeys keys_{db_.pool()};
    store::Versions versions_{db_.pool()};
};

TEST_F(KeyNames, AreThoseOfTheAuthorsOfWorkflows) {
    wait(db_.store().apply_workflow(store::Author(1, "abcd2345"), definition("one")));
    const auto made = wait(db_.store().find_workflow(1, "made"));
    ASSERT_TRUE(made);
    EXPECT_EQ(made->changed_by, "helpdesk");
    EXPECT_TRUE(made->changed_at);
    EXPECT_EQ(made->owner, "");
    wait(db_.store().apply_workflow(store::Author(1, "ann@example.com"), definition("two")));
    EXPECT_TRUE(wait(versions_.switch_off(store::Author(1, "cli"), "made", "noon")));
    wait(db_.store().apply_workflow(1, definition("three")));
    Lines by;
    for (const auto& one : wait(versions_.changes(1, "made", 10))) by.push_back(one.by);
    EXPECT_EQ(by, (Lines{"sql", "cli", "ann@example.com", "helpdesk"}));
}

TEST_F(KeyNames, OwnersStayWithTheirWorkflow) {
    wait(db_.store().apply_workflow(1, definition("one")));
    EXPECT_TRUE(wait(versions_.set_owner(1, "made", "Team CRM")));
    EXPECT_FALSE(wait(versions_.set_owner(1, "missing", "Team CRM")));
    wait(db_.store().apply_workflow(1, definition("two")));
    EXPECT_EQ(wait(db_.store().find_workflow(1, "made"))->owner, "Team CRM");
    EXPECT_EQ(wait(db_.store().find_version_by_name(1, "made", 1))->owner, "Team CRM");
    EXPECT_TRUE(wait(versions_.set_owner(1, "made", std::nullopt)));
    const auto listed = wait(db_.store().list_workflows(1, {.inactive = true, .after = "h~"}));
    ASSERT_EQ(listed.size(), 1u);
    EXPECT_EQ(listed[0].owner, "");
    EXPECT_EQ(listed[0].changed_by, "sql");
}

TEST_F(KeyNames, AreWithWhatTheKeysDid) {
    const auto id = open({});
    TaskAction action;
    action.by = "abcd2345";
    EXPECT_EQ(act(id, action), TaskAnswer::done);
    const auto task = find(id);
    EXPECT_EQ(task.key_names, json::value({{"abcd2345", "helpdesk"}}));
    EXPECT_EQ(called(task, task.decided_by), "helpdesk");
    EXPECT_EQ(called(task, "ann"), "ann");
    const auto decisions = wait(tasks_.decisions({}, id));
    EXPECT_EQ(decisions.front().by_name, "");
    EXPECT_EQ(decisions.back().by_name, "helpdesk");
    store::Drafts drafts(db_.pool());
    const auto draft = wait(drafts.put(1, {.name = "made", .text = "x", .by = "abcd2345"}));
    EXPECT_EQ(draft->updated_by_name, "helpdesk");
    EXPECT_EQ(wait(keys_.names(1, {"abcd2345", "ann"})), task.key_names);
    EXPECT_TRUE(wait(keys_.names(1, {"ann"})).is_null());
    EXPECT_TRUE(wait(keys_.names(2, {"abcd2345"})).is_null()) << "it is another tenant's";
}

TEST_F(KeyNames, AreInTheAuditListUnlessAPersonIsCalledSo) {
    store::Audit audit(db_.pool());
    for (const bool person : {false, true}) {
        store::AuditEntry entry;
        entry.by = "abcd2345";
        entry.person = person;
        entry.action = "startRun";
        entry.target = "/v1/runs";
        entry.door = "api";
        wait(audit.note(entry));
    }
    const auto listed = wait(audit.list(1, {}));
    ASSERT_EQ(listed.size(), 2u);
    EXPECT_EQ(listed[0].by_name, "");
    EXPECT_EQ(listed[1].by_name, "helpdesk");
}

}  // namespace
}  // namespace pawl::test
