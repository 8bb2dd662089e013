#include "cli/commands/workflow_templates.hpp"

#include "base/error.hpp"
#include "cli/template_texts.gen.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace pawl::cli {

namespace {

// In the order of the files' names, as they are embedded.
constexpr std::array kinds{"approval", "etl", "event", "nightly", "steps"};
static_assert(kinds.size() == std::size(template_texts));

constexpr std::string_view mark = "@NAME@";

}  // namespace

std::vector<std::string> workflow_templates() {
    return {kinds.begin(), kinds.end()};
}

std::string workflow_text(const std::string& kind, const std::string& name) {
    const auto found = std::find(kinds.begin(), kinds.end(), std::string_view(kind));
    PAWL_ASSERT(found != kinds.end());
    std::string text(template_texts[static_cast<std::size_t>(found - kinds.begin())]);
    for (auto at = text.find(mark); at != std::string::npos; at = text.find(mark, at)) {
        text.replace(at, mark.size(), name);
    }
    return text;
}

}  // namespace pawl::cli
