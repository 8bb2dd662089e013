#include "base/spoken.hpp"
#include "cli/commands/people_file.hpp"
#include "cli/commands/people_save.hpp"
#include "cli/commands/run_view.hpp"
#include "cli/door/door.hpp"
#include "cli/parse/input.hpp"
#include "cli/parse/registry.hpp"
#include "cli/terminal/console.hpp"
#include "cli/terminal/progress.hpp"

#include <fmt/core.h>

#include <filesystem>
#include <fstream>

namespace pawl::cli {

namespace {

constexpr std::size_t file_bytes_max = 512 << 20;

struct ImportOptions {
    Globals globals;
    std::string file;
    std::string skipped;  // where rows go that are left out; empty: the first one ends the import
};

Error at_line(const CsvRow& row, const std::string& problem) {
    return Error{Errc::invalid, fmt::format("line {}: {}", row.line, problem), {}};
}

// The rows that are left out, with what is wrong before their cells: some have too many.
class Skipped {
public:
    static Result<Skipped> open(const ImportOptions& options, const PeopleFile& people) {
        Skipped skipped;
        if (options.skipped.empty()) return skipped;
        std::error_code missing;
        if (std::filesystem::equivalent(options.skipped, options.file, missing)) {
            return Error{Errc::invalid, "--skip-bad must name another file than FILE", {}};
        }
        skipped.again_ = people.columns().front() == problem_column;
        skipped.file_.open(options.skipped, std::ios::binary);
        skipped.put(std::string(problem_column), people.columns());
        if (skipped.file_) return skipped;
        return Error{Errc::invalid, "the file cannot be written", {{"file", options.skipped}}};
    }

    void add(const CsvRow& row, const std::string& problem) {
        put(fmt::format("line {}: {}", row.line, problem), row.cells);
        ++count_;
    }
    std::uint64_t count() const { return count_; }
    // Whether all of it is in the file.
    bool close() {
        if (!file_.is_open()) return true;
        file_.close();
        return !file_.fail();
    }

private:
    void put(const std::string& problem, std::vector<std::string> cells) {
        if (again_) cells.erase(cells.begin());
        cells.insert(cells.begin(), problem);
        file_ << csv_line(cells);
    }

    std::ofstream file_;
    bool again_ = false;  // the file was made by an earlier import
    std::uint64_t count_ = 0;
};

// Sends the people of a file in parts. All that it refers to outlives it.
class Import {
public:
    Import(Door& door, const ImportOptions& options, const PeopleFile& people, Skipped& skipped)
        : door_(door), options_(options), people_(people), skipped_(skipped) {}

    asio::awaitable<Result<std::int64_t>> run() {
        auto saved = co_await save_all();
        // Exit code 2 says that nothing was changed.
        if (saved || count_ == 0) co_return saved;
        co_return Error{Errc::conflict, saved.error().message, saved.error().context}.with(
            "saved", fmt::format("{} people; you can import the same file again", count_)
        );
    }

private:
    asio::awaitable<Result<std::int64_t>> save_all() {
        Progress progress(options_.globals, "import");
        const auto total = static_cast<std::int64_t>(people_.rows().size());
        PeoplePart part;
        for (const CsvRow& row : people_.rows()) {
            auto person = people_.person(row);
            if (!person) {
                skipped_.add(row, person.error().message);
                continue;
            }
            if (!part.takes(*person)) {
                if (auto sent = co_await send(std::move(part)); !sent) co_return sent.error();
                part = PeoplePart();
                progress.show(done_, total);
            }
            part.add(row, std::move(*person));
        }
        if (auto sent = co_await send(std::move(part)); !sent) co_return sent.error();
        co_return count_;
    }

    asio::awaitable<Result<void>> send(PeoplePart part) {
        if (part.rows().empty()) co_return Result<void>();
        const int first = part.rows().front()->line;
        const int last = part.rows().back()->line;
        done_ = part.rows().back() - people_.rows().data() + 1;
        const auto saved = co_await save_people(door_, std::move(part));
        if (!saved) {
            co_return Error(saved.error()).with("lines", fmt::format("{} to {}", first, last));
        }
        count_ += saved->count;
        for (const RefusedRow& one : saved->refused) {
            if (options_.skipped.empty()) {
                co_return at_line(*one.row, one.problem)
                    .with("next", "mend it and import again, or leave such rows out: --skip-bad");
            }
            skipped_.add(*one.row, one.problem);
        }
        co_return Result<void>();
    }

    Door& door_;
    const ImportOptions& options_;
    const PeopleFile& people_;
    Skipped& skipped_;
    std::int64_t done_ = 0;
    std::int64_t count_ = 0;
};

asio::awaitable<int> import_people(
    Door& door, const ImportOptions& options, const PeopleFile& people, Skipped& skipped
) {
    Import import(door, options, people, skipped);
    const auto count = co_await import.run();
    if (!skipped.close()) {
        const Error error{Errc::internal, "not all rows could be written", {}};
        co_return report(options.globals, Error(error).with("file", options.skipped));
    }
    if (!count) co_return report(options.globals, count.error());
    if (options.globals.machine()) {
        json::object document{{"rows", people.rows().size()}, {"people", *count}};
        if (!options.skipped.empty()) document["skipped"] = skipped.count();
        print_json(options.globals, document);
    } else {
        print_line(fmt::format("{} people", *count));
    }
    if (skipped.count() == 0) co_return exit_ok;
    say(options.globals,
        fmt::format("{} left out: see {}", counted(skipped.count(), "row"), options.skipped));
    co_return exit_conflict;
}

int run_people_import(const ImportOptions& options) {
    const auto text = read_source(options.file, file_bytes_max);
    if (!text) return report(options.globals, text.error());
    const auto people = PeopleFile::read(*text);
    if (!people) {
        return report(options.globals, Error(people.error()).with("file", options.file));
    }
    if (options.skipped.empty()) {
        // Nothing is sent of a file that cannot be imported as a whole.
        for (const CsvRow& row : people->rows()) {
            const auto person = people->person(row);
            if (person) continue;
            return report(
                options.globals, at_line(row, person.error().message).with("file", options.file)
            );
        }
    }
    auto skipped = Skipped::open(options, *people);
    if (!skipped) return report(options.globals, skipped.error());
    return with_door(options.globals, [&](Door& door) {
        return import_people(door, options, *people, *skipped);
    });
}

void add_people_import(App& app, ImportOptions& options) {
    app.add_option("FILE", options.file, "CSV, with column names in the first line; - is stdin")
        ->required()
        ->type_name("");
    app.add_option(
           "--skip-bad",
           options.skipped,
           "Leave out rows that cannot be saved, and write them here with a column problem"
    )
        ->type_name("FILE");
}

const RegisterCommand<run_people_import, add_people_import> people_import_command(
    {"people import", 40, "Add or replace the people of a CSV file"},
    {{"pawl people import customers.csv", "columns: key, email, phone, name ..."},
     {"pawl people import customers.csv --skip-bad bad.csv"}}
);

}  // namespace

}  // namespace pawl::cli
