#include "support/database.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <map>
#include <regex>

// A value that an index cannot take fails the whole transaction, with what others write in it. So
// every text in an index has a bound that a constraint holds, and all of them together fit.
namespace pawl::test {
namespace {

constexpr int index_bytes_max = 2704;
constexpr int row_overhead = 64;  // the header, numbers and uuids beside the texts

// One column of an index that can be of any length, and the constraints of its table.
struct Column {
    std::string index;
    std::string name;
    std::string checks;
};

// Bounds that are not written as a length.
const std::map<std::string, int> otherwise_bounded{
    {"message_channel_unique.channel", 5},  // email or sms
    {"credential_pk.name", 100},            // by a pattern
};

int bound_of(const Column& column) {
    const auto known = otherwise_bounded.find(column.index + "." + column.name);
    if (known != otherwise_bounded.end()) return known->second;
    std::smatch found;
    const std::regex bytes(
        fmt::format(R"(octet_length\({0}\) <= (\d+)|length\({0}\) = (\d+))", column.name)
    );
    if (std::regex_search(column.checks, found, bytes)) {
        return std::stoi(found[1].matched ? found[1] : found[2]);
    }
    const std::regex characters(fmt::format(R"(\(length\({}\) <= (\d+))", column.name));
    return std::regex_search(column.checks, found, characters) ? 4 * std::stoi(found[1]) : 0;
}

std::vector<Column> columns(Session& session) {
    const auto rows = session.column(
        "select x.relname || chr(9) || a.attname || chr(9) || coalesce((select "
        "string_agg(pg_get_constraintdef(k.oid), ' ') from pg_constraint k where k.conrelid = "
        "i.indrelid and k.contype = 'c'), '') from pg_index i join pg_class x on x.oid = "
        "i.indexrelid join pg_am m on m.oid = x.relam and m.amname = 'btree' join pg_class t on "
        "t.oid = i.indrelid join pg_attribute a on a.attrelid = t.oid and a.attlen = -1 and not "
        "a.attisdropped join pg_depend d on d.classid = 'pg_class'::regclass and d.objid = "
        "x.oid and d.refobjid = t.oid and d.refobjsubid = a.attnum where "
        "t.relnamespace::regnamespace::text in ('pawl', 'queues', 'comms', 'internal') "
        "and (a.attnum = any (i.indkey) or (i.indexprs is not null and 0 = any (i.indkey))) "
        "union "
        "select x.relname || chr(9) || a.attname || chr(9) || coalesce((select "
        "string_agg(pg_get_constraintdef(k.oid), ' ') from pg_constraint k where k.conrelid = "
        "i.indrelid and k.contype = 'c'), '') from pg_index i join pg_class x on x.oid = "
        "i.indexrelid join pg_am m on m.oid = x.relam and m.amname = 'btree' join pg_class t on "
        "t.oid = i.indrelid join pg_attribute a on a.attrelid = t.oid and a.attlen = -1 and "
        "a.attnum = any (i.indkey) where "
        "t.relnamespace::regnamespace::text in ('pawl', 'queues', 'comms', 'internal') order by 1"
    );
    std::vector<Column> found;
    for (const std::string& row : rows) {
        const auto first = row.find('\t');
        const auto second = row.find('\t', first + 1);
        found.push_back(
            {row.substr(0, first),
             row.substr(first + 1, second - first - 1),
             row.substr(second + 1)}
        );
    }
    return found;
}

TEST(IndexBounds, EveryTextInAnIndexHasOne) {
    TestDatabase database;
    const auto all = columns(database.session());
    EXPECT_GT(all.size(), 40U);
    std::map<std::string, int> sums;
    for (const Column& column : all) {
        const int bound = bound_of(column);
        EXPECT_GT(bound, 0) << column.index << " has " << column.name
                            << ", which can be of any length: give its table a check such as "
                               "octet_length("
                            << column.name << ") <= 500, and refuse longer ones before the commit";
        sums[column.index] += bound;
    }
    for (const auto& [index, bytes] : sums) {
        EXPECT_LE(bytes + row_overhead, index_bytes_max)
            << index << " may not take all it is given";
    }
}

}  // namespace
}  // namespace pawl::test
