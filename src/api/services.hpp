#pragma once

#include "api/auth/oidc.hpp"
#include "api/auth/sign_in.hpp"
#include "api/http/long_requests.hpp"
#include "api/streams/feed.hpp"
#include "api/streams/run_watch.hpp"
#include "app/app.hpp"
#include "base/seal.hpp"

#include <functional>
#include <string>

namespace pawl::api {

// The use cases, with what belongs to the HTTP side alone: streams, requests that wait, links.
// Lives on the API's thread; the app outlives it.
struct Services {
    explicit Services(app::App& use_cases)
        : app(use_cases),
          run_watch(app.executor(), app.repos().tail),
          feeds(app.executor(), app.repos().tail, app.keeper()) {}

    // The work in the background: watched runs. It ends with the app.
    void start() {
        app.keeper().keep("run_watch", [this] { return run_watch.run(); });
    }
    // The process is about to stop: callers that wait for the end of a run are answered now.
    void begin_stop() { stopping = true; }

    app::App& app;
    LongRequests long_requests;
    RunWatch run_watch;
    Feeds feeds;
    Seal seal;               // of links and callback tokens
    std::string public_url;  // how people reach this server; without a slash at the end
    SignIn sign_in;
    Oidc* oidc = nullptr;  // null: no identity provider
    bool stopping = false;

    // Of the process around: why it cannot work (empty: it can), and its metrics.
    std::function<std::string()> unready = [] { return std::string(); };
    std::function<std::string()> metrics = [] { return std::string(); };
};

}  // namespace pawl::api
