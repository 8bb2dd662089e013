#pragma once

#include "support/database.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace pawl::test {

// One message that a step wants to send. Empty texts are null.
struct Ask {
    std::string person = "ann";
    int message = 1;
    std::string channel = "email";
    std::string category{};
    std::string template_name{};
    std::string to{};
    std::string connector{};
    std::string account{};
};

// What a provider says. Empty texts are null.
struct Fact {
    std::string id;
    std::string kind;
    std::string external = "e1";
    std::string at = "2026-05-01 10:00+00";
    bool machine = false;
    std::string detail{};
    int message = 0;  // as the provider names it; 0: it does not
    std::string address{};
    std::string channel{};
    std::string person{};
};

// A tenant with the workflow 'flow', the person Ann and an account for e-mail.
class Journeys : public ::testing::Test {
protected:
    Journeys() {
        session_.script(
            "insert into pawl.workflow (tenant, name) values (1, 'flow');"
            "select pawl.put_account(1, 'resend', 'main', '{email}', 'k', '\\x01', '\\x02', '{}', "
            "'0123456789abcdef')"
        );
        person("ann", R"({"email": "Ann@x.io", "sms": "+49 170", "line": "U1"})");
    }

    std::string value(const std::string& sql) { return session_.value(sql); }
    void person(
        const std::string& key,
        const std::string& addresses,
        const std::string& zone = "Europe/Berlin",
        const std::string& locale = "de-DE"
    ) {
        session_.script(fmt::format(
            "insert into pawl.person (tenant, key, addresses, timezone, locale) values "
            "(1, '{}', '{}', '{}', '{}')",
            key,
            addresses,
            zone,
            locale
        ));
    }
    void policy(const std::string& columns, const std::string& values) {
        session_.script(fmt::format(
            "insert into pawl.message_policy (tenant, {}) values (1, {})", columns, values
        ));
    }
    void account(
        const std::string& connector, const std::string& name, const char* settings = "{}"
    ) {
        session_.script(fmt::format(
            "select pawl.put_account(1, '{0}', '{1}', '{{sms}}', 'k', '\\x01', '\\x02', '{2}', "
            "'token of {0} {1} 012345')",
            connector,
            name,
            settings
        ));
    }
    static std::string id(int message) {
        return fmt::format("00000000-0000-0000-0000-{:012}", message);
    }
    static std::string quoted(const std::string& text) {
        return text.empty() ? "null" : "'" + text + "'";
    }
    // An SQL array of one member of all.
    template <class Row, class Of>
    static std::string array(const std::vector<Row>& rows, const char* type, Of of) {
        std::string list;
        for (const Row& row : rows) list += (list.empty() ? "" : ", ") + of(row);
        return fmt::format("array[{}]::{}[]", list, type);
    }
    static std::string prepare_sql(
        const std::vector<Ask>& asks, const std::string& show, const std::string& now
    ) {
        const auto text = [&asks](auto member) {
            return array(asks, "text", [member](const Ask& ask) { return quoted(ask.*member); });
        };
        return fmt::format(
            "select {} from pawl.prepare_messages(0::smallint, {}, {}, {}, {}, {}, {}, {}, {}, {}, "
            "'{}') order by place",
            show,
            array(asks, "int", [](const Ask&) { return std::string("1"); }),
            text(&Ask::person),
            text(&Ask::channel),
            text(&Ask::to),
            text(&Ask::template_name),
            text(&Ask::category),
            text(&Ask::connector),
            text(&Ask::account),
            array(asks, "uuid", [](const Ask& ask) { return quoted(id(ask.message)); }),
            now
        );
    }
    std::vector<std::string> prepare(
        const std::vector<Ask>& asks,
        const std::string& show = "coalesce(problem, verdict, 'go')",
        const std::string& now = "2026-05-04 12:00+00"
    ) {
        return session_.column(prepare_sql(asks, show, now));
    }
    std::string prepare(
        const Ask& ask, const std::string& show = "coalesce(problem, verdict, 'go')"
    ) {
        return prepare(std::vector<Ask>{ask}, show).at(0);
    }

    static std::string project_sql(
        int message, const std::string& state, const std::string& external = "e1"
    ) {
        return fmt::format(
            "select pawl.project_messages(0::smallint, array['{0}'::uuid], array[1], "
            "array['{0}'::uuid], array[1], array[1], array['greet'], array['ann'], "
            "array[jsonb_strip_nulls(jsonb_build_object('state', '{1}', 'channel', 'email', "
            "'connector', 'resend', 'account', 'main', 'external_id', nullif('{2}', ''), "
            "'address', 'Ann@x.io'))])::text",
            id(message),
            state,
            external
        );
    }
    void project(int message, const std::string& state, const std::string& external = "e1") {
        value(project_sql(message, state, external));
    }
    static std::string take_sql(const std::vector<Fact>& facts) {
        const auto same = [&facts](const char* text) {
            return array(facts, "text", [text](const Fact&) { return quoted(text); });
        };
        const auto text = [&facts](auto member, const char* type = "text") {
            return array(facts, type, [member](const Fact& fact) { return quoted(fact.*member); });
        };
        return fmt::format(
            "select fresh || ' ' || matched || ' ' || waiting from pawl.take_facts(0::smallint, "
            "{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}, {8}, {9}, {10}, {11}, {12}) "
            "cross join pawl.suppress_erased(0::smallint, {0}, {1}, {2}, {4}, {5}, {6}, {9}, {10}, "
            "{12})",
            array(facts, "int", [](const Fact&) { return std::string("1"); }),
            same("resend"),
            same("main"),
            text(&Fact::id),
            text(&Fact::kind),
            text(&Fact::external),
            array(
                facts,
                "uuid",
                [](const Fact& fact) {
                    return fact.message == 0 ? std::string("null") : quoted(id(fact.message));
                }
            ),
            text(&Fact::person),
            text(&Fact::channel),
            text(&Fact::address),
            text(&Fact::at, "timestamptz"),
            array(facts, "bool", [](const Fact& fact) { return fmt::format("{}", fact.machine); }),
            text(&Fact::detail, "jsonb")
        );
    }
    // How many were new, found their message, and wait for it.
    std::string take(const std::vector<Fact>& facts) { return value(take_sql(facts)); }
    std::string state(int message) {
        return value(fmt::format(
            "select pawl.message_state_name(state) from pawl.message where id = '{}'", id(message)
        ));
    }
    std::string match() {
        return value("select delivered::text from pawl.match_inbox(0::smallint, 100)");
    }
    // A workflow that starts by events of this name, or waits for them.
    void want(const std::string& event, bool waits = false, int tenant = 1) {
        session_.script(fmt::format(
            R"(select pawl.apply_workflow('on_{0}', '{{"name": "on_{0}", "triggers": )"
            R"([{{"event": "{1}"}}], "nodes": [{{"id": "a", "type": "wait", "config": )"
            R"({{"event": "{2}", "key": "k"}}}}], "edges": []}}', {3}))",
            event,
            waits ? "never" : event,
            waits ? event : "never",
            tenant
        ));
    }

    TestDatabase database_;
    Session& session_ = database_.session();
};

}  // namespace pawl::test
