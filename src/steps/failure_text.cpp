#include "steps/failure_text.hpp"

#include "base/log.hpp"
#include "pg/pg_error.hpp"

namespace pawl::steps {

std::string failure_text(const Failure& failure) {
    const auto* error = dynamic_cast<const pg::PgError*>(&failure);
    // Without an SQLSTATE these are the words of the driver, about the connection.
    if (error == nullptr || !error->detail().sqlstate.empty()) return failure.what();
    log::warn("the database did not answer a step", {log::field("error", failure.what())});
    return "the database did not answer";
}

}  // namespace pawl::steps
