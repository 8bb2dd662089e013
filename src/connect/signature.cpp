#include "connect/signature.hpp"

#include "base/base64.hpp"
#include "base/hmac.hpp"
#include "base/number_text.hpp"
#include "base/sha256.hpp"
#include "base/webhook_secret.hpp"
#include "connect/form.hpp"
#include "connect/message_refusal.hpp"
#include "connect/openssl_handles.hpp"

#include <fmt/core.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <algorithm>
#include <array>
#include <memory>

namespace pawl::connect {

namespace {

const unsigned char* bytes_of(std::string_view text) {
    return reinterpret_cast<const unsigned char*>(text.data());
}

// Takes the same time whatever the texts are, their lengths included.
bool same(std::string_view a, std::string_view b) {
    const std::string left = sha256(a);
    const std::string right = sha256(b);
    return CRYPTO_memcmp(left.data(), right.data(), left.size()) == 0;
}

std::string_view header(const HookRequest& hook, std::string_view name) {
    const std::string* found = http::find_header(hook.headers, name);
    return found == nullptr ? std::string_view() : std::string_view(*found);
}

Error refuse(std::string_view why) {
    return refusal("bad_signature", "", why, Errc::unauthenticated);
}

std::string hmac(const EVP_MD* digest, std::string_view key, std::string_view text) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> out{};
    unsigned length = 0;
    const int key_size = static_cast<int>(key.size());
    if (HMAC(digest, key.data(), key_size, bytes_of(text), text.size(), out.data(), &length) ==
        nullptr) {
        throw Failure({Errc::internal, "OpenSSL cannot compute an HMAC", {}});
    }
    return {reinterpret_cast<const char*>(out.data()), length};
}

Result<std::int64_t> read_time(std::string_view text, const HookRequest& hook, Duration window) {
    const auto seconds = read_number<std::int64_t>(text);
    constexpr std::int64_t seconds_max = 253402300799;  // the year 9999
    if (!seconds || *seconds < 0 || *seconds > seconds_max) {
        return refuse("the time of the signature is missing or is none");
    }
    const Instant signed_at{std::chrono::seconds(*seconds)};
    const Duration age = hook.now > signed_at ? hook.now - signed_at : signed_at - hook.now;
    if (window > Duration::zero() && age > window)
        return refuse("the signature is too old, or the clock of this machine is wrong");
    return *seconds;
}

bool has_line_signature(std::string_view secret, const HookRequest& hook) {
    return same(to_base64(hmac_sha256(secret, hook.body)), header(hook, "x-line-signature"));
}

Result<void> check_standard(
    std::string_view start, std::string_view secret, const HookRequest& hook, Duration window
) {
    const auto key = webhook_key(secret);
    if (!key) return refuse("the secret of the account is not whsec_ and base64: set it again");
    const std::string begin(start);
    auto seconds = read_time(header(hook, begin + "-timestamp"), hook, window);
    if (!seconds) return seconds.error();
    const std::string right =
        webhook_signature(*key, header(hook, begin + "-id"), *seconds, hook.body);
    // Several while a secret is changed.
    std::string_view given = header(hook, begin + "-signature");
    bool fits = false;
    while (!given.empty()) {
        const std::string_view one = given.substr(0, given.find(' '));
        given.remove_prefix(std::min(one.size() + 1, given.size()));
        fits = same(one, right) || fits;
    }
    if (!fits) return refuse("the signature does not fit");
    return {};
}

// None: it is no key.
KeyHandle sendgrid_key(std::string_view secret) {
    const auto der = from_base64(secret);
    const unsigned char* at = der ? bytes_of(*der) : nullptr;
    KeyHandle key(der ? d2i_PUBKEY(nullptr, &at, static_cast<long>(der->size())) : nullptr);
    if (key && EVP_PKEY_base_id(key.get()) != EVP_PKEY_EC) key.reset();
    return key;
}

Result<void> check_sendgrid(std::string_view secret, const HookRequest& hook, Duration window) {
    const std::string_view time = header(hook, "x-twilio-email-event-webhook-timestamp");
    if (auto seconds = read_time(time, hook, window); !seconds) return seconds.error();
    const KeyHandle key = sendgrid_key(secret);
    if (!key) return refuse("the public key of the account is no key: copy it again from SendGrid");
    const auto signature = from_base64(header(hook, "x-twilio-email-event-webhook-signature"));
    const std::string text = std::string(time) + hook.body;
    const DigestHandle digester(EVP_MD_CTX_new());
    const bool fits =
        signature && digester &&
        EVP_DigestVerifyInit(digester.get(), nullptr, EVP_sha256(), nullptr, key.get()) == 1 &&
        EVP_DigestVerify(
            digester.get(), bytes_of(*signature), signature->size(), bytes_of(text), text.size()
        ) == 1;
    if (!fits) return refuse("the signature does not fit");
    return {};
}

// Twilio signs the URL with the port or without it.
std::vector<std::string> url_forms(const std::string& url) {
    std::vector<std::string> forms{url};
    const std::size_t slashes = url.find("://");
    if (slashes == std::string::npos) return forms;
    const std::size_t host = slashes + 3;
    const std::size_t end = std::min(url.find_first_of("/?#", host), url.size());
    const std::size_t colon = url.find(':', host);
    if (colon < end) {
        forms.push_back(url.substr(0, colon) + url.substr(end));
    } else {
        const char* port = url.starts_with("https") ? ":443" : ":80";
        forms.push_back(url.substr(0, end) + port + url.substr(end));
    }
    return forms;
}

Result<void> check_twilio(std::string_view secret, const HookRequest& hook) {
    std::string fields;
    const std::size_t mark = hook.url.find("bodySHA256=");
    if (mark != std::string::npos) {
        const std::string_view digest = std::string_view(hook.url).substr(mark + 11, 64);
        if (!same(digest, sha256_hex(hook.body))) return refuse("the body is not what was signed");
    } else {
        auto form = read_form(hook.body);
        if (!form) return refuse("the body is no form");
        std::sort(form->begin(), form->end());
        form->erase(std::unique(form->begin(), form->end()), form->end());
        for (const auto& [key, value] : *form) fields += key + value;
    }
    const std::string_view given = header(hook, "x-twilio-signature");
    bool fits = false;
    for (const std::string& url : url_forms(hook.url))
        fits = same(given, to_base64(hmac_sha1(secret, url + fields))) || fits;
    if (!fits)
        return refuse("the signature does not fit: check auth_token, and the public URL of Pawl");
    return {};
}

bool has_token(std::string_view secret, const HookRequest& hook) {
    const std::string_view given = header(hook, "authorization");
    const bool plain = same(given, secret);
    return same(given, "Bearer " + std::string(secret)) || plain;
}

}  // namespace

