#include "cli/parse/registry.hpp"
#include "cli/parse/shared_options.hpp"
#include "cli/parse/typed_options.hpp"
#include "cli/process_texts.gen.hpp"
#include "cli/terminal/console.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <vector>

namespace pawl::cli {

namespace fs = std::filesystem;

namespace {

struct NewProcessOptions {
    Globals globals;
    std::string name;
    std::string schema = "app";
    std::string channel = "email";  // or sms: what its attempts are
    std::string dir = ".";
};

// The longest name that is made of it must fit into the 63 bytes of a name in PostgreSQL.
constexpr std::size_t name_bytes_max = 30;

constexpr std::array reserved_schemas{"pawl", "queues", "internal", "information_schema"};

// Words that PostgreSQL takes for a schema only in quotes.
constexpr std::string_view reserved_words =
    " all analyse analyze and any array as asc asymmetric authorization binary both case cast "
    "check "
    "collate collation column concurrently constraint create cross current_catalog current_date "
    "current_role current_schema current_time current_timestamp current_user default deferrable "
    "desc distinct do else end except false fetch for foreign freeze from full grant group having "
    "ilike in initially inner intersect into is isnull join lateral leading left like limit "
    "localtime localtimestamp natural not notnull null offset on only or order outer overlaps "
    "placing primary references returning right select session_user similar some symmetric table "
    "tablesample then to trailing true union unique user using variadic verbose when where window "
    "with ";

// As SQL writes it without quotes, so that it needs none anywhere.
void check_name(std::string_view what, std::string_view name) {
    const auto allowed = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    };
    const bool right = !name.empty() && name.size() <= name_bytes_max && name.front() >= 'a' &&
                       name.front() <= 'z' && std::all_of(name.begin(), name.end(), allowed);
    if (right) return;
    throw Failure(
        {Errc::invalid,
         fmt::format(
             "the {} must be lower-case letters, digits and _, begin with a letter, and have at "
             "most {} characters",
             what,
             name_bytes_max
         ),
         {{"given", std::string(name)}, {"next", "pawl new process send_receipt"}}}
    );
}

void check_schema(const std::string& schema) {
    check_name("schema", schema);
    const bool reserved =
        schema.starts_with("pg_") ||
        reserved_words.find(" " + schema + " ") != std::string_view::npos ||
        std::any_of(reserved_schemas.begin(), reserved_schemas.end(), [&](const char* taken) {
            return schema == taken;
        });
    if (!reserved) return;
    throw Failure(
        {Errc::invalid,
         "the schema belongs to PostgreSQL or to Pawl: take another",
         {{"given", schema}}}
    );
}

struct Placeholder {
    std::string_view mark;
    std::string text;
};

std::vector<Placeholder> placeholders(const NewProcessOptions& options) {
    const bool email = options.channel == "email";
    return {
        {"@COLUMNS@",
         email ? "    to_address text not null,\n    subject text not null,\n"
                 "    body_text text not null,"
               : "    to_number text not null,\n    body text not null,"},
        {"@FIELDS@",
         email ? "               'to', m.to_address,\n               'subject', m.subject,\n"
                 "               'text', m.body_text,"
               : "               'to', m.to_number,\n               'body', m.body,"},
        {"@TEST_COLUMNS@", email ? "to_address, subject, body_text" : "to_number, body"},
        {"@TEST_VALUES@", email ? "'ann@example.com', 'Hello', 'text'" : "'+66811234567', 'hello'"},
        {"@C@", options.channel},
        {"@S@", options.schema},
        {"@N@", options.name}};
}

std::string filled(std::string text, const NewProcessOptions& options) {
    for (const auto& [mark, value] : placeholders(options)) {
        for (auto at = text.find(mark); at != std::string::npos;
             at = text.find(mark, at + value.size())) {
            text.replace(at, mark.size(), value);
        }
    }
    return text;
}

void write_file(const fs::path& path, const std::string& text) {
    std::ofstream file(path, std::ios::binary);
    file << text;
    file.close();
    if (!file) throw Failure({Errc::invalid, "cannot write the file", {{"file", path.string()}}});
}

int run_new_process(const NewProcessOptions& options) {
    check_name("name", options.name);
    check_schema(options.schema);
    const fs::path dir = options.dir;
    const fs::path process = dir / (options.name + ".sql");
    const fs::path test = dir / (options.name + "_test.sql");
    for (const fs::path& path : {process, test}) {
        if (!fs::exists(path)) continue;
        throw Failure({Errc::conflict, "there is such a file already", {{"file", path.string()}}});
    }
    std::error_code failed;
    fs::create_directories(dir, failed);
    // In the order of their names: process.sql, process_test.sql.
    write_file(process, filled(std::string(process_texts[0]), options));
    write_file(test, filled(std::string(process_texts[1]), options));
    print_line(process.string());
    print_line(test.string());
    say(options.globals,
        fmt::format(
            "next: psql \"$DATABASE_URL\" -v ON_ERROR_STOP=1 -f {} -f {}",
            process.string(),
            test.string()
        ));
    return exit_ok;
}

void add_new_process(App& app, NewProcessOptions& options) {
    add_argument(app, "NAME", options.name, "What it does: send_receipt");
    app.add_option("--schema", options.schema, "Where it lives")
        ->type_name("SCHEMA")
        ->capture_default_str();
    add_word(app, "--channel", options.channel, {"email", "sms"}, "What it sends [email]");
    app.add_option("-o,--dir", options.dir, "The folder for the files")
        ->type_name("DIR")
        ->capture_default_str();
}

const RegisterCommand<run_new_process, add_new_process> new_process_command(
    {"new process", 20, "SQL of a business process with facts and a supervisor, and its test"},
    {{"pawl new process send_receipt"},
     {"pawl new process send_code --channel sms --schema auth --dir db/"},
     {"psql \"$DATABASE_URL\" -f send_receipt.sql -f send_receipt_test.sql"}}
);

}  // namespace

}  // namespace pawl::cli
