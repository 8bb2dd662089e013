#include "sandbox/links_in.hpp"

#include "base/base64.hpp"

#include <algorithm>

namespace pawl::sandbox {

namespace {

constexpr std::size_t links_max = 20;
constexpr std::string_view here[] = {"http://127.0.0.1", "http://localhost", "http://[::1]"};

// Where the host of a URL ends, what comes next is a port, a path or nothing of it: 127.0.0.1.evil
// is another machine.
bool ends_host(std::string_view rest) {
    return rest.empty() || rest.front() == ':' || rest.front() == '/' || rest.front() == '?';
}

std::string unescaped(std::string_view url) {
    std::string out;
    for (std::size_t at = 0; at < url.size(); ++at) {
        out += url[at];
        if (url.substr(at).starts_with("&amp;")) at += 4;
    }
    return out;
}

void look(std::string_view text, Links& links) {
    for (std::size_t at = text.find("http://"); at != text.npos;
         at = text.find("http://", at + 7)) {
        const std::string_view rest = text.substr(at);
        const bool ours = std::any_of(std::begin(here), std::end(here), [&](std::string_view host) {
            return rest.starts_with(host) && ends_host(rest.substr(host.size()));
        });
        if (!ours || links.images.size() + links.targets.size() >= links_max) continue;
        const std::string_view url = rest.substr(0, rest.find_first_of(" \t\r\n\"'<>)"));
        const std::string_view before =
            text.substr(at - std::min<std::size_t>(at, 5), std::min<std::size_t>(at, 5));
        auto& list =
            before.ends_with("src=\"") || before.ends_with("src='") ? links.images : links.targets;
        list.push_back(unescaped(url));
    }
}

// Parts of mail that go as base64, each after an empty line.
void look_into_mail(std::string_view mail, Links& links) {
    constexpr std::string_view mark = "Content-Transfer-Encoding: base64";
    for (std::size_t at = mail.find(mark); at != mail.npos; at = mail.find(mark, at + 1)) {
        const std::size_t begin = mail.find("\r\n\r\n", at);
        if (begin == mail.npos) return;
        const std::size_t end = std::min(mail.find("\r\n--", begin + 4), mail.size());
        std::string packed(mail.substr(begin + 4, end - begin - 4));
        std::erase_if(packed, [](char c) { return c == '\r' || c == '\n'; });
        if (const auto text = from_base64(packed)) look(*text, links);
    }
}

void walk(const json::value& value, Links& links) {
    if (value.is_string()) {
        const std::string_view text(value.get_string());
        look(text, links);
        look_into_mail(text, links);
    } else if (value.is_array()) {
        for (const json::value& one : value.get_array()) walk(one, links);
    } else if (value.is_object()) {
        for (const auto& [key, one] : value.get_object()) {
            // A link in a header is for the mail program: one-click unsubscribe is no click.
            if (key != "headers") walk(one, links);
        }
    }
}

}  // namespace

Links links_in(const json::value& request) {
    Links links;
    walk(request, links);
    return links;
}

}  // namespace pawl::sandbox
