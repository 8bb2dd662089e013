#pragma once

#include <boost/json/value.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace pawl::steps {

// Takes secrets out of what a peer has said, in every form in which peers give back what they were
// sent: as it is, escaped for JSON or a URL (also twice), in base64 at any offset (so also the
// password inside of `Basic ...`), in hexadecimal digits, and as a key of an object.
class Redactor {
public:
    explicit Redactor(const std::vector<std::string>& secrets);

    void hide(std::string& text) const;
    // Also hides what stands under the names of headers that carry credentials: a peer that echoes
    // a request may have changed the value in a way that no search finds.
    void hide(boost::json::value& value) const;

private:
    void hide_encoded(std::string& text) const;
    bool is_short_secret(std::string_view text) const;

    struct Form {
        std::string text;
        bool any_case = false;   // hexadecimal digits
        bool bits_left = false;  // base64: the character before holds bits of the secret
        bool bits_right = false;
    };
    std::vector<std::string> plain_;  // the longest first
    std::vector<std::string> short_;  // only when they are the whole text
    std::vector<Form> encoded_;
};

// JSON for a message that people read: values under names such as password, token or api_key are
// hidden, whatever they are. Results of steps are not for this: a workflow may need a token that it
// was given.
boost::json::value without_sensitive_keys(boost::json::value value);

}  // namespace pawl::steps
