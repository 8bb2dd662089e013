#pragma once

#include "pg/pg_error.hpp"
#include "support/database.hpp"

#include <boost/algorithm/string/join.hpp>
#include <fmt/core.h>
#include <gtest/gtest.h>

namespace pawl::test {

// A migrated database without the extension pgmq: its schema is the one Pawl made.
class QueueTest : public ::testing::Test {
protected:
    QueueTest() { session_.script("select pgmq.drop_queue(queue_name) from pgmq.list_queues()"); }
    std::string one(const std::string& expression) {
        return session_.value("select (" + expression + ")::text");
    }
    // The first column of all rows, in the order they came.
    std::string all(const std::string& sql) { return boost::join(session_.column(sql), " "); }
    // Messages 1..n, each its number as JSON.
    void fill(const std::string& queue, int n) {
        session_.script(fmt::format(
            "select pgmq.create('{0}'); select from pgmq.send_batch('{0}', "
            "array(select to_jsonb(i) from generate_series(1, {1}) i))",
            queue,
            n
        ));
    }

    TestDatabase database_;
    Session& session_ = database_.session();
};

}  // namespace pawl::test
