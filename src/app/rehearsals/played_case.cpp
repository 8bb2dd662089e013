#include "app/rehearsals/played_case.hpp"

#include "model/duration.hpp"

#include <boost/json/array.hpp>
#include <fmt/core.h>

namespace pawl::app {

PlayedCase play_case(
    const Definition& definition, const rehearse::TestCase& test, const rehearse::RealSteps& real
) {
    PlayedCase played;
    const auto valid = validate_input(definition, test.script.input);
    if (!valid) {
        played.mismatches.push_back({"input", "is refused: " + valid.error().message, {}});
        played.recording.visits.resize(definition.nodes.size());
        played.recording.taken.resize(definition.edges.size());
        return played;
    }
    rehearse::MockWorld world(test.mocks, real);
    played.recording = rehearse::rehearse(definition, test.script, world);
    played.mismatches = rehearse::check(definition, test.expect, played.recording);
    return played;
}

Duration took(const rehearse::Recording& recording) {
    return recording.log.empty() ? Duration{} : recording.ended - recording.log.front().at;
}

json::object to_json(const rehearse::TestCase& test, const PlayedCase& played) {
    json::array mismatches;
    for (const rehearse::Mismatch& mismatch : played.mismatches) {
        json::array lines;
        for (const auto& [mark, text] : mismatch.lines) {
            lines.push_back(json::value(fmt::format("{} {}", mark, text)));
        }
        mismatches.push_back(json::object{
            {"what", mismatch.what}, {"message", mismatch.message}, {"diff", std::move(lines)}});
    }
    json::array path;
    for (const std::string& node : played.recording.path) path.push_back(json::value(node));
    return {
        {"name", test.name},
        {"line", test.line},
        {"passed", played.mismatches.empty()},
        {"status", rehearse::outcome_name(played.recording)},
        {"took", format_duration(took(played.recording))},
        {"path", std::move(path)},
        {"output", played.recording.output},
        {"error", played.recording.error},
        {"mismatches", std::move(mismatches)}};
}

}  // namespace pawl::app
