#pragma once

#include "app/messages/template_uses.hpp"

namespace pawl::app {

// A template that is tried out: how it is filled, where it goes and by what.
struct TestParams {
    PreviewParams filled;
    std::string channel;
    std::string to;
    std::string connector;  // empty: the tenant's for the channel
    std::string account;    // empty: its default
};
struct TestSent {
    Uuid message;
    std::string state;  // sent, failed, unknown
    std::string connector;
    std::string account;
    std::string external_id;
    std::string error;
    Preview filled;
};
// Sends it at once, for no run and no person: it is kept as a test, and counts for nothing. What
// the provider refuses is `failed`; an address that gets nothing is refused here.
asio::awaitable<Result<TestSent>> send_test(
    TemplateUses& uses, store::Tenant tenant, TestParams params
);

}  // namespace pawl::app
