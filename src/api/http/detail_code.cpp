#include "api/http/detail_code.hpp"

#include <algorithm>

namespace pawl::api {

namespace {

// The first that fits counts. Body, the query parameters and schemas (model/schema_words.cpp) say
// most of them; a test writes each.
constexpr SentenceForm forms[] = {
    {"required", "is required{rest}"},
    {"missing", "is missing"},
    {"must_be_text", "must be text"},
    {"must_be_text", "must be a text"},
    {"text_length", "must have {least} to {most} characters"},
    {"too_many_bytes", "must have at most {most} bytes"},
    {"must_be_person", "must name a person"},
    {"must_be_whole", "must be a whole number from {least} to {most}"},
    {"must_be_integer", "must be an integer"},
    {"must_be_number", "must be a number"},
    {"must_be_flag", "must be true or false"},
    {"must_be_flag", "must be a boolean"},
    {"must_be_object", "must be an object"},
    {"must_be_list", "must be a list"},
    {"must_be_list", "must be an array"},
    {"must_be_texts", "must be a list of texts"},
    {"must_be_time", "must be a time like {example}"},
    {"must_be_clock", "must be a time of day like {example}"},
    {"must_be_date", "must be a date like {example}"},
    {"must_be_email", "must be an e-mail address like {example}"},
    {"must_be_address", "must be an address like {example}"},
    {"must_be_id", "must be an id like {example}"},
    {"must_be_longer", "must be longer than zero"},
    {"must_be_past", "must not be in the future"},
    {"must_be_before", "must be before '{other}'"},
    {"must_be_one_of", "must be one of {known}, did you mean '{similar}'?"},
    {"must_be_one_of", "must be one of {known}"},
    {"must_be_at_least", "must be at least {least}"},
    {"must_be_at_most", "must be at most {most}"},
    {"must_be_more", "must be more than {least}"},
    {"must_be_less", "must be less than {most}"},
    {"must_be_multiple", "must be a multiple of {factor}"},
    {"empty", "must not be empty"},
    {"too_short", "must have at least {least} characters"},
    {"too_long", "must have at most {most} characters"},
    {"must_match", "must match {pattern}"},
    {"too_few_items", "must have at least {least} items"},
    {"too_few_items", "must have at least {least} item"},
    {"too_many_items", "must have at most {most} items"},
    {"too_many_items", "must have at most {most} item"},
    {"unknown_key", "is not known here, did you mean '{similar}'?"},
    {"unknown_key", "is not known here{rest}"},
    {"not_asked_for", "is not asked for"},
    {"not_allowed", "is not allowed"},
    {"no_cursor", "is not a next_cursor of a page"},
    {"no_run_id", "is not the id of a run"},
    {"no_step", "is not a step of this version"},
    {"no_way_out", "is no way out"},
    {"no_connector", "must be a connector that is there"},
};

}  // namespace

std::optional<DetailCode> detail_code(std::string_view detail) {
    for (const SentenceForm& form : forms) {
        if (auto values = values_in(form.text, detail)) return DetailCode{form.code, *values};
    }
    return std::nullopt;
}

std::vector<std::string_view> detail_codes() {
    std::vector<std::string_view> codes;
    for (const SentenceForm& form : forms) {
        if (std::find(codes.begin(), codes.end(), form.code) == codes.end()) {
            codes.push_back(form.code);
        }
    }
    return codes;
}

}  // namespace pawl::api
