#include "store/repos/callbacks.hpp"

#include "store/under_test.hpp"

namespace pawl::test {
namespace {

using Outcome = store::CallbackOutcome;

class CallbacksPg : public ::testing::Test {
protected:
    static store::CallbackAnswer answer_for(RunId run, char token, char fingerprint) {
        store::CallbackAnswer answer;
        answer.run = run;
        answer.token = std::string(32, token);
        answer.fingerprint = std::string(32, fingerprint);
        answer.expires = wall_now() + std::chrono::hours(1);
        answer.data = json::object{{"answer", std::string(1, fingerprint)}};
        return answer;
    }
    Outcome answer(RunId run, char token, char fingerprint) {
        return db_.loop().run(callbacks_.answer(answer_for(run, token, fingerprint)));
    }
    std::string signals() {
        return db_.database().session().value("select count(*)::text from pawl.signal");
    }
    RunId start() {
        auto run = new_run(db_.workflow());
        run.due_at = db_.now() + std::chrono::hours(1);
        db_.start({run});
        return run.id;
    }

    PgUnderTest db_;
    store::Callbacks callbacks_{db_.pool()};
};

TEST_F(CallbacksPg, ATokenIsTakenOnce) {
    const RunId run = start();
    EXPECT_EQ(answer(run, 't', '1'), Outcome::accepted);
    EXPECT_EQ(answer(run, 't', '1'), Outcome::repeated);
    EXPECT_EQ(answer(run, 't', '2'), Outcome::answered);
    EXPECT_EQ(signals(), "1");
    EXPECT_EQ(answer(run, 'u', '1'), Outcome::accepted) << "another attempt has another token";
    EXPECT_EQ(signals(), "2");
}

TEST_F(CallbacksPg, OneOfManyAtOnce) {
    const RunId run = start();
    std::vector<asio::awaitable<Outcome>> calls;
    for (char c = 'a'; c < 'i'; ++c) calls.push_back(callbacks_.answer(answer_for(run, 't', c)));
    const auto outcomes = db_.loop().run_all(std::move(calls));
    EXPECT_EQ(std::count(outcomes.begin(), outcomes.end(), Outcome::accepted), 1);
    EXPECT_EQ(std::count(outcomes.begin(), outcomes.end(), Outcome::answered), 7);
    EXPECT_EQ(signals(), "1");
}

TEST_F(CallbacksPg, ARunThatIsNotThereUsesNothingUp) {
    EXPECT_EQ(answer(new_run(db_.workflow()).id, 't', '1'), Outcome::closed);
    EXPECT_EQ(answer(start(), 't', '2'), Outcome::accepted);
}

TEST_F(CallbacksPg, ExpiredOnesAreForgotten) {
    const RunId run = start();
    for (const char token : {'a', 'b', 'c'}) answer(run, token, '1');
    EXPECT_EQ(db_.loop().run(callbacks_.purge(10)), 0);
    db_.database().session().script("update pawl.callback_use set expires_at = now()");
    EXPECT_EQ(db_.loop().run(callbacks_.purge(2)), 2);
    EXPECT_EQ(db_.loop().run(callbacks_.purge(2)), 1);
}

}  // namespace
}  // namespace pawl::test
