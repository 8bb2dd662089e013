#pragma once

#include "base/error.hpp"
#include "model/template.hpp"
#include "steps/step_request.hpp"

#include <boost/asio/awaitable.hpp>

#include <forward_list>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace pawl::steps {

namespace asio = boost::asio;

// What is known of a person: the row of the tenant's own table or of pawl.person, as it is now.
// Nothing: there is no such person.
using ReadPerson = std::function<
    asio::awaitable<std::optional<json::object>>(std::int32_t tenant, std::string key)>;

// What placeholders stand for when the person is known. Borrows both.
class PersonScope {
public:
    PersonScope(const json::value& person, const json::object& known);

    const json::value* find(const Path& path) const;
    // Whether the value of a redacted column was found.
    bool has_revealed() const { return revealed_; }

private:
    const json::value& person_;
    const json::object& known_;
    std::vector<std::string> redacted_;
    json::value public_person_;  // where some of it is redacted
    mutable bool revealed_ = false;
};

// Puts the person into the config of a step, and into the context of a condition. Says whether the
// value of a redacted column is among it. An error: the config asks for something that is not known
// of the person.
Result<bool> fill_person(StepRequest& request, const json::value& person);

}  // namespace pawl::steps
