#include "http/client_transfer.hpp"

#include <curl/curl.h>

#include <algorithm>
#include <string>
#include <string_view>

// Transfers that are mail.
namespace pawl::http {

namespace {

// An address that cannot end its line or its brackets.
bool is_plain_address(std::string_view address) {
    return !address.empty() && std::all_of(address.begin(), address.end(), [](char c) {
        return c > ' ' && c < 0x7f && c != '<' && c != '>';
    });
}

int progress(void* flag, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
    return static_cast<const std::atomic<bool>*>(flag)->load() ? 1 : 0;
}

}  // namespace

void CloseMime::operator()(void* mime) const noexcept {
    curl_mime_free(static_cast<curl_mime*>(mime));
}

std::optional<Fault> Transfer::prepare_mail() {
    const Mail& mail = *request_.mail;
    if (!is_plain_address(mail.from)) {
        return Fault{FaultKind::bad_request, "the sender is not an address"};
    }
    if (mail.to.empty()) return Fault{FaultKind::bad_request, "the message has no recipient"};
    if (!std::all_of(mail.to.begin(), mail.to.end(), is_plain_address)) {
        return Fault{FaultKind::bad_request, "a recipient is not an address"};
    }
    if (!set_recipients() || !set_message()) {
        return Fault{FaultKind::bad_request, "out of memory for mail"};
    }
    CURL* easy = easy_.get();
    curl_easy_setopt(easy, CURLOPT_URL, request_.url.c_str());
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "smtp,smtps");
    curl_easy_setopt(
        easy, CURLOPT_USE_SSL, static_cast<long>(mail.needs_tls ? CURLUSESSL_ALL : CURLUSESSL_NONE)
    );
    if (!mail.user.empty()) {
        curl_easy_setopt(easy, CURLOPT_USERNAME, mail.user.c_str());
        curl_easy_setopt(easy, CURLOPT_PASSWORD, mail.password.c_str());
    }
    // A kept connection that the server has closed meanwhile would look like a failure.
    curl_easy_setopt(easy, CURLOPT_FORBID_REUSE, 1L);
    return std::nullopt;
}

bool Transfer::set_recipients() {
    for (const std::string& to : request_.mail->to) {
        if (!append(recipients_, to)) return false;
    }
    curl_easy_setopt(easy_.get(), CURLOPT_MAIL_FROM, request_.mail->from.c_str());
    curl_easy_setopt(easy_.get(), CURLOPT_MAIL_RCPT, recipients_.get());
    return true;
}

// Texts go as base64: no line is too long, no byte is special, and no text can look like a
// boundary.
bool Transfer::set_message() {
    const Mail& mail = *request_.mail;
    for (const Header& header : mail.headers) {
        if (!append(header_list_, header.name + ": " + header.value)) return false;
    }
    // libcurl would call it multipart/mixed, and all forms would be shown, one below the other.
    if (mail.forms.size() > 1 && !append(header_list_, "Content-Type: multipart/alternative")) {
        return false;
    }
    curl_mime* mime = curl_mime_init(easy_.get());
    mime_.reset(mime);
    for (const MailForm& form : mail.forms) {
        curl_mimepart* part = mime == nullptr ? nullptr : curl_mime_addpart(mime);
        const std::string type = form.type + "; charset=utf-8";
        if (part == nullptr || curl_mime_type(part, type.c_str()) != CURLE_OK ||
            curl_mime_encoder(part, "base64") != CURLE_OK ||
            curl_mime_data(part, form.text.data(), form.text.size()) != CURLE_OK) {
            return false;
        }
    }
    curl_easy_setopt(easy_.get(), CURLOPT_HTTPHEADER, header_list_.get());
    return curl_easy_setopt(easy_.get(), CURLOPT_MIMEPOST, mime) == CURLE_OK;
}

// All but the mark of its end, which libcurl sends when the rest is out.
bool Transfer::all_mail_sent() const {
    curl_off_t size = -1;  // unknown before the server wants the message
    curl_off_t sent = 0;
    curl_easy_getinfo(easy_.get(), CURLINFO_CONTENT_LENGTH_UPLOAD_T, &size);
    curl_easy_getinfo(easy_.get(), CURLINFO_SIZE_UPLOAD_T, &sent);
    return size >= 0 && sent >= size;
}

Outcome Transfer::perform(Duration limit, const std::atomic<bool>& abandoned) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(limit).count();
    if (left <= 0) return timed_out();
    CURL* easy = easy_.get();
    curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, static_cast<long>(left));
    curl_easy_setopt(easy, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, &progress);
    curl_easy_setopt(easy, CURLOPT_XFERINFODATA, &abandoned);
    return finish(curl_easy_perform(easy));
}

// A server that says no has answered, whatever libcurl calls it.
std::optional<Outcome> Transfer::mail_reply() {
    if (!request_.mail) return std::nullopt;
    long code = 0;
    curl_easy_getinfo(easy_.get(), CURLINFO_RESPONSE_CODE, &code);
    if (code < 400 || code > 599) return std::nullopt;
    response_.status = static_cast<int>(code);
    return Outcome(std::move(response_));
}

}  // namespace pawl::http
