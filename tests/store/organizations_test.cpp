#include "pg/pg_error.hpp"
#include "store/under_test.hpp"

#include <fmt/core.h>

// Document 004 in SQL: form submissions, executions that a foreign worker claims and finishes, and
// one worker an organization.
namespace pawl::test {
namespace {

constexpr const char* form = "00000000-0000-0000-0000-0000000000f1";

class Organizations : public ::testing::Test {
protected:
    void SetUp() override {
        session_.script(fmt::format(
            "insert into pawl.definition (name, steps, settings) values "
            "('welcome', '[{{\"name\": \"a\", \"code\": \"noop\"}}]', '{{\"triggers\": "
            "[{{\"event\": \"form_submitted\", \"filter\": "
            "{{\"path\": \"data.form_id\", \"operator\": \"=\", \"value\": \"{}\"}}}}]}}')",
            form
        ));
        organization_ = session_.value("select organization::text from pawl.tenant");
    }
    std::string submit(const std::string& form_id, const std::string& submission) {
        return session_.value(fmt::format(
            "select coalesce(pawl.fw_enqueue_form_submission_automation('{}', md5('{}')::uuid, "
            "'{}')::text, 'none')",
            form_id,
            submission,
            organization_
        ));
    }
    std::string claim(int batch) {
        return session_.value(fmt::format(
            "select coalesce(string_agg(id || ' ' || status || ' ' || attempt, ','), 'none') "
            "from pawl.fw_claim_queued_executions({}, '{}')",
            batch,
            organization_
        ));
    }
    std::string status(const std::string& run) {
        return session_.value(
            "select status || ' ' || attempt from pawl.fw_workflow_executions where id = '" + run +
            "'"
        );
    }

