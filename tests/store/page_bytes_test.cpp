#include "store/repos/human_tasks.hpp"
#include "store/repos/inbox.hpp"
#include "store/under_test.hpp"

// What lists show may be a megabyte each: a page ends where its bytes do, and the next one goes on.
namespace pawl::test {
namespace {

constexpr std::size_t rows = 12;
constexpr std::size_t rows_a_page = 6;  // of what follows: 4 MiB, and the one that goes beyond

json::object large(std::size_t number) {
    return {{"number", number}, {"text", std::string(900'000, 'x')}};
}

class PageBytes : public ::testing::Test {
protected:
    // Walks over all pages; `show` takes a cursor and gives the numbers of a page and a new one.
    template <class Cursor, class Show>
    static void expect_all_in_pages(Show show) {
        std::vector<std::int64_t> seen;
        std::size_t pages = 0;
        std::optional<Cursor> cursor;
        do {
            std::vector<std::int64_t> page;
            cursor = show(cursor, page);
            EXPECT_LE(page.size(), rows_a_page);
            seen.insert(seen.end(), page.begin(), page.end());
        } while (cursor && ++pages < rows);
        std::vector<std::int64_t> newest_first;
        for (std::size_t i = rows; i > 0; --i) {
            newest_first.push_back(static_cast<std::int64_t>(i - 1));
        }
        EXPECT_EQ(seen, newest_first);
        EXPECT_GE(pages, 2U);
    }
    static std::int64_t number_in(const json::value& value) {
        return value.at("number").to_number<std::int64_t>();
    }

    PgUnderTest db_;
    WorkerId worker_ = db_.worker();
};

TEST_F(PageBytes, Inbox) {
    store::Inbox inbox(db_.pool());
    for (std::size_t i = 0; i < rows; ++i) {
        store::OutsideEvent event;
        event.id = "e" + std::to_string(i);
        event.name = "paid";
        event.data = large(i);
        db_.publish({event});
    }
    expect_all_in_pages<std::int64_t>([&](auto before, auto& numbers) {
        store::InboxFilter filter;
        filter.limit = 1000;
        filter.before = before;
        const auto page = db_.loop().run(inbox.list({}, filter));
        for (const auto& event : page.events) numbers.push_back(number_in(event.data));
        return page.next;
    });
}

TEST_F(PageBytes, Tasks) {
    store::HumanTasks tasks(db_.pool());
    for (std::size_t i = 0; i < rows; ++i) {
        const RunId run = db_.run(worker_);
        Event waits;
        waits.seq = 1;
        waits.type = EventType::wait_started;
        waits.node = "ask";
        auto batch = appending(worker_, run, {waits});
        batch.parks.push_back({run, std::nullopt});
        batch.projections.opened.push_back(
            {run, 4, 1, db_.workflow(), "ask", "", {{"title", "t"}, {"data", large(i)}}}
        );
        db_.commit(batch);
    }
    expect_all_in_pages<Uuid>([&](auto before, auto& numbers) {
        store::TaskFilter filter;
        filter.limit = 1000;
        filter.before = before;
        const auto page = db_.loop().run(tasks.list({}, filter));
        for (const auto& task : page.tasks) numbers.push_back(number_in(task.data));
        return page.next;
    });
}

TEST_F(PageBytes, Runs) {
    for (std::size_t i = 0; i < rows; ++i) {
        const RunId run = db_.run(worker_);
        auto batch = closing(worker_, run);
        batch.closes.back().output = large(i);
        db_.commit(batch);
    }
    expect_all_in_pages<RunId>([&](auto before, auto& numbers) {
        store::RunFilter filter;
        filter.limit = 1000;
        filter.before = before;
        const auto page = db_.loop().run(db_.store().list_runs({}, filter));
        for (const auto& run : page.runs) numbers.push_back(number_in(run.output));
        return page.next;
    });
}

}  // namespace
}  // namespace pawl::test
