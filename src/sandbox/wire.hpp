#pragma once

#include "sandbox/provider.hpp"

// What the providers have in common on the wire.
namespace pawl::sandbox {

http::ServerResponse json_answer(int status, const json::value& body);

// Random texts, as providers give them.
std::string random_hex(Rng& rng, std::size_t digits);
std::string random_text(Rng& rng, std::size_t bytes);  // base64url
std::string random_digits(Rng& rng, std::size_t digits);
std::string random_uuid(Rng& rng);

bool is_json_request(const Request& request);
bool is_form_request(const Request& request);
// +66812345678, as E.164 has it.
bool is_e164(std::string_view text);
bool is_https(std::string_view text);
// "a@b.example", or "Name <a@b.example>": the address; nothing when it is none.
std::optional<std::string> mailbox(std::string_view text);

// What a request says as it is shown: cut where it is long.
json::value shown(const json::value& request);
std::string beginning(std::string_view text);

// The call of a hook with a JSON body.
http::Request json_hook(const std::string& url, std::string body);

}  // namespace pawl::sandbox
