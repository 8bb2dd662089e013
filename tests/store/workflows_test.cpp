#include "store/under_test.hpp"

namespace pawl::test {
namespace {

template <class T>
class Workflows : public Conformance<T> {};
TYPED_TEST_SUITE(Workflows, Stores, StoreNames);

TYPED_TEST(Workflows, ANewDefinitionIsANewVersion) {
    auto& db = this->db_;
    const auto first = db.apply(line("hello", 1));
    EXPECT_TRUE(first.changed);
    EXPECT_EQ(first.version, 1);
    const auto same = db.apply(line("hello", 1));
    EXPECT_FALSE(same.changed);
    EXPECT_EQ(same.version, 1);
    const auto second = db.apply(line("hello", 2));
    EXPECT_TRUE(second.changed);
    EXPECT_EQ(second.id, first.id);
    EXPECT_EQ(second.version, 2);
    // Going back is a new version too: versions are never changed or reused.
    const auto third = db.apply(line("hello", 1));
    EXPECT_TRUE(third.changed);
    EXPECT_EQ(third.version, 3);
}

TYPED_TEST(Workflows, FindsTheActiveVersionByNameAndAnyById) {
    auto& db = this->db_;
    const auto applied = db.apply(line("hello", 1));
    db.apply(line("hello", 2));
    const auto active = db.find_workflow("hello");
    ASSERT_TRUE(active);
    EXPECT_EQ(active->version, 2);
    EXPECT_EQ(active->name, "hello");
    EXPECT_EQ(active->bucket, 0);
    EXPECT_EQ(active->tenant, 1);
    EXPECT_EQ(definition_from_json(active->definition).value(), line("hello", 2));
    const auto old = db.find_version(applied.id, 1);
    ASSERT_TRUE(old);
    EXPECT_EQ(definition_from_json(old->definition).value(), line("hello", 1));
    EXPECT_FALSE(db.find_workflow("unknown"));
    EXPECT_FALSE(db.find_version(applied.id, 3));
    EXPECT_FALSE(db.find_version(applied.id + 1, 1));
}

TYPED_TEST(Workflows, ListsActiveVersionsByName) {
    auto& db = this->db_;
    db.apply(line("b"));
    db.apply(line("a"));
    db.apply(line("b", 3));
    const auto all = db.list_workflows();
    ASSERT_EQ(all.size(), 2u);
    EXPECT_EQ(all[0].name, "a");
    EXPECT_EQ(all[1].name, "b");
    EXPECT_EQ(all[1].version, 2);
}

TYPED_TEST(Workflows, AnInactiveOneIsKnownAndApplyingItAgainActivatesIt) {
    auto& db = this->db_;
    db.apply(line("hello", 1));
    db.apply(line("other", 1));
    EXPECT_TRUE(db.deactivate("hello"));
    EXPECT_TRUE(db.deactivate("hello"));
    EXPECT_FALSE(db.deactivate("unknown"));
    const auto found = db.find_workflow("hello");
    ASSERT_TRUE(found);
    EXPECT_FALSE(found->active);
    EXPECT_EQ(found->version, 1);
    ASSERT_EQ(db.list_workflows().size(), 1u);
    EXPECT_EQ(db.list_workflows()[0].name, "other");
    store::WorkflowFilter all;
    all.inactive = true;
    ASSERT_EQ(db.list_workflows(all).size(), 2u);
    EXPECT_FALSE(db.list_workflows(all)[0].active);
    EXPECT_TRUE(db.list_workflows(all)[1].active);
    const auto again = db.apply(line("hello", 1));
    EXPECT_FALSE(again.changed);
    EXPECT_EQ(again.version, 1);
    EXPECT_TRUE(db.find_workflow("hello")->active);
}

TYPED_TEST(Workflows, AnOlderVersionCanBeMadeTheActiveOne) {
    auto& db = this->db_;
    const auto id = db.apply(line("hello", 1)).id;
    db.apply(line("hello", 2));
    const auto back = db.activate("hello", 1);
    ASSERT_TRUE(back);
    EXPECT_EQ(back->id, id);
    EXPECT_EQ(back->version, 1);
    EXPECT_TRUE(back->changed);
    EXPECT_EQ(db.find_workflow("hello")->version, 1);
    EXPECT_EQ(
        definition_from_json(db.find_workflow("hello")->definition).value(), line("hello", 1)
    );
    EXPECT_FALSE(db.activate("hello", 1)->changed);
    EXPECT_FALSE(db.activate("hello", 3));
    EXPECT_FALSE(db.activate("unknown"));
    // What it is now is compared with what is applied, and the next number is still free.
    EXPECT_FALSE(db.apply(line("hello", 1)).changed);
    EXPECT_EQ(db.apply(line("hello", 3)).version, 3);
    db.deactivate("hello");
    EXPECT_EQ(db.activate("hello")->version, 3);
    EXPECT_TRUE(db.find_workflow("hello")->active);
}

TYPED_TEST(Workflows, VersionsAreListedNewestFirst) {
    auto& db = this->db_;
    for (int steps = 1; steps <= 3; ++steps) db.apply(line("hello", steps));
    db.activate("hello", 2);
    const auto versions = db.list_versions("hello");
    ASSERT_EQ(versions.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(versions[i].version, static_cast<int>(3 - i));
        EXPECT_EQ(versions[i].active, versions[i].version == 2);
        EXPECT_EQ(versions[i].name, "hello");
    }
    EXPECT_TRUE(db.list_versions("unknown").empty());
    EXPECT_EQ(db.find_version("hello", 3)->version, 3);
    EXPECT_FALSE(db.find_version("hello", 3)->active);
    EXPECT_FALSE(db.find_version("hello", 4));
    EXPECT_FALSE(db.find_version("unknown", 1));
}

TYPED_TEST(Workflows, AreListedInPages) {
    auto& db = this->db_;
    for (const char* name : {"c", "a", "d", "b"}) db.apply(line(name));
    store::WorkflowFilter filter;
    filter.limit = 3;
    auto page = db.list_workflows(filter);
    ASSERT_EQ(page.size(), 3u);
    EXPECT_EQ(page.back().name, "c");
    filter.after = page.back().name;
    page = db.list_workflows(filter);
    ASSERT_EQ(page.size(), 1u);
    EXPECT_EQ(page[0].name, "d");
}

TEST(WorkflowsPg, TenAppliesAtOnceMakeOneVersion) {
    PgUnderTest db;
    const auto definition = line("hello");
    std::vector<asio::awaitable<store::Applied>> calls;
    calls.reserve(10);
    for (int i = 0; i < 10; ++i)
        calls.push_back(db.store().apply_workflow(store::default_tenant, definition));
    int changed = 0;
    for (const auto& applied : db.loop().run_all(std::move(calls))) {
        EXPECT_EQ(applied.version, 1);
        changed += applied.changed ? 1 : 0;
    }
    EXPECT_EQ(changed, 1);
}

TYPED_TEST(Workflows, TenantsHaveNamesOfTheirOwn) {
    auto& db = this->db_;
    auto& store = db.store();
    const store::TenantId other = db.other_tenant();
    const auto mine = db.apply(line("hello", 1));
    const auto theirs = db.loop().run(store.apply_workflow(other, line("hello", 2)));
    EXPECT_NE(theirs.id, mine.id);
    EXPECT_EQ(theirs.version, 1);
    db.loop().run(store.apply_workflow(other, line("theirs", 1)));

    const auto found = db.loop().run(store.find_workflow(other, "hello"));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->id, theirs.id);
    EXPECT_EQ(found->tenant, other);
    EXPECT_EQ(db.find_workflow("hello")->id, mine.id);
    EXPECT_FALSE(db.find_workflow("theirs"));
    EXPECT_FALSE(db.find_version("theirs", 1));
    EXPECT_TRUE(db.list_versions("theirs").empty());
    EXPECT_FALSE(db.activate("theirs"));
    EXPECT_FALSE(db.deactivate("theirs"));
    ASSERT_EQ(db.list_workflows().size(), 1u);
    EXPECT_EQ(db.loop().run(store.list_workflows(other, {})).size(), 2u);

    db.deactivate("hello");
    EXPECT_TRUE(db.loop().run(store.find_workflow(other, "hello"))->active);
}

}  // namespace
}  // namespace pawl::test
