#include "cli/parse/shared_options.hpp"

#include "cli/parse/typed_options.hpp"

#include <cctype>
#include <cstdlib>

namespace pawl::cli {

void add_argument(App& app, const std::string& name, std::string& given, const std::string& what) {
    app.add_option(name, given, what)->required()->type_name("");
}

Option* add_setting(
    App& app, const char* name, std::string& given, const char* type, const char* what
) {
    std::string variable = "PAWL";
    for (const char c : std::string_view(name).substr(1)) {
        variable += c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    }
    return app.add_option(name, given, what)->type_name(type)->envname(variable);
}

void add_workflow_name(App& app, std::string& name) {
    add_argument(app, "NAME", name, "The workflow");
}

void add_run_id(App& app, std::string& id) {
    add_argument(app, "ID", id, "The run");
}

Option* add_run_reason(App& app, std::string& reason) {
    return app.add_option("--reason", reason, "Kept in the run's log")->type_name("TEXT");
}

void add_workflow_filter(App& app, std::string& workflow) {
    app.add_option("--workflow", workflow, "Only of this workflow")->type_name("NAME");
}

void add_run_search(App& app, std::string& error, std::vector<std::string>& where) {
    app.add_option("--error", error, "Only with this text in the error")->type_name("TEXT");
    app.add_option("--where", where, "Only with such data; may be repeated")
        ->allow_extra_args(false)
        ->type_name("CONDITION");
}

void add_limit(App& app, int& limit) {
    add_number(app, "--limit", limit, 1, 1000, "At most this many [50]");
}

Option* add_json(App& app, const std::string& name, std::string& given, const std::string& what) {
    return app.add_option(name, given, what)->type_name("JSON|@FILE|-");
}

void add_definition_files(App& app, std::vector<std::string>& files) {
    // Also without -f, as other programs take it.
    app.add_option("-f,--file,DEFINITION", files, "YAML or JSON file, folder, or - for stdin")
        ->required()
        ->type_name("FILE");
}

std::string user_name() {
    const char* user = std::getenv("USER");
    return user == nullptr || *user == '\0' ? "cli" : user;
}

void add_by(App& app, std::string& by, const std::string& what) {
    by = user_name();
    app.add_option("--by", by, what)->type_name("NAME");
}

void add_secret_key(App& app, std::string& file, const std::string& what) {
    app.add_option("--secret-key", file, what)->type_name("FILE")->envname("PAWL_SECRET_KEY_FILE");
}

}  // namespace pawl::cli
