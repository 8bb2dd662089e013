#include "api/http/api_call.hpp"
#include "api/http/body.hpp"
#include "api/http/idempotent.hpp"
#include "api/http/query_params.hpp"
#include "api/http/readable.hpp"
#include "api/http/start_body.hpp"
#include "app/caller.hpp"

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

namespace pawl::api {
namespace {

Call call_with(std::string target, std::string body = "") {
    Call call;
    call.request.body = std::move(body);
    call.target = parse_target(target).value();
    return call;
}

template <class Action>
Problem refusal_of(Action action) {
    try {
        action();
    } catch (const Refused& refused) {
        return refused.problem();
    }
    ADD_FAILURE() << "was not refused";
    return {};
}

TEST(Target, IsTakenApart) {
    const auto target = parse_target("/v1/runs/a%20b?limit=5&name=x%26y&plus=a+b").value();
    EXPECT_EQ(target.segments, (std::vector<std::string>{"v1", "runs", "a b"}));
    ASSERT_NE(target.find("name"), nullptr);
    EXPECT_EQ(*target.find("name"), "x&y");
    EXPECT_EQ(*target.find("plus"), "a b");
    EXPECT_EQ(target.find("other"), nullptr);
}

TEST(Target, RefusesWhatNoNameCanHold) {
    for (const char* text : {"", "v1/runs", "/v1/%00", "/v1/a%0ab", "/v1?x=%01", "/v1/%zz"}) {
        EXPECT_FALSE(parse_target(text)) << text;
    }
}

TEST(Readable, WhatIsNoUtf8IsRefusedWithItsPlace) {
    const auto refused = [](std::string target, http::Headers headers = {}) {
        Call call = call_with(std::move(target));
        call.request.headers = std::move(headers);
        return refusal_of([&] { refuse_unreadable(call); });
    };
    EXPECT_EQ(refused("/v1/runs?workflow=%ff").status, 400);
    EXPECT_EQ(refused("/v1/runs?workflow=%ff").places.at(0).parameter, "workflow");
    EXPECT_EQ(refused("/v1/runs?%c3%28=1").places.at(0).parameter, "?(");
    EXPECT_EQ(refused("/v1/workflows/%ff/versions").code, "invalid_path");
    for (const char* name : {"Idempotency-Key", "ce-id", "CE-source", "Content-Type"}) {
        const Problem problem = refused("/v1/events", {{name, "a\xff"}});
        EXPECT_EQ(problem.status, 400) << name;
        EXPECT_EQ(problem.places.at(0).parameter, name);
    }
    Call fine = call_with("/v1/runs?subject=%C3%A9");
    fine.request.headers = {{"Idempotency-Key", "é"}, {"User-Agent", "\xe9"}};
    EXPECT_NO_THROW(refuse_unreadable(fine));
}

TEST(Body, TellsOfSomeOfWhatIsNotKnown) {
    json::object object;
    for (int i = 0; i < 5000; ++i) object["unknown_" + std::to_string(i)] = i;
    std::vector<ProblemPlace> places;
    Body body(object, places);
    body.refuse_unknown();
    EXPECT_EQ(places.size(), places_shown_max + 1);
}

TEST(Query, ACursorIsText) {
    const auto call = call_with("/x?cursor=" + make_cursor("\xff"));
    EXPECT_EQ(refusal_of([&] { cursor_of(call); }).status, 400);
}

TEST(Query, LimitIsBounded) {
    EXPECT_EQ(limit_of(call_with("/x")), 50);
    EXPECT_EQ(limit_of(call_with("/x?limit=1000")), 1000);
    for (const char* bad : {"0", "1001", "-1", "ten", "1.5", "99999999999"}) {
        const auto call = call_with(std::string("/x?limit=") + bad);
        EXPECT_EQ(refusal_of([&] { limit_of(call); }).status, 400) << bad;
    }
}

TEST(Query, AMisspeltFilterIsRefusedWithTheLikelyName) {
    const auto call = call_with("/x?stauts=failed");
    const Problem problem = refusal_of([&] { only_params(call, {"status", "workflow"}); });
    EXPECT_EQ(problem.status, 400);
    EXPECT_NE(problem.detail.find("did you mean 'status'"), std::string::npos) << problem.detail;
}

TEST(Query, CursorsGoThereAndBack) {
    const std::string place = "2026-01-01T00:00:00.000000Z 0190";
    EXPECT_EQ(cursor_of(call_with("/x?cursor=" + make_cursor(place))), place);
    const auto broken = call_with("/x?cursor=%21%21");
    EXPECT_EQ(refusal_of([&] { cursor_of(broken); }).status, 400);
}

TEST(StartRequest, NamesEverythingThatIsWrongAtOnce) {
    const json::object object = json::parse(R"({
        "data": [], "priority": 1.5, "start_at": "soon", "correlation": "x", "subject": ""
    })")
                                    .as_object();
    std::vector<ProblemPlace> places;
    read_start(object, places, "/runs/2");
    std::vector<std::string> pointers;
    for (const auto& place : places) pointers.push_back(place.pointer);
    std::sort(pointers.begin(), pointers.end());
    EXPECT_EQ(
        pointers,
        (std::vector<std::string>{
            "/runs/2/correlation",
            "/runs/2/data",
            "/runs/2/priority",
            "/runs/2/start_at",
            "/runs/2/subject",
            "/runs/2/workflow"})
    );
}

TEST(StartRequest, DelayAndStartAtExcludeEachOther) {
    const json::object object =
        json::parse(R"({"workflow":"a","delay":"5m","start_at":"2026-01-01T00:00:00Z"})")
            .as_object();
    std::vector<ProblemPlace> places;
    read_start(object, places);
    ASSERT_EQ(places.size(), 1u);
    EXPECT_EQ(places[0].pointer, "/delay");
}

TEST(Idempotency, KeysMayBeQuoted) {
    EXPECT_EQ(idempotency_key_of({{"idempotency-key", "abc"}}), "abc");
    EXPECT_EQ(idempotency_key_of({{"Idempotency-Key", "\"abc\""}}), "abc");
    EXPECT_EQ(idempotency_key_of({}), "");
    for (const std::string& bad : {std::string(), std::string("\"\""), std::string(256, 'x')}) {
        const http::Headers headers{{"Idempotency-Key", bad}};
        EXPECT_EQ(refusal_of([&] { idempotency_key_of(headers); }).status, 400) << bad;
    }
}

TEST(Idempotency, AKeyIsAlsoTheCorrelation) {
    app::Caller caller;
    EXPECT_EQ(correlation_for(caller, ""), "");
    EXPECT_EQ(correlation_for(caller, "mine"), "mine");
    caller.key = "k";
    EXPECT_EQ(correlation_for(caller, "mine"), "mine");
    EXPECT_NE(correlation_for(caller, "", 0), correlation_for(caller, "", 1));
}

TEST(Times, AreReadWithTheirOffset) {
    const auto at = parse_rfc3339("2026-01-31T09:00:00.5+01:00");
    ASSERT_TRUE(at);
    EXPECT_EQ(to_rfc3339(*at), "2026-01-31T08:00:00.500000Z");
    EXPECT_EQ(to_rfc3339(*parse_rfc3339("2026-01-31T09:00:00Z")), "2026-01-31T09:00:00.000000Z");
    for (const char* bad :
         {"",
          "soon",
          "2026-01-31",
          "2026-02-30T00:00:00Z",
          "2026-01-31T09:00:00",
          "2026-01-31T09:00:00Zx"}) {
        EXPECT_FALSE(parse_rfc3339(bad)) << bad;
    }
}

}  // namespace
}  // namespace pawl::api
