#include "api/http/preference_page.hpp"

#include "api/http/task_page.hpp"
#include "base/html.hpp"
#include "connect/form.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace pawl::api {

namespace {

struct Words {
    const char* title;
    const char* question;
    const char* necessary;
    const char* save;
    const char* none;
    const char* saved;
    const char* nothing;
    const char* not_valid;
    std::map<std::string_view, const char*> names;  // of channels and categories
};

const Words& words(std::string_view language) {
    static const Words english{
        "Your messages",
        "Which messages do you want to get?",
        "Messages that belong to an order or to your account are always sent.",
        "Save",
        "No messages at all",
        "Saved.",
        "There is nothing to choose.",
        "This link is not valid. Was it copied as a whole?",
        {{"email", "Email"},
         {"sms", "SMS"},
         {"line", "LINE"},
         {"push", "Notifications"},
         {"webhook", "Webhook"},
         {"marketing", "News and offers"}}};
    static const Words thai{
        "ข้อความถึงคุณ",
        "คุณต้องการรับข้อความใดบ้าง",
        "ข้อความเกี่ยวกับคำสั่งซื้อหรือบัญชีของคุณจะส่งถึงคุณเสมอ",
        "บันทึก",
        "ไม่รับข้อความใด ๆ",
        "บันทึกแล้ว",
        "ไม่มีตัวเลือก",
        "ลิงก์นี้ใช้ไม่ได้ คัดลอกมาครบหรือไม่",
        {{"email", "อีเมล"},
         {"sms", "SMS"},
         {"line", "LINE"},
         {"push", "การแจ้งเตือน"},
         {"webhook", "Webhook"},
         {"marketing", "ข่าวสารและโปรโมชัน"}}};
    return language == "th" ? thai : english;
}

std::string shown_name(const Words& say, const std::string& name) {
    const auto found = say.names.find(name);
    return found == say.names.end() ? escape_html(name) : found->second;
}

// A channel is a word without a colon.
std::string cell_value(const store::Preference& cell) {
    return escape_html(cell.channel + ":" + cell.category);
}

std::string row_of(const Words& say, const store::Preferences& all, const std::string& category) {
    std::string row = fmt::format("<tr><th scope=\"row\">{}</th>", shown_name(say, category));
    for (const store::Preference& cell : all.cells) {
        if (cell.category != category) continue;
        row += fmt::format(
            "<td><label><input type=\"hidden\" name=\"seen\" value=\"{0}\">"
            "<input type=\"checkbox\" name=\"want\" value=\"{0}\"{1}> {2}</label></td>",
            cell_value(cell),
            cell.wanted ? " checked" : "",
            shown_name(say, cell.channel)
        );
    }
    return row + "</tr>\n";
}

}  // namespace

std::string_view page_language(std::string_view locale, std::string_view accept_language) {
    const std::string_view wanted = locale.empty() ? accept_language : locale;
    return wanted.starts_with("th") || wanted.starts_with("TH") ? "th" : "en";
}

http::ServerResponse preference_page(
    const store::Preferences& preferences, std::string_view language, bool saved
) {
    const Words& say = words(language);
    std::string body;
    if (saved) body += fmt::format("<p role=\"status\">{}</p>\n", say.saved);
    if (preferences.cells.empty()) {
        body += fmt::format("<p>{}</p>\n", say.nothing);
        return html_page(200, say.title, body, language);
    }
    body += fmt::format("<p>{}</p>\n<form method=\"post\">\n<table>\n", say.question);
    std::set<std::string> categories;
    for (const store::Preference& cell : preferences.cells) {
        if (categories.insert(cell.category).second)
            body += row_of(say, preferences, cell.category);
    }
    body += fmt::format(
        "</table>\n<p class=\"note\">{}</p>\n"
        "<button class=\"yes\">{}</button>\n<button name=\"none\" value=\"1\">{}</button>\n"
        "</form>\n",
        say.necessary,
        say.save,
        say.none
    );
    return html_page(200, say.title, body, language);
}

http::ServerResponse no_preference_page(std::string_view language) {
    const Words& say = words(language);
    return html_page(404, say.title, fmt::format("<p>{}</p>\n", say.not_valid), language);
}

std::vector<store::Preference> read_preferences(std::string_view form) {
    std::vector<store::Preference> shown;
    std::set<std::string, std::less<>> wanted;
    bool none = false;
    const auto fields = connect::read_form(form);
    if (!fields) return shown;
    for (const auto& [name, value] : *fields) {
        if (name == "none") none = true;
        if (name == "want") wanted.insert(value);
        const std::size_t colon = value.find(':');
        if (name == "seen" && colon != std::string::npos) {
            shown.push_back({value.substr(0, colon), value.substr(colon + 1), false});
        }
    }
    for (store::Preference& cell : shown) {
        cell.wanted = !none && wanted.contains(cell.channel + ":" + cell.category);
    }
    return shown;
}

}  // namespace pawl::api
