#pragma once

#include "http/server.hpp"
#include "store/repos/consent.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace pawl::api {

// The page where a person says what they want to get, in their language (English or Thai). It needs
// no script and no login: its address is the proof.

// "th" or "en".
std::string_view page_language(std::string_view locale, std::string_view accept_language);

http::ServerResponse preference_page(
    const store::Preferences& preferences, std::string_view language, bool saved
);
http::ServerResponse no_preference_page(std::string_view language);

// The cells that the page had shown, with what is wanted of them now.
std::vector<store::Preference> read_preferences(std::string_view form);

}  // namespace pawl::api
