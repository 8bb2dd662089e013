#include "base/wrapped_secret.hpp"
#include "store/amp_fixture.hpp"

// What the log of journeys says, and which merchant sees what.
namespace pawl::test {
namespace {

TEST_F(Amp, TheDashboardCountsAsItIsWritten) {
    session_.script(
        "update pawl.message set delivered_at = now(), opened_at = now(), heard = 7, state = 7 "
        "where run_id in (select run_id from pawl.run where status = 1)"
    );
    for (const char* who : {alpha, service}) {
        sign_in(who);
        EXPECT_EQ(ask(0, journey_ + ", " + ever_), Rows{"(4)"});
        EXPECT_EQ(ask(1, journey_), Rows{"(2)"});
        EXPECT_EQ(ask(2, journey_), Rows{"(1)"});
        EXPECT_EQ(ask(3, journey_), Rows{"(1)"});
        EXPECT_EQ(ask(0, journey_ + ", '2000-01-01', '2001-01-01'"), Rows{"(0)"});
    }
    sign_in(alpha);
    EXPECT_EQ(ask(4, ever_), Rows{"(line,4,4,1,1)"});
    const Rows people = ask(5, journey_);
    ASSERT_EQ(people.size(), 4u);
    EXPECT_TRUE(people[0].starts_with("(Ann,11111111-0000-0000-0000-000000000001,"));
    EXPECT_EQ(value("select count(*)::text from answer where exit_date is not null"), "1");
    EXPECT_EQ(value("select count(*)::text from answer where completion_date is not null"), "1");
    sign_in(beta);
    EXPECT_EQ(ask(0, journey_ + ", " + ever_), Rows{"(0)"});
    EXPECT_EQ(ask(4, ever_), Rows{"(line,1,1,1,1)"});
    EXPECT_TRUE(ask(5, journey_).empty());
}

TEST_F(Amp, TheLogHasTheNineTypesAndWhatCallersAdd) {
    session_.script(
        "update pawl.message set delivered_at = now(), opened_at = now(), heard = 7, "
        "state = 7 where person = '11111111-0000-0000-0000-000000000001'"
    );
    sign_in(alpha);
    EXPECT_EQ(
        session_.column("select event_type || ' ' || count(*) from amp_workflow_log group by "
                        "event_type order by 1"),
        (Rows{
            "action_delivered 2",
            "action_failed 1",
            "action_opened 2",
            "action_sent 4",
            "execution_completed 1",
            "execution_exited 1",
            "execution_failed 1",
            "execution_started 4",
            "node_executed 17"})
    );
    session_.script(
        "select api_log_amp_workflow_event(amp_test_id('c', 1), amp_test_id('1', 1), 'mine', "
        "'execution_started')"
    );
    session_.script(
        "insert into amp_workflow_log (merchant_id, workflow_id, user_id, inngest_run_id, "
        "event_type) values (get_current_merchant_id(), amp_test_id('c', 1), amp_test_id('1', 9), "
        "'mine too', 'execution_started')"
    );
    EXPECT_EQ(
        value("select concat_ws(' ', total_triggers, unique_users, completed, failed, exited, "
              "in_flight) from v_amp_workflow_performance"),
        "6 3 1 1 1 3"
    );
    EXPECT_EQ(
        value("select concat_ws(' ', action_type, executed, sent, delivered, opened, failed) from "
              "v_amp_workflow_action_funnel"),
        "line 4 4 2 2 0"
    );
}

// All of a walk is committed at once, and the provider gives whole seconds.
TEST_F(Amp, TheLogIsInTheOrderOfWhatHappened) {
    session_.script(
        "update pawl.message set delivered_at = date_trunc('second', created_at), "
        "opened_at = date_trunc('second', created_at), sent_at = date_trunc('second', created_at), "
        "heard = 7, state = 7"
    );
    sign_in(alpha);
    const auto walked = [&](const std::string& end) {
        return session_.value(
            "select string_agg(concat_ws(' ', event_type, node_type), ', ' order by created_at) "
            "from amp_workflow_log where inngest_run_id in (select inngest_run_id from "
            "amp_workflow_log where event_type = '" +
            end + "') and workflow_id = " + journey_
        );
    };
    const std::string begin =
        "execution_started, node_executed trigger, node_executed condition, "
        "node_executed message, action_sent message, action_delivered message, "
        "action_opened message, node_executed wait";
    EXPECT_EQ(walked("execution_completed"), begin + ", node_executed action, execution_completed");
    EXPECT_EQ(walked("execution_failed"), begin + ", action_failed action, execution_failed");
    EXPECT_EQ(walked("execution_exited"), begin + ", execution_exited");
    EXPECT_EQ(
        value("select count(*)::text from (select from amp_workflow_log group by inngest_run_id, "
              "created_at having count(*) > 1) as x"),
        "0"
    );
}

TEST_F(Amp, OneMerchantGetsNothingOfAnother) {
    sign_in(beta);
    EXPECT_EQ(
        value("select string_agg(distinct merchant_id::text, ',') from amp_workflow_log"), beta
    );
    EXPECT_EQ(value("select count(*)::text from amp_workflow where id = " + journey_), "0");
    EXPECT_EQ(value("select (bff_get_amp_workflow_full(" + journey_ + ") is null)::text"), "true");
    EXPECT_EQ(
        session_
            .refusal(
                "insert into amp_workflow_node (workflow_id, merchant_id, node_type) "
                "values (" +
                journey_ + ", get_current_merchant_id(), 'wait')"
            )
            .sqlstate,
        "23503"
    );
    EXPECT_EQ(
        session_
            .refusal(
                "insert into amp_workflow (merchant_id, workflow_code, name) values ('" +
                std::string(alpha) + "', 'x', 'x')"
            )
            .sqlstate,
        "42501"
    );
    EXPECT_EQ(
        session_
            .refusal(
                "select api_log_amp_workflow_event(" + journey_ + ", amp_test_id('1', 1), 'x', 'x')"
            )
            .sqlstate,
        "23503"
    );
    sign_in(service);
    EXPECT_EQ(value("select count(distinct merchant_id)::text from amp_workflow_log"), "2");
}

TEST_F(Amp, CredentialsNeedAServerWithAKey) {
    sign_in(alpha);
    const auto said = session_.refusal(
        "insert into merchant_credentials (merchant_id, service_name, credentials) values "
        "(get_current_merchant_id(), 'line', '{\"channel_id\": \"1\"}')"
    );
    EXPECT_EQ(said.sqlstate, "55000");
    EXPECT_TRUE(said.hint.find("PAWL_SECRET_KEY") != std::string::npos) << said.hint;
}

TEST_F(Amp, CredentialsAreWrittenWithSqlAndReadByTheServerAlone) {
    const WrapKey key = new_wrap_key();
    session_.script(fmt::format(
        "insert into pawl.wrap_key (modulus, key_id, nonce, box) values ({}, '', '', '')",
        key.modulus
    ));
    sign_in(alpha);
    // Longer than a block, and not in ASCII.
    const std::string secret = "ลับ" + std::string(100, 's');
    EXPECT_EQ(
        value(fmt::format(
            "insert into merchant_credentials (service_name, credentials) values "
            "('8x8', '{{\"api_key\": \"{}\"}}') "
            "returning concat_ws(' ', service_name, account_name, credentials)",
            secret
        )),
        "sms_8x8 default"
    );
    EXPECT_EQ(
        value("select concat_ws(' ', service_name, status, credentials) from merchant_credentials"),
        "sms_8x8 pending"
    );
    sign_in(beta);
    EXPECT_EQ(value("select count(*)::text from merchant_credentials"), "0");
    EXPECT_EQ(
        session_
            .refusal(fmt::format(
                "insert into merchant_credentials (merchant_id, service_name, credentials) values "
                "('{}', 'line', '{{}}')",
                alpha
            ))
            .sqlstate,
        "42501"
    );
    sign_out();
    const auto bytes = [&](const std::string& column) {
        const std::string hex =
            value("select encode(" + column + ", 'hex') from pawl.credential_inbox");
        std::string out;
        for (std::size_t i = 0; i < hex.size(); i += 2) {
            out += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
        }
        return out;
    };
    WrappedSecret wrapped{bytes("wrapped"), bytes("data"), bytes("mac")};
    EXPECT_EQ(wrapped.data.find("api_key"), std::string::npos);
    const std::string about =
        "connector/" + value("select tenant::text from pawl.credential_inbox") + "/sms_8x8/default";
    const auto opened = unwrap_secret(key.private_key, about, wrapped);
    ASSERT_TRUE(opened);
    EXPECT_EQ(*opened, "{\"api_key\": \"" + secret + "\"}");
    EXPECT_FALSE(unwrap_secret(key.private_key, about + "x", wrapped)) << "moved to another row";
    EXPECT_FALSE(unwrap_secret(new_wrap_key().private_key, about, wrapped));
    EXPECT_FALSE(unwrap_secret("", about, wrapped));
    wrapped.data[0] = static_cast<char>(wrapped.data[0] ^ 1);
    EXPECT_FALSE(unwrap_secret(key.private_key, about, wrapped)) << "changed";
}

TEST_F(Amp, SettingsOfAccountsAreWrittenWithSql) {
    session_.script(
        "select pawl.put_account(2, 'line', 'main', '{line}', 'k', '\\x01', '\\x02', "
        "'{}', '0123456789abcdef')"
    );
    sign_in(alpha);
    session_.script("update merchant_credentials set settings = '{\"default\": true}'");
    EXPECT_EQ(
        value("select concat_ws(' ', service_name, credentials, settings, status) "
              "from merchant_credentials"),
        "line {\"default\": true} active"
    );
    EXPECT_EQ(
        session_.refusal("update merchant_credentials set account_name = 'x'").sqlstate, "23514"
    );
    EXPECT_EQ(
        session_
            .refusal("update merchant_credentials set settings = '{\"base_url\": \"https://e\"}'")
            .sqlstate,
        "42501"
    ) << "the credentials would go there";
    sign_in(beta);
    EXPECT_EQ(value("select count(*)::text from merchant_credentials"), "0");
    sign_in(alpha);
    session_.script("delete from merchant_credentials");
    EXPECT_EQ(value("select count(*)::text from merchant_credentials"), "0");
}

TEST_F(Amp, AMerchantWithoutATenantIsRefused) {
    const auto said = session_.refusal(
        "insert into amp_workflow (merchant_id, workflow_code, name) values "
        "('eeeeeeee-0000-0000-0000-000000000001', 'x', 'x')"
    );
    EXPECT_EQ(said.message, "there is no merchant eeeeeeee-0000-0000-0000-000000000001");
    EXPECT_EQ(
        said.hint,
        "A merchant is a tenant: pawl tenants create eeeeeeee-0000-0000-0000-000000000001"
    );
}

}  // namespace
}  // namespace pawl::test
