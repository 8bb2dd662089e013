#pragma once

#include "support.hpp"

#include <boost/json/serialize.hpp>

#include <algorithm>

namespace pawl::plan {

// A run of a graph, driven by the names of its nodes.
class GraphRun : public TestRun {
public:
    explicit GraphRun(std::string_view text, json::object input = {})
        : TestRun(parsed(text), std::move(input)) {
        feed(Resumed{});
    }
    explicit GraphRun(const Definition& source) : TestRun(source) { feed(Resumed{}); }
    // One that goes on from a log.
    GraphRun(Definition source, std::vector<Event> events) : TestRun(std::move(source), events) {
        feed(Resumed{});
    }
    // After each thing that happens, folding the log anew must give the same state.
    ~GraphRun() { EXPECT_EQ(fold(definition, log), state); }
    GraphRun(const GraphRun&) = delete;
    GraphRun& operator=(const GraphRun&) = delete;

    double now = 0;

    std::vector<Event> feed(Stimulus stimulus) { return TestRun::feed(std::move(stimulus), now); }

    // Nodes whose effect should be carried out, by token.
    std::string wanted() const {
        std::string text;
        for (const ExecuteStep& step : wants(state, at(now)).steps) {
            if (!text.empty()) text += ' ';
            text += definition.nodes[step.node].id;
        }
        return text;
    }
    const Token* token_at(std::string_view node) const {
        for (const Token& token : state.tokens) {
            const bool stands = token.phase == TokenPhase::ready ||
                                token.phase == TokenPhase::backoff ||
                                token.phase == TokenPhase::waiting;
            if (stands && definition.nodes[token.node].id == node) return &token;
        }
        return nullptr;
    }
    // The first token on that node ends its step; returns the events.
    std::string complete(std::string_view node, json::value result) {
        const Token* token = token_at(node);
        StepFinished finished;
        finished.result = std::move(result);
        return finish(token, std::move(finished));
    }
    std::string fail(
        std::string_view node, std::string code, ErrorClass kind = ErrorClass::permanent
    ) {
        StepFinished finished;
        finished.error = StepError{kind, std::move(code), "it broke", std::nullopt};
        return finish(token_at(node), std::move(finished));
    }
    std::string pend(std::string_view node, json::object waits_for) {
        StepFinished finished;
        finished.pending = std::move(waits_for);
        return finish(token_at(node), std::move(finished));
    }
    void signal(std::string kind, json::object data) {
        feed(SignalReceived{++signals, std::move(kind), std::move(data)});
    }
    std::string pass_time(double seconds) {
        now += seconds;
        return names(feed(TimerDue{}));
    }
    // "running", "completed <output>", "failed <code>", "cancelled"
    std::string status() const {
        std::string text(name(state.status));
        if (state.status == RunStatus::completed) text += " " + json::serialize(state.output);
        if (state.status == RunStatus::failed) {
            text += " " + std::string(state.error.at("code").as_string());
        }
        return text;
    }

    std::int64_t signals = 0;

private:
    std::string finish(const Token* token, StepFinished finished) {
        if (token == nullptr) return "";
        finished.token = token->id;
        finished.attempt = token->attempt;
        return names(feed(std::move(finished)));
    }
};

}  // namespace pawl::plan
