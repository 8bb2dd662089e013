#include "api/http/task_page.hpp"

#include "api/page_texts.gen.hpp"
#include "base/base64.hpp"
#include "base/exact_json.hpp"
#include "base/html.hpp"
#include "base/sha256.hpp"

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

// A moment, in UTC where no script runs.
std::string time_html(Instant at) {
    return fmt::format("<time datetime=\"{}\">{} UTC</time>", to_rfc3339(at), minute_of(at));
}

constexpr std::string_view local_times =
    "for(const t of document.querySelectorAll('time'))"
    "t.textContent=new Date(t.dateTime).toLocaleString(document.documentElement.lang,"
    "{year:'numeric',month:'short',day:'numeric',hour:'2-digit',minute:'2-digit',"
    "timeZoneName:'short'})";

// Only this script, by its hash, and none on pages without a moment.
std::string page_policy(bool has_times) {
    static const std::string hash = to_base64(sha256(local_times));
    return fmt::format(
        "default-src 'none'; style-src 'unsafe-inline'; {}form-action 'self'; "
        "frame-ancestors 'none'; base-uri 'none'",
        has_times ? fmt::format("script-src 'sha256-{}'; ", hash) : ""
    );
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
    // What people typed is escaped: only time_html writes one.
    const bool has_times = body.find("<time ") != std::string::npos;
    http::ServerResponse response;
    response.status = status;
    response.headers = {
        {"Content-Type", "text/html; charset=utf-8"},
        {"Content-Security-Policy", page_policy(has_times)},
        // Without a referrer, browsers send a form with the origin null, which is refused.
        {"Referrer-Policy", "same-origin"},
        {"Cache-Control", "no-store"}};
    std::string filled = fill(std::string(page_texts[task_page]), "%language%", language);
    const std::string script = has_times ? fmt::format("<script>{}</script>\n", local_times) : "";
    filled = fill(std::move(filled), "%script%", script);
    // The title last: nothing in it is taken for a place to fill.
    filled = fill(std::move(filled), "%body%", "\x01");
    response.body = fill(fill(std::move(filled), "%title%", escape_html(title)), "\x01", body);
    return response;
}

http::ServerResponse ask_page(
    const store::HumanTask& task,
    const std::string& by,
    const TaskWords& say,
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
    body += "<p class=\"note\">" + fmt::format(fmt::runtime(say.decide_as), escape_html(by));
    if (task.due_at) body += " " + fmt::format(fmt::runtime(say.due), time_html(*task.due_at));
    body += "</p>\n<form method=\"post\">\n";
    if (has_fields(task.form)) {
        // Nothing was sent yet: the fields show what the task has. A form of boxes alone sends
        // nothing when none is ticked, so it says that it was there.
        const FormFields* typed = filled.fields.empty() ? nullptr : &filled.fields;
        body += "<input type=\"hidden\" name=\"data/\" value=\"\">\n";
        body += form_html(task.form, task.data, typed, wrong.fields, say.required);
    } else if (!task.form.is_null()) {
        body += fmt::format(
            "<label for=\"data\">{}</label>\n"
            "<textarea id=\"data\" name=\"data\" rows=\"8\">{}</textarea>\n",
            say.edit_json,
            escape_html(filled.data.empty() ? data : filled.data)
        );
    }
    body += fmt::format(
        "<label for=\"reason\">{}</label>\n"
        "<input id=\"reason\" name=\"reason\" maxlength=\"2000\" value=\"{}\">\n"
        "<button class=\"yes\" name=\"decision\" value=\"approve\">{}</button>\n"
        "<button name=\"decision\" value=\"reject\" formnovalidate>{}</button>\n</form>\n",
        say.reason,
        escape_html(filled.reason),
        say.approve,
        say.reject
    );
    return html_page(status, task.title, body, say.language);
}

http::ServerResponse word_page(
    int status, const std::string& title, const std::string& word, std::string_view language
) {
    return html_page(status, title, fmt::format("<p>{}</p>\n", escape_html(word)), language);
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
