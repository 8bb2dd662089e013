#include "cli/commands/object_file.hpp"
#include "cli/commands/registry.hpp"
#include "cli/commands/run_view.hpp"
#include "cli/door/door.hpp"
#include "cli/terminal/console.hpp"

#include <fmt/core.h>

namespace pawl::cli {

namespace {

struct TemplatesOptions {
    Globals globals;
    std::vector<std::string> files;
};

struct TemplateFile {
    std::string file;
    std::string name;
    json::object body;
};

asio::awaitable<int> apply(
    Door& door, const Globals& globals, const std::vector<TemplateFile>& files
) {
    json::array list;
    std::vector<TableRow> rows;
    for (const TemplateFile& one : files) {
        const auto saved = co_await door.call({"PUT", {"templates", one.name}, {}, one.body});
        if (!saved) co_return report(globals, Error(saved.error()).with("file", one.file));
        const bool changed = value_member(*saved, "changed").as_bool();
        rows.push_back(
            {one.name,
             fmt::format("v{}", number_member(*saved, "version")),
             changed ? Cell("saved", Color::green) : Cell("unchanged", Color::dim)}
        );
        list.push_back(*saved);
    }
    if (globals.machine()) {
        print_json_list(globals, list);
    } else {
        print_details(globals, rows);
    }
    co_return exit_ok;
}

int run_templates_apply(const TemplatesOptions& options) {
    std::vector<TemplateFile> files;
    for (const std::string& file : options.files) {
        auto read = read_object_file(file);
        if (!read) return report(options.globals, read.error());
        std::string name(text_in(*read, "name"));
        if (name.empty()) {
            return report(
                options.globals,
                {Errc::invalid, "the template needs a name: write name: welcome", {{"file", file}}}
            );
        }
        read->erase("name");
        files.push_back({file, std::move(name), std::move(*read)});
    }
    return with_door(options.globals, [&](Door& door) {
        return apply(door, options.globals, files);
    });
}

void add_templates_apply(App& app, TemplatesOptions& options) {
    app.add_option("-f,--file", options.files, "name, category and languages; - is stdin")
        ->required()
        ->type_name("FILE");
}

const RegisterGroup templates_group("templates", 86, "What messages say, in several languages");

const RegisterCommand<run_templates_apply, add_templates_apply> templates_apply_command(
    {"templates apply", 10, "Save templates; the same again changes nothing"},
    {{"pawl templates apply -f welcome.yaml -f birthday.yaml"}}
);

}  // namespace

}  // namespace pawl::cli