    PgUnderTest db_;
    Session& session_ = db_.database().session();
    std::string organization_;
};

TEST_F(Organizations, AFormStartsTheRulesThatMatch) {
    const std::string run = submit(form, "one");
    EXPECT_NE(run, "none");
    EXPECT_EQ(submit(form, "one"), run) << "a submission is enqueued once";
    EXPECT_NE(submit(form, "two"), run);
    EXPECT_EQ(submit("00000000-0000-0000-0000-0000000000f2", "three"), "none");
    session_.script("update pawl.workflow_definitions set active = false");
    EXPECT_EQ(submit(form, "four"), "none");
    EXPECT_EQ(session_.value("select count(*)::text from pawl.live_run"), "2");
}

// Names are written as the document writes them, without a schema.
TEST_F(Organizations, FunctionsAndViewsAreFoundWithoutASchema) {
    EXPECT_EQ(session_.value("select fw_has_org_access('" + organization_ + "')::text"), "true");
    const std::string run = session_.value(fmt::format(
        "select fw_enqueue_form_submission_automation('{}', md5('one')::uuid, '{}')::text",
        form,
        organization_
    ));
    EXPECT_EQ(
        session_.value(fmt::format(
            "select id || ' ' || status from fw_claim_queued_executions(5, '{}')", organization_
        )),
        run + " running"
    );
    session_.script("select fw_finish_execution('" + run + "', 'completed')");
    EXPECT_EQ(
        session_.value("select status from fw_workflow_executions where id = '" + run + "'"),
        "completed"
    );
    EXPECT_EQ(session_.value("select worker_running::text from fw_module_settings"), "false");
}

// They have the rights of the caller, and no more.
TEST_F(Organizations, ARoleOfATenantReachesItsOwnByTheShortNames) {
    session_.script(
        "insert into pawl.tenant (name) values ('org-b'); "
        "do $$ begin create role fw_member; exception when duplicate_object or unique_violation "
        "then null; end $$; select pawl.bind_role('fw_member', 'org-b')"
    );
    const auto other =
        session_.value("select organization::text from pawl.tenant where name = 'org-b'");
    submit(form, "one");
    session_.script("set role fw_member");
    EXPECT_EQ(session_.value("select count(*)::text from fw_workflow_executions"), "0");
    EXPECT_EQ(
        session_.value("select string_agg(organization_id::text, ',') from fw_module_settings"),
        other
    );
    EXPECT_EQ(
        session_.refusal(fmt::format("select fw_claim_queued_executions(1, '{}')", organization_))
            .sqlstate,
        "42501"
    );
    EXPECT_EQ(
        session_.value(
            fmt::format("select count(*)::text from fw_claim_queued_executions(1, '{}')", other)
        ),
        "0"
    );
}

TEST_F(Organizations, ARunHasWhatWasSubmitted) {
    session_.script(fmt::format(
        "create table public.fw_form_submissions (id uuid primary key, form_id uuid, "
        "organization_id uuid, data jsonb); "
        "insert into public.fw_form_submissions values "
        "(md5('one')::uuid, '{0}', '{1}', '{{\"email\": \"ada@example.com\"}}'), "
        "(md5('two')::uuid, '{0}', gen_random_uuid(), '{{\"email\": \"of others\"}}')",
        form,
        organization_
    ));
    const auto submitted = [this](const std::string& run) {
        return session_.value(
            "select trigger_data ->> 'submission_data' from pawl.fw_workflow_executions where id "
            "= '" +
            run + "'"
        );
    };
    EXPECT_EQ(submitted(submit(form, "one")), "{\"email\": \"ada@example.com\"}");
    EXPECT_EQ(submitted(submit(form, "two")), "{}") << "it belongs to another organization";
    EXPECT_EQ(submitted(submit(form, "three")), "{}") << "it was not stored";
    session_.script(
        "update pawl.definition set settings = jsonb_set(settings, '{triggers,0,filter}', "
        "'{\"path\": \"submission_data.email\", \"operator\": \"exists\"}')"
    );
    EXPECT_EQ(submit(form, "four"), "none") << "filters see it";
    session_.script(
        "alter table public.fw_form_submissions rename data to submission_data; "
        "alter table public.fw_form_submissions drop column organization_id"
    );
    EXPECT_EQ(submitted(submit(form, "two")), "{}") << "a submission is enqueued once";
}

// It would be read with all rights.
TEST_F(Organizations, ATableOfAnUntrustedOwnerIsNotReadForSubmissions) {
    session_.script(
        "do $$ begin create role fw_stranger; exception when duplicate_object or "
        "unique_violation then null; end $$; "
        "create table public.fw_form_submissions (id uuid, data jsonb); "
        "insert into public.fw_form_submissions values (md5('one')::uuid, '{\"a\": 1}'); "
        "alter table public.fw_form_submissions owner to fw_stranger"
    );
    const std::string run = submit(form, "one");
    EXPECT_EQ(
        session_.value(
            "select trigger_data ->> 'submission_data' from pawl.fw_workflow_executions where id "
            "= '" +
            run + "'"
        ),
        "{}"
    );
}

TEST_F(Organizations, TheQueueIsThereAfterMigrating) {
    EXPECT_EQ(
        session_.value("select queue_name::text from pgmq.list_queues() "
                       "where queue_name = 'workflow_execution_queue'"),
        "workflow_execution_queue"
    );
}

TEST_F(Organizations, AnUnknownOneIsRefused) {
    const auto detail = session_.refusal(
        "select pawl.fw_claim_queued_executions(1, '00000000-0000-0000-0000-000000000009')"
    );
    EXPECT_EQ(detail.sqlstate, "42501");
    EXPECT_EQ(detail.message, "no access to organization 00000000-0000-0000-0000-000000000009");
}

TEST_F(Organizations, AFilterThatCannotBeHeldHereSaysSo) {
    session_.script(
        "update pawl.definition set settings = jsonb_set(settings, '{triggers,0,filter,operator}', "
        "'\"matches\"')"
    );
    const auto detail = session_.refusal(fmt::format(
        "select pawl.fw_enqueue_form_submission_automation('{}', gen_random_uuid(), '{}')",
        form,
        organization_
    ));
    EXPECT_EQ(detail.message, "a form is not compared with the operator matches");
    EXPECT_FALSE(detail.hint.empty());
}

TEST_F(Organizations, AForeignWorkerClaimsAndFinishes) {
    const std::string run = submit(form, "one");
    EXPECT_EQ(status(run), "queued 1");
    EXPECT_EQ(claim(5), run + " running 1");
    EXPECT_EQ(claim(5), "none") << "no other worker gets it";
    const auto finish = "select pawl.fw_finish_execution('" + run + "', ";
    session_.script(finish + "'retry_pending', p_error => 'busy')");
    EXPECT_EQ(status(run), "retry_pending 2");
    EXPECT_EQ(claim(5), run + " running 2");
    session_.script(finish + "'completed', '{\"sent\": true}')");
    EXPECT_EQ(status(run), "completed 2");
    EXPECT_EQ(
        session_.value("select output::text from pawl.run where run_id = '" + run + "'"),
        "{\"sent\": true}"
    );
    EXPECT_EQ(session_.refusal(finish + "'completed')").sqlstate, "55000");
    EXPECT_EQ(
        session_.value(
            "select string_agg(seq || ':' || pawl.event_type_name(type), ' ' order by seq) "
            "from pawl.event where run_id = '" +
            run + "'"
        ),
        "0:run_started 1:step_failed 2:run_completed"
    );
}

TEST_F(Organizations, AFailedExecutionIsADeadLetter) {
    const std::string run = submit(form, "one");
    claim(1);
    session_.script(
        "select pawl.fw_finish_execution('" + run + "', 'failed', p_error => 'Rule not found')"
    );
    EXPECT_EQ(status(run), "failed 1");
    EXPECT_EQ(
        session_.value(
            "select error ->> 'message' from pawl.dead_letter where run_id = '" + run + "'"
        ),
        "Rule not found"
    );
}

TEST_F(Organizations, ALeaseRunsOut) {
    const std::string run = submit(form, "one");
    session_.script("set pawl.fw_lease = '-2 minutes'");
    EXPECT_EQ(claim(1), run + " running 1");
    session_.script("select pawl.sweep_dead_workers('10 seconds')");
    EXPECT_EQ(status(run), "queued 1");
    const auto detail =
        session_.refusal("select pawl.fw_finish_execution('" + run + "', 'completed')");
    EXPECT_EQ(detail.message, "execution " + run + " is not claimed");
}

TEST_F(Organizations, BatchesAreBounded) {
    for (const int batch : {0, 51}) {
        const auto detail = session_.refusal(
            fmt::format("select pawl.fw_claim_queued_executions({}, '{}')", batch, organization_)
        );
        EXPECT_EQ(
            detail.message, fmt::format("the batch size must be between 1 and 50, not {}", batch)
        );
    }
}

TEST_F(Organizations, OneWorkerAtATime) {
    const auto enter = [&] {
        return session_.value("select pawl.enter_organization(1, '1 minute')::text");
    };
    EXPECT_EQ(enter(), "true");
    EXPECT_EQ(enter(), "false");
    const auto running =
        "select worker_running || ' ' || coalesce(worker_last_batch_size, -1) "
        "from pawl.fw_module_settings";
    EXPECT_EQ(session_.value(running), "true -1");
    session_.script("select pawl.leave_organization(1, 7)");
    EXPECT_EQ(session_.value(running), "false 7");
    EXPECT_EQ(enter(), "true");
    session_.script("update pawl.organization_worker set running_until = now()");
    EXPECT_EQ(enter(), "true") << "a worker that died with the place loses it";
}

}  // namespace
}  // namespace pawl::test
