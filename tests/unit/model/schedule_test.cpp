#include "model/schedule.hpp"

#include "base/json.hpp"

#include <boost/json/object.hpp>
#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace pawl {
namespace {

using namespace std::chrono_literals;

Instant at(std::string_view text) {
    return parse_rfc3339(text).value();
}

const Cron hourly = parse_cron("@hourly").value();
const Instant noon = at("2026-03-01T12:00:00Z");

TEST(DueSlots, UpToNow) {
    const auto due = due_slots(hourly, {}, noon, noon, 1h, 100);
    EXPECT_EQ(due.slots, std::vector{noon});
    EXPECT_EQ(due.missed, 0);
    EXPECT_EQ(due.next, noon + 1h);
    const auto early = due_slots(hourly, {}, noon, noon - 1us, 1h, 100);
    EXPECT_TRUE(early.slots.empty());
    EXPECT_EQ(early.next, noon);
}

TEST(DueSlots, WhatIsTooOldIsMissed) {
    const auto due = due_slots(hourly, {}, noon, noon + 5h + 10min, 2h + 30min, 100);
    EXPECT_EQ(due.missed, 3);
    EXPECT_EQ(due.slots, (std::vector<Instant>{noon + 3h, noon + 4h, noon + 5h}));
    EXPECT_EQ(due.next, noon + 6h);
}

TEST(DueSlots, TheLimitLeavesTheRestForTheNextTime) {
    const auto due = due_slots(hourly, {}, noon, noon + 5h, 24h, 2);
    EXPECT_EQ(due.slots, (std::vector<Instant>{noon, noon + 1h}));
    EXPECT_EQ(due.next, noon + 2h);
}

TEST(DueSlots, ALittleLateIsNeverMissed) {
    const auto due = due_slots(hourly, {}, noon, noon + 9s, 0s, 100);
    EXPECT_EQ(due.slots, std::vector{noon});
    EXPECT_EQ(due_slots(hourly, {}, noon, noon + 11s, 0s, 100).missed, 1);
}

TEST(DueSlots, YearsOfSilence) {
    const Cron minutely = parse_cron("* * * * *").value();
    const Instant now = noon + 24h * 365 * 3;
    const auto due = due_slots(minutely, {}, noon, now, 10min, 100);
    EXPECT_EQ(due.missed, 100'000) << "counted up to there";
    EXPECT_EQ(due.slots.size(), 11U);
    EXPECT_EQ(due.slots.front(), now - 10min);
}

TEST(DueSlots, EverySlotIsDueMissedOrAhead) {
    EXPECT_TRUE(rc::check([] {
        const Cron cron = parse_cron("*/7 * * * *").value();
        const Instant first =
            *next_slot(cron, {}, noon + std::chrono::seconds(*rc::gen::inRange(0, 100'000)));
        const Instant now = first + std::chrono::seconds(*rc::gen::inRange(-5000, 500'000));
        const Duration catch_up = std::chrono::seconds(*rc::gen::inRange(0, 100'000));
        std::optional<Instant> next = first;
        std::int64_t missed = 0;
        std::vector<Instant> fired;
        for (int round = 0; round < 100'000; ++round) {
            const auto due = due_slots(cron, {}, *next, now, catch_up, 3);
            missed += due.missed;
            fired.insert(fired.end(), due.slots.begin(), due.slots.end());
            next = due.next;
            if (*next > now) break;
        }
        const auto all = static_cast<std::int64_t>(count_slots(cron, {}, first, *next, 1'000'000));
        RC_ASSERT(all == missed + static_cast<std::int64_t>(fired.size()));
        for (const Instant slot : fired) {
            RC_ASSERT(slot >= now - std::max<Duration>(catch_up, lateness_min));
        }
    }));
}

TEST(CountSlots, HalfOpen) {
    EXPECT_EQ(count_slots(hourly, {}, noon, noon + 3h, 100), 3U);
    EXPECT_EQ(count_slots(hourly, {}, noon + 1us, noon + 3h + 1us, 100), 3U);
    EXPECT_EQ(count_slots(hourly, {}, noon, noon, 100), 0U);
    EXPECT_EQ(count_slots(hourly, {}, noon, noon + 1000h, 7), 7U);
}

TEST(SlotDelay, IsBelowTheJitterAndTheSameEverywhere) {
    EXPECT_EQ(slot_delay(1, noon, 0s), 0s);
    EXPECT_EQ(slot_delay(1, noon, 1min), slot_delay(1, noon, 1min));
    EXPECT_NE(slot_delay(1, noon, 1min), slot_delay(2, noon, 1min));
    Duration sum{};
    for (int i = 0; i < 1000; ++i) {
        const Duration delay = slot_delay(7, noon + i * 1h, 1min);
        ASSERT_GE(delay, 0s);
        ASSERT_LT(delay, 1min);
        sum += delay;
    }
    EXPECT_NEAR(static_cast<double>(sum.count()) / 1000, 30e6, 3e6) << "spread evenly";
}

TEST(SlotInput, TemplatesSeeTheSlot) {
    const SlotInfo info{3, at("2026-03-29T01:00:00Z"), parse_time_zone("Europe/Berlin").value()};
    const json::value input{
        {"day", "{{ schedule.date }}"},
        {"text", "{{schedule.time}} of {{schedule.slot}}"},
        {"id", "{{schedule.id}}"}};
    EXPECT_EQ(
        slot_input(input, info).value(),
        json::value(
            {{"day", "2026-03-29"}, {"text", "03:00 of 2026-03-29T01:00:00.000000Z"}, {"id", 3}}
        )
    );
    EXPECT_EQ(slot_input(nullptr, info).value(), json::value(json::object()));
    EXPECT_EQ(slot_input({{"a", 1}}, info).value(), json::value({{"a", 1}}));
    EXPECT_EQ(
        slot_input({{"a", "{{ schedule.slto }}"}}, info).error().message, "undefined: schedule.slto"
    );
}

TEST(OverlapNames, ReadBack) {
    for (const auto overlap : {Overlap::skip, Overlap::allow, Overlap::queue}) {
        EXPECT_EQ(parse_overlap(name(overlap)), overlap);
    }
    EXPECT_FALSE(parse_overlap("never"));
}

}  // namespace
}  // namespace pawl
