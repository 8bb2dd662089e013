#pragma once

#include "base/error.hpp"
#include "model/credential_root.hpp"
#include "steps/step_request.hpp"

#include <boost/asio/awaitable.hpp>

#include <functional>
#include <string>
#include <vector>

namespace pawl::steps {

namespace asio = boost::asio;

// {{ credentials.NAME }} in a definition. The planner renders it as hidden_text; only here, just
// before a request goes out, is the secret put in its place. It is put where the definition has the
// placeholder, never where the data of a run looks like one.
using ReadCredential =
    std::function<asio::awaitable<Result<std::string>>(std::int32_t tenant, std::string name)>;

// Whether a config, as it stands in the definition, asks for credentials. Cheap.
bool asks_for_credentials(const json::object& templates);

// A request whose config has its secrets, and what has to be taken out of the answer.
struct Revealed {
    StepRequest request;
    std::vector<std::string> secrets;
};
asio::awaitable<Result<Revealed>> reveal(ReadCredential read, StepRequest request);

// Takes the secrets out of what a peer has answered: it is kept in the log of the run.
StepOutcome without_secrets(StepOutcome outcome, const std::vector<std::string>& secrets);

}  // namespace pawl::steps
