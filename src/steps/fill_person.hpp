#pragma once

#include "base/error.hpp"
#include "model/template.hpp"
#include "steps/step_request.hpp"

#include <boost/asio/awaitable.hpp>

#include <forward_list>
#include <functional>
#include <optional>

namespace pawl::steps {

namespace asio = boost::asio;

// What is known of a person: the row of the tenant's own table or of pawl.person, as it is now.
// Nothing: there is no such person.
using ReadPerson = std::function<
    asio::awaitable<std::optional<json::object>>(std::int32_t tenant, std::string key)>;

// What placeholders stand for when the person is known. Borrows both.
class PersonScope {
public:
    PersonScope(const json::value& person, const json::object& known)
        : person_(person), known_(known) {}

    const json::value* find(const Path& path) const;

private:
    const json::value& person_;
    const json::object& known_;
};

// Puts the person into the config of a step, and into the context of a condition. An error: the
// config asks for something that is not known of the person.
Result<void> fill_person(StepRequest& request, const json::value& person);

}  // namespace pawl::steps
