#include "cli/commands/workflow_templates.hpp"
#include "cli/parse/registry.hpp"
#include "cli/parse/shared_options.hpp"
#include "cli/parse/typed_options.hpp"
#include "cli/terminal/console.hpp"
#include "model/definition.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace pawl::cli {

namespace fs = std::filesystem;

namespace {

struct NewWorkflowOptions {
    Globals globals;
    std::string name;
    std::string kind = "steps";  // the template
    std::string dir = ".";
};

// Only where there is no file yet: an existing one is never overwritten.
Result<void> write_new(const fs::path& path, const std::string& text) {
    const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0 && errno == EEXIST) {
        return Error{
            Errc::conflict,
            fmt::format("there is a file {} already", path.string()),
            {{"next", "give another name, or another folder: --dir"}}};
    }
    bool written =
        fd >= 0 && ::write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    if (fd >= 0) written = ::close(fd) == 0 && written;
    if (written) return {};
    return Error{
        Errc::invalid, fmt::format("cannot write {}: {}", path.string(), std::strerror(errno)), {}};
}

int run_new_workflow(const NewWorkflowOptions& options) {
    const std::string text = workflow_text(options.kind, options.name);
    // The name decides: the template is right.
    if (const auto definition = parse_definition(text); !definition) {
        return report(
            options.globals,
            {Errc::invalid,
             fmt::format("'{}' cannot be the name of a workflow", options.name),
             {{"next", "pawl new workflow order_paid"}}}
        );
    }
    if (options.name.find('/') != std::string::npos || options.name.starts_with('.')) {
        const char* why = "the name becomes that of a file: it has no slash and begins with no dot";
        return report(options.globals, {Errc::invalid, why, {}});
    }
    std::error_code failed;
    fs::create_directories(options.dir, failed);
    const fs::path path = fs::path(options.dir) / (options.name + ".yaml");
    if (const auto written = write_new(path, text); !written) {
        return report(options.globals, written.error());
    }
    print_line(path.string());
    say(options.globals,
        fmt::format(
            "next: pawl workflows validate -f {0}; pawl workflows apply -f {0}", path.string()
        ));
    return exit_ok;
}

void add_new_workflow(App& app, NewWorkflowOptions& options) {
    add_argument(app, "NAME", options.name, "Its name, such as order_paid");
    add_word(app, "--template", options.kind, workflow_templates(), "What to begin with [steps]");
    app.add_option("-o,--dir", options.dir, "The folder for the file")
        ->type_name("DIR")
        ->capture_default_str();
}

const RegisterGroup new_group("new", 170, "Write a workflow or a process to start from");

const RegisterCommand<run_new_workflow, add_new_workflow> new_workflow_command(
    {"new workflow", 10, "A definition with comments, to change and publish"},
    {{"pawl new workflow order_paid"},
     {"pawl new workflow refund --template approval --dir workflows"}}
);

}  // namespace

}  // namespace pawl::cli