std::string hmac_sha256(std::string_view key, std::string_view text) {
    return pawl::hmac_sha256(key, text);
}

std::string hmac_sha1(std::string_view key, std::string_view text) {
    return hmac(EVP_sha1(), key, text);
}

Result<std::string> sign_rs256(std::string_view pem, std::string_view text) {
    const MemoryHandle memory(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
    // A key that asks for a passphrase would ask the terminal.
    const auto no_passphrase = [](char*, int, int, void*) { return 0; };
    const KeyHandle key(
        memory ? PEM_read_bio_PrivateKey(memory.get(), nullptr, no_passphrase, nullptr) : nullptr
    );
    if (!key || EVP_PKEY_base_id(key.get()) != EVP_PKEY_RSA)
        return Error{Errc::invalid, "has a private_key that is no RSA key in PEM", {}};
    const DigestHandle digester(EVP_MD_CTX_new());
    std::size_t size = static_cast<std::size_t>(EVP_PKEY_size(key.get()));
    std::string out(size, '\0');
    const bool made =
        digester &&
        EVP_DigestSignInit(digester.get(), nullptr, EVP_sha256(), nullptr, key.get()) == 1 &&
        EVP_DigestSign(
            digester.get(),
            reinterpret_cast<unsigned char*>(out.data()),
            &size,
            bytes_of(text),
            text.size()
        ) == 1;
    if (!made) return Error{Errc::internal, "cannot be used to sign", {}};
    out.resize(size);
    return out;
}

std::string_view secret_problem(Signing signing, std::string_view secret) {
    const bool standard = signing == Signing::svix || signing == Signing::standard_webhook;
    if (standard && !webhook_key(secret)) return "must be whsec_ and base64";
    if (signing == Signing::sendgrid_ecdsa && !sendgrid_key(secret))
        return "is no key: copy the verification key of the event webhook";
    return {};
}

Result<void> check_signature(
    Signing signing, std::string_view secret, const HookRequest& hook, Duration window
) {
    if (secret.empty()) return refuse("the account has no secret for hooks: set it");
    switch (signing) {
        case Signing::line_hmac:
            if (has_line_signature(secret, hook)) return {};
            return refuse("the signature does not fit: check channel_secret");
        case Signing::svix: return check_standard("svix", secret, hook, window);
        case Signing::standard_webhook: return check_standard("webhook", secret, hook, window);
        case Signing::sendgrid_ecdsa: return check_sendgrid(secret, hook, window);
        case Signing::twilio_hmac_sha1: return check_twilio(secret, hook);
        case Signing::bearer:
            if (has_token(secret, hook)) return {};
            return refuse("the token does not fit");
    }
    return refuse("the signature does not fit");
}

}  // namespace pawl::connect
