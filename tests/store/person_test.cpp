#include "model/person.hpp"

#include "base/rng.hpp"
#include "store/task_fixture.hpp"

#include <fmt/format.h>

// Names of people mean the same to the engine and to the database.
namespace pawl::test {
namespace {

using Names = Tasks;

constexpr std::string_view no_break = "\xc2\xa0";

// A name of blanks of all kinds, of what looks like one and is none, and of letters.
std::string random_name(Rng& rng) {
    static constexpr std::string_view pieces[] = {
        " ",      "\t",     "\n",     "\r",     "\f",           "\v",           "\xc2\xa0",
        "a",      "A",      "z",      "Z",      "\xe1\x9a\x80", "\xe2\x80\x80", "\xe2\x80\x8a",
        "\u2005", "\u202f", "\u205f", "\u3000", "\u200b",       "\u200c",       "\u2010",
        "\u00a1", "\u00e0", "\u00c4", "\u00e4", "\u1681",       "\u3001",       "@",
        ".",      "_",      "[",      "\\"};
    std::string name;
    for (auto left = rng.below(8); left > 0; --left) name += pieces[rng.below(std::size(pieces))];
    return name;
}

TEST_F(Names, AreFoldedAlikeByTheEngineAndTheDatabase) {
    Rng rng(7);
    std::vector<std::pair<std::string, std::string>> pairs;
    std::string list;
    for (int i = 0; i < 2000; ++i) {
        const std::string one = random_name(rng);
        const std::string other = rng.below(2) == 0 ? random_name(rng) : " " + one + "\u2003";
        list += fmt::format("{}('{}', '{}')", list.empty() ? "" : ", ", one, other);
        pairs.emplace_back(one, other);
    }
    Session& session = db_.database().session();
    const auto found = session.column(
        "select '<' || pawl.person_name(one) || '>' || pawl.is_same_person(one, other)"
        " from (values " +
        list + ") as n (one, other)"
    );
    ASSERT_EQ(found.size(), pairs.size());
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const auto& [one, other] = pairs[i];
        EXPECT_EQ(found[i], fmt::format("<{}>{}", person_name(one), is_same_person(one, other)))
            << "'" << one << "' and '" << other << "'";
    }
}

TEST_F(Names, OfTheSamePersonFindTheSameTasks) {
    const auto id = open({{"assignee", "Ann  Lee"}});
    for (const std::string& written :
         {std::string("ann lee"), "ANN" + std::string(no_break) + "Lee"}) {
        store::TaskFilter filter;
        filter.assignee = written;
        const auto found = page(filter).tasks;
        ASSERT_EQ(found.size(), 1U) << written;
        EXPECT_EQ(found[0].id, id);
    }
}

}  // namespace
}  // namespace pawl::test
