#pragma once

#include "steps/secret_search.hpp"

#include <boost/json/value.hpp>

#include <set>
#include <string>
#include <vector>

namespace pawl::steps {

// Takes secrets out of what a peer has said, in the forms in which peers give back what they were
// sent: as it is or in other case, escaped for JSON or a URL (also twice) or HTML, in base64 at any
// offset (so also the password inside of `Basic ...`) and in hexadecimal digits, with line breaks
// or not, and as a key of an object. Takes time in proportion to the text and to the secrets.
class Redactor {
public:
    explicit Redactor(const std::vector<std::string>& secrets);

    void hide(std::string& text) const;
    // Also hides what stands under the names of headers that carry credentials: a peer that echoes
    // a request may have changed the value in a way that no search finds.
    void hide(boost::json::value& value) const;

private:
    // Also their words. Those that would be found in too much are hidden only where they are all.
    std::set<std::string> secrets_;
    SecretSearch search_;
};

// JSON for a message that people read: values under names such as password, token or api_key are
// hidden, whatever they are. Results of steps are not for this: a workflow may need a token that it
// was given.
boost::json::value without_sensitive_keys(boost::json::value value);

}  // namespace pawl::steps
