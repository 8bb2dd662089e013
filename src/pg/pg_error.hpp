#pragma once

#include "base/error.hpp"

#include <string>
#include <string_view>

namespace pawl::pg {

// What to do about a failed statement. The whole policy is in classify().
enum class Reaction {
    retry_transaction,  // serialization failure, deadlock: send the same again on the same
                        // connection
    reconnect,  // the connection or the server is gone, or became read-only: reconnect, then resend
    prepare_again,  // a prepared statement vanished or its result type changed: forget it and
                    // resend
    conflict,       // a constraint said no
    fenced,         // PW001: this worker was declared dead
    not_held,       // PW002: this worker does not hold the runs that the detail names
    bug,            // the statement itself is wrong
};

Reaction classify(std::string_view sqlstate);

// A statement or a connection failed. Holds the query's name, never parameter values.
class PgError : public Failure {
public:
    struct Detail {
        std::string sqlstate;  // empty when the connection failed before the server said anything
        std::string message;
        std::string detail;
        std::string hint;
        std::string constraint;
        std::string query;
        std::string position;  // in the text of the statement, in characters from 1
    };

    explicit PgError(Detail detail);
    const Detail& detail() const noexcept { return detail_; }
    Reaction reaction() const { return classify(detail_.sqlstate); }

private:
    Detail detail_;
};

}  // namespace pawl::pg
