#include "api/http/task_page.hpp"

#include "api/page_texts.gen.hpp"
#include "base/exact_json.hpp"
#include "base/html.hpp"

#include <fmt/format.h>

namespace pawl::api {

namespace {

// Pages are embedded in the order of their names: sandbox.html, task.html.
constexpr std::size_t task_page = 1;

std::string fill(std::string text, std::string_view name, std::string_view value) {
    std::size_t at = 0;
    while ((at = text.find(name, at)) != std::string::npos) {
        text.replace(at, name.size(), value);
        at += value.size();
    }
    return text;
}

// "2026-11-20 12:10".
std::string minute_of(Instant at) {
    std::string text = to_rfc3339(at).substr(0, 16);
    text[10] = ' ';
    return text;
}

int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

// What "%2F" stands for; nothing when it is no such thing.
std::optional<char> escaped_byte(std::string_view text) {
    if (text.size() < 3 || text[0] != '%') return std::nullopt;
    const int high = hex_digit(text[1]);
    const int low = hex_digit(text[2]);
    if (high < 0 || low < 0) return std::nullopt;
    return static_cast<char>(high * 16 + low);
}

std::string decode(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '+') {
            out += ' ';
        } else if (const auto byte = escaped_byte(text.substr(i))) {
            out += *byte;
            i += 2;
        } else {
            out += text[i];
        }
    }
    return out;
}

}  // namespace

http::ServerResponse html_page(
    int status, const std::string& title, const std::string& body, std::string_view language
) {
    http::ServerResponse response;
    response.status = status;
    response.headers = {
        {"Content-Type", "text/html; charset=utf-8"},
        {"Content-Security-Policy",
         "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; "
         "frame-ancestors 'none'; base-uri 'none'"},
        // Without a referrer, browsers send a form with the origin null, which is refused.
        {"Referrer-Policy", "same-origin"},
        {"Cache-Control", "no-store"}};
    std::string filled = fill(std::string(page_texts[task_page]), "%language%", language);
    // The title last: nothing in it is taken for a place to fill.
    filled = fill(std::move(filled), "%body%", "\x01");
    response.body = fill(fill(std::move(filled), "%title%", escape_html(title)), "\x01", body);
    return response;
}

http::ServerResponse ask_page(
    const store::HumanTask& task,
    const std::string& by,
    const TaskForm& filled,
    const TaskWrong& wrong,
    int status
) {
    std::string body;
    if (!wrong.word.empty()) {
        body += fmt::format("<p class=\"wrong\" role=\"alert\">{}</p>\n", escape_html(wrong.word));
    }
    if (!task.description.empty())
        body += fmt::format("<p class=\"words\">{}</p>\n", escape_html(task.description));
    const std::string data = task.data.is_null() ? "" : plain_json(task.data);
    if (!data.empty() && task.form.is_null()) {
        body += fmt::format("<pre>{}</pre>\n", escape_html(data));
    }
    body += fmt::format(
        "<p class=\"note\">You decide as {}.{}</p>\n<form method=\"post\">\n",
        escape_html(by),
        task.due_at ? " Due " + minute_of(*task.due_at) + " UTC." : ""
    );
    if (has_fields(task.form)) {
        // Nothing was sent yet: the fields show what the task has. A form of boxes alone sends
        // nothing when none is ticked, so it says that it was there.
        const FormFields* typed = filled.fields.empty() ? nullptr : &filled.fields;
        body += "<input type=\"hidden\" name=\"data/\" value=\"\">\n";
        body += form_html(task.form, task.data, typed, wrong.fields);
    } else if (!task.form.is_null()) {
        body += fmt::format(
            "<label for=\"data\">What you approve (JSON, may be edited)</label>\n"
            "<textarea id=\"data\" name=\"data\" rows=\"8\">{}</textarea>\n",
            escape_html(filled.data.empty() ? data : filled.data)
        );
    }
    body += fmt::format(
        "<label for=\"reason\">Reason (needed to reject)</label>\n"
        "<input id=\"reason\" name=\"reason\" maxlength=\"2000\" value=\"{}\">\n"
        "<button class=\"yes\" name=\"decision\" value=\"approve\">Approve</button>\n"
        "<button name=\"decision\" value=\"reject\" formnovalidate>Reject</button>\n</form>\n",
        escape_html(filled.reason)
    );
    return html_page(status, task.title, body);
}

http::ServerResponse word_page(int status, const std::string& title, const std::string& word) {
    return html_page(status, title, fmt::format("<p>{}</p>\n", escape_html(word)));
}

http::ServerResponse button_page(
    const std::string& title, const std::string& question, const std::string& button
) {
    return html_page(
        200,
        title,
        fmt::format(
            "<p>{}</p>\n<form method=\"post\">\n<button class=\"yes\">{}</button>\n</form>\n",
            escape_html(question),
            escape_html(button)
        )
    );
}

TaskForm read_form(std::string_view body) {
    TaskForm form;
    while (!body.empty()) {
        const std::size_t end = std::min(body.find('&'), body.size());
        const std::string_view field = body.substr(0, end);
        const std::size_t equals = std::min(field.find('='), field.size());
        const std::string_view name = field.substr(0, equals);
        std::string value = decode(field.substr(std::min(equals + 1, field.size())));
        if (name == "decision") {
            form.decision = std::move(value);
        } else if (name == "reason") {
            form.reason = std::move(value);
        } else if (name == "data") {
            form.data = std::move(value);
        } else if (std::string key = decode(name); key.starts_with("data/")) {
            form.fields.emplace_back(std::move(key), std::move(value));
        }
        body.remove_prefix(std::min(end + 1, body.size()));
    }
    return form;
}

}  // namespace pawl::api
