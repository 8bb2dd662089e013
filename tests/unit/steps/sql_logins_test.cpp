#include "steps/sql_logins.hpp"

#include "support/loop.hpp"

#include <gtest/gtest.h>

namespace pawl::steps {
namespace {

// Why a statement of the tenant is not begun.
std::string refusal(const SqlSettings& given, store::TenantId tenant) {
    test::Loop loop;
    SqlSettings settings = given;
    settings.engine.emplace();
    SqlLogins logins(loop.context().get_executor(), std::move(settings));
    StepRequest request;
    request.tenant = tenant;
    const StepOutcome outcome = loop.run(logins.run(std::move(request)));
    return outcome.error ? outcome.error->code : "";
}

TEST(SqlLogins, StatementsRunNowhereUnlessALoginIsConfigured) {
    EXPECT_EQ(refusal({}, store::default_tenant), "no_sql_login");
    SqlSettings engine;
    engine.as_engine = true;
    EXPECT_EQ(refusal(engine, store::default_tenant), "invalid_config") << "it has no statement";
}

TEST(SqlLogins, TenantsDoNotShareALogin) {
    SqlSettings engine;
    engine.as_engine = true;
    EXPECT_EQ(refusal(engine, 2), "no_sql_login");
    SqlSettings one;
    one.url = "postgresql://steps@/x";
    EXPECT_EQ(refusal(one, store::default_tenant), "invalid_config");
    EXPECT_EQ(refusal(one, 2), "no_sql_login");
    SqlSettings each;
    each.url = "postgresql://steps_{tenant}@/x";
    each.tenant_name = [](store::TenantId) -> asio::awaitable<std::string> { co_return "acme"; };
    EXPECT_EQ(refusal(each, 2), "invalid_config");
}

TEST(SqlLogins, TheNameOfATenantIsPartOfAUrlAndNoMore) {
    EXPECT_EQ(
        url_for_tenant("postgresql://steps_{tenant}@db/x?options={tenant}", "acme-1"),
        "postgresql://steps_acme-1@db/x?options=acme-1"
    );
    EXPECT_EQ(
        url_for_tenant("postgresql://{tenant}@db/x", "a@evil:/{tenant}"),
        "postgresql://a%40evil%3A%2F%7Btenant%7D@db/x"
    );
}

}  // namespace
}  // namespace pawl::steps
