#include "api/http/task_page.hpp"

#include "api/auth/task_link.hpp"
#include "api/http/task_words.hpp"

#include <gtest/gtest.h>

namespace pawl::api {
namespace {

TEST(TaskPage, NothingFromOutsideBecomesMarkup) {
    store::HumanTask task;
    task.title = "<script>alert(1)</script> %body%";
    task.description = "\"><img src=x onerror=alert(1)>";
    task.data = {{"a", "</pre><b>"}};
    const auto page = ask_page(task, "<ann>", task_words("en"), {"", "\"><b>", "", {}}, {"<i>"});
    for (const char* bad : {"<script>", "<img", "<b>", "<i>", "<ann>"}) {
        EXPECT_EQ(page.body.find(bad), std::string::npos) << bad;
    }
    // A title that looks like a place of the template stays text.
    EXPECT_NE(page.body.find("%body%</h1>"), std::string::npos) << page.body;
}

TEST(TaskPage, ReadsWhatAFormSends) {
    const auto form = read_form("decision=approve&reason=a+b%26c%C3%A4&data=%7B%7D&other=1");
    EXPECT_EQ(form.decision, "approve");
    EXPECT_EQ(form.reason, "a b&cä");
    EXPECT_EQ(form.data, "{}");
    for (const char* odd : {"", "&", "=", "decision", "reason=%", "reason=%4", "data=%zz&&&"}) {
        read_form(odd);
    }
    EXPECT_EQ(read_form("reason=100%").reason, "100%");
}

TEST(TaskLink, ComesBackAsItWas) {
    const Seal seal("0123456789abcdef");
    TaskLink link;
    link.task.bytes[5] = 9;
    link.tenant = {3, 2};
    link.by = "ann \"the boss\" o'neill";
    link.expires = Instant(std::chrono::seconds(1'700'000'000));
    const auto opened = open_link(seal, seal_link(seal, link));
    ASSERT_TRUE(opened);
    EXPECT_EQ(opened->task, link.task);
    EXPECT_EQ(opened->tenant.id, 3);
    EXPECT_EQ(opened->tenant.bucket, 2);
    EXPECT_EQ(opened->by, link.by);
    EXPECT_EQ(opened->expires, link.expires);
    EXPECT_FALSE(open_link(seal, seal.close("callback", "[]")));
    EXPECT_FALSE(open_link(seal, seal.close("task", "[]")));
    EXPECT_FALSE(open_link(Seal("another secret!!"), seal_link(seal, link)));
}

}  // namespace
}  // namespace pawl::api
