#include "api/http/long_requests.hpp"

#include "api/http/problem.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace pawl::api {
namespace {

using Places = std::vector<LongRequests::Place>;

// Takes places until there are none; what the last refusal said.
Problem take_all(LongRequests& requests, std::int32_t tenant, Places& places) {
    for (int i = 0; i < 10000; ++i) {
        try {
            places.push_back(requests.take(tenant));
        } catch (const Refused& refused) {
            return refused.problem();
        }
    }
    return {};
}

TEST(LongRequests, ATenantHasAQuarterOfTheConnections) {
    LongRequests requests;
    requests.fit(200);
    Places places;
    const Problem why = take_all(requests, 1, places);
    EXPECT_EQ(places.size(), 50U);
    EXPECT_EQ(why.status, 429);
    EXPECT_EQ(why.code, "too_many_streams");
    EXPECT_EQ(http::find_header(why.headers, "Retry-After")->substr(), "5");
    EXPECT_NE(why.detail.find("/v1/stream"), std::string::npos);
    places.pop_back();
    EXPECT_NO_THROW(places.push_back(requests.take(1)));
}

TEST(LongRequests, AnyNumberOfTenantsLeavesHalfOfThemAndSomeToTheNext) {
    LongRequests requests;
    requests.fit(200);
    std::vector<Places> all(6);
    std::size_t total = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        take_all(requests, static_cast<std::int32_t>(i), all[i]);
        EXPECT_GT(all[i].size(), 0U) << i;
        total += all[i].size();
    }
    EXPECT_LE(total, 100U);
    all[0].clear();
    EXPECT_NO_THROW(requests.take(5));
}

TEST(LongRequests, APlaceMayOutliveThem) {
    Places places;
    LongRequests requests;
    places.push_back(requests.take(1));
    requests = LongRequests();
    places.clear();
}

TEST(LongRequests, ThereIsNoLimitUntilItIsToldOne) {
    LongRequests requests;
    Places places;
    take_all(requests, 1, places);
    EXPECT_EQ(places.size(), 10000U);
}

}  // namespace
}  // namespace pawl::api
