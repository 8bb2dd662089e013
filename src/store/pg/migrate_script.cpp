#include "store/migrations.gen.hpp"
#include "store/pg/migrate.hpp"
#include "store/queries.gen.hpp"

#include <fmt/core.h>

#include <iterator>
#include <string_view>

namespace pawl::store {

namespace {

std::string quoted(std::string_view value) {
    return fmt::format("'{}'", value);
}

// The statement with its parameters in place, without an end. It has less than ten of them.
std::string filled(const pg::Query& query, const std::vector<std::string>& values) {
    std::string text;
    for (std::string_view rest = query.text; !rest.empty(); rest.remove_prefix(1)) {
        if (rest.front() != '$') {
            text += rest.front();
            continue;
        }
        rest.remove_prefix(1);
        text += values.at(static_cast<std::size_t>(rest.front() - '1'));
    }
    return text;
}

std::string statement(const pg::Query& query, const std::vector<std::string>& values = {}) {
    return filled(query, values) + ";\n";
}

// `text` where all of `conditions`, statements that give one boolean, hold.
std::string where(const std::vector<std::string>& conditions, std::string_view text) {
    std::string all;
    for (const std::string& condition : conditions) {
        all += fmt::format("{}({})", all.empty() ? "" : " and ", condition);
    }
    return fmt::format("\nselect {} as pending \\gset\n\\if :pending\n{}\\endif\n", all, text);
}

// Stops the script with a sentence.
std::string stop(std::string_view sentence) {
    return fmt::format("do $stop$ begin raise exception '{}'; end $stop$;\n", sentence);
}

std::string in_transaction(std::string_view text) {
    return fmt::format("begin;\n{}commit;\n", text);
}

std::string recorded(const Migration& file) {
    return statement(queries::record_migration, {std::to_string(file.number), quoted(file.name)});
}

std::string bookkeeping() {
    return in_transaction(
        statement(queries::create_schema) + statement(queries::create_migration_table) +
        statement(queries::create_text_table)
    );
}

std::string taking_over() {
    const std::string number = std::to_string(baseline.number);
    const std::string old = filled(queries::is_old_chain, {quoted(migrations[0].name)});
    const std::string ready = filled(queries::is_at_baseline, {number, quoted(baseline.name)});
    std::string text = statement(queries::take_over_migrations, {number});
    for (int file = 0; file < baseline_files; ++file) text += recorded(migrations[file]);
    const std::string sentence = fmt::format(
        "the database is not at migration {:04}_{}: pawl migrate up says what to do",
        baseline.number,
        baseline.name
    );
    return where({old, ready}, in_transaction(text)) + where({old}, stop(sentence));
}

std::string guards() {
    const std::string sentence =
        stop("the database was migrated by a newer pawl; upgrade this one");
    const std::string last = std::to_string(migrations[std::size(migrations) - 1].number);
    const std::string newer = filled(queries::newer_texts, {quoted(sql_version)});
    return where({filled(queries::has_newer_file, {last})}, sentence) +
           where({fmt::format("({}) <> ''", newer)}, sentence);
}

std::string file_of(const Migration& file) {
    return where(
        {filled(queries::is_file_pending, {std::to_string(file.number)})},
        in_transaction(recorded(file) + "\n" + file.sql + "\n")
    );
}

std::string text_of(const SqlText& text) {
    const std::string path = quoted(text.path);
    const std::string hash = quoted(text.hash);
    return where(
        {filled(queries::is_text_pending, {path, hash})},
        text.sql + ("\n" + statement(queries::record_text, {path, hash, quoted(sql_version)}))
    );
}

}  // namespace

std::string migration_sql() {
    std::string script =
        "-- Creates or upgrades the schema of Pawl, for psql. Numbered files are applied once,\n"
        "-- each in a transaction; functions and views after them, those that changed, in one.\n"
        "-- The script stops at the first error, and may be run again.\n"
        "\\set ON_ERROR_STOP on\n";
    script += bookkeeping() + taking_over() + guards();
    for (const Migration& file : migrations) script += file_of(file);
    std::string texts = statement(queries::lock_migration_table);
    for (const SqlText& text : sql_texts) texts += text_of(text);
    return script + "\n" + in_transaction(texts + "\n" + statement(queries::secure_schema));
}

}  // namespace pawl::store
