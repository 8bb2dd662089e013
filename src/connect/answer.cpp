#include "connect/answer.hpp"

#include "base/utf8.hpp"
#include "connect/answer_rule.hpp"
#include "http/date.hpp"

#include <fmt/core.h>

namespace pawl::connect {

namespace {

constexpr std::size_t id_bytes_max = 1000;
constexpr std::size_t code_bytes_max = 100;
constexpr std::size_t message_bytes_max = 1000;

// Where no rule fits.
AnswerRule usual_rule(Replay replay, int status) {
    AnswerRule rule;
    if (status >= 200 && status <= 299) {
        rule.means = Means::accepted;
    } else if (status == 425 || status == 429 || status == 503) {
        rule.means = Means::retry;
    } else if (status == 408 || status >= 500) {
        rule.means = replay == Replay::reconcile ? Means::unknown : Means::retry;
    }
    return rule;
}

// It says nothing about the message, which may have gone through before.
Verdict foreign_answer(const Connector& connector, const http::Response& answer, Instant now) {
    Verdict verdict = no_answer(connector, true);
    verdict.code = fmt::format("http_{}", answer.status);
    verdict.message = fmt::format(
        "{} did not answer, but another did, with status {}; it may have the message",
        connector.title,
        answer.status
    );
    if (verdict.means == Means::retry) verdict.after = http::find_retry_after(answer.headers, now);
    return verdict;
}

}  // namespace

Verdict read_answer(const Connector& connector, const http::Response& answer, Instant now) {
    AnswerRoots seen(answer);
    if (connector.json_answers && is_foreign(answer, seen.body()))
        return foreign_answer(connector, answer, now);
    Roots& roots = seen.roots();
    const json::value text(json::string(as_utf8(answer.body, message_bytes_max)));
    roots.add("text", text);
    const AnswerRule* found = find_rule(connector.answers, answer.status, roots);
    const AnswerRule rule = found == nullptr ? usual_rule(connector.replay, answer.status) : *found;
    Verdict verdict;
    verdict.means = rule.means;
    if (rule.means == Means::accepted) {
        verdict.external_id = as_utf8(rule.id.text(roots), id_bytes_max);
        return verdict;
    }
    verdict.suppress = rule.suppress;
    verdict.renew_token = rule.renew_token;
    verdict.fallback = rule.fallback;
    verdict.code = rule.code.empty() ? connector.error_code.text(roots) : rule.code;
    verdict.code = verdict.code.empty() ? fmt::format("http_{}", answer.status)
                                        : as_utf8(verdict.code, code_bytes_max);
    const std::string said = connector.error_message.text(roots);
    verdict.message = as_utf8(
        said.empty() ? fmt::format("{} answered with status {}", connector.title, answer.status)
                     : fmt::format("{}: {}", connector.title, said),
        message_bytes_max
    );
    if (rule.means != Means::retry) return verdict;
    // Of one that does not recognise a repeat the rules name only what is certain.
    const bool says_no =
        answer.status >= 400 && answer.status < 500 && answer.status != 408 && answer.status != 409;
    verdict.maybe = connector.replay != Replay::reconcile && !says_no;
    verdict.after = http::find_retry_after(answer.headers, now);
    if (!verdict.after) verdict.after = rule.after;
    return verdict;
}

Verdict no_answer(const Connector& connector, bool arrived) {
    Verdict verdict;
    const bool again = !arrived || connector.replay != Replay::reconcile;
    verdict.means = again ? Means::retry : Means::unknown;
    verdict.maybe = arrived;
    verdict.code = arrived ? "no_answer" : "not_sent";
    verdict.message =
        arrived ? fmt::format("{} did not answer; it may have the message", connector.title)
                : fmt::format("{} could not be reached", connector.title);
    return verdict;
}

}  // namespace pawl::connect
