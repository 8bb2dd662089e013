#include "jq/machine.hpp"

#include "base/cut_text.hpp"

#include <algorithm>
#include <array>

extern "C" {
#include <jq.h>
}

namespace pawl::jq {

namespace {

constexpr std::size_t message_bytes_max = 4000;

// Owns a value of jq: its functions consume what they are given.
std::string text_of(jv value) {
    if (jv_get_kind(value) != JV_KIND_STRING) value = jv_dump_string(value, 0);
    std::string text(
        jv_string_value(value), static_cast<std::size_t>(jv_string_length_bytes(jv_copy(value)))
    );
    jv_free(value);
    return text;
}

void erase_all(std::string& text, std::string_view part) {
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at)) {
        text.erase(at, part.size());
    }
}

// Takes away what only makes sense where jq is a command.
std::string cleaned(std::string message) {
    erase_all(message, "jq: error: ");
    erase_all(message, " (Unix shell quoting issues?)");
    if (const auto count = message.find("\njq: "); count != std::string::npos)
        message.resize(count);
    const auto end = message.find_last_not_of(" \n\t");
    message.resize(end == std::string::npos ? 0 : end + 1);
    return message;
}

void keep_message(void* into, jv message) {
    auto& text = *static_cast<std::string*>(into);
    // Of a deep program jq says what is wrong at every level, each time with all of it.
    if (text.size() > message_bytes_max) return jv_free(message);
    if (!text.empty()) text += '\n';
    text += text_of(jq_format_error(message));
}

void drop_message(void*, jv message) {
    jv_free(message);
}

jv no_input(jq_state*, void*) {
    return jv_invalid();
}

// Nothing came, or an error did.
Reply ending(jq_state* state, jv last) {
    if (jq_halted(state) != 0) {
        jv_free(last);
        const jv code = jq_get_exit_code(state);
        const bool fine = jv_get_kind(code) != JV_KIND_NUMBER || jv_number_value(code) == 0;
        jv_free(code);
        if (fine) return {};
        return {Answer::failed, text_of(jq_get_error_message(state))};
    }
    if (jv_invalid_has_msg(jv_copy(last)) == 0) {
        jv_free(last);
        return {};
    }
    const jv message = jv_invalid_get_msg(last);
    const bool is_text = jv_get_kind(message) == JV_KIND_STRING;
    std::string text = (is_text ? "" : "error: ") + text_of(message);
    // An error can carry any value; the rest of a long one is of no use.
    text.resize(std::min(text.size(), message_bytes_max));
    return {Answer::failed, std::move(text)};
}

}  // namespace

bool begins_with_import(std::string_view program) {
    constexpr std::array<std::string_view, 3> words{"import", "include", "module"};
    std::size_t at = 0;
    for (;;) {
        at = program.find_first_not_of(" \t\r\n", at);
        if (at == std::string_view::npos) return false;
        if (program[at] != '#') break;
        at = std::min(program.find('\n', at), program.size());
    }
    const auto rest = program.substr(at);
    const auto end = rest.find_first_not_of("abcdefghijklmnopqrstuvwxyz");
    return std::find(words.begin(), words.end(), rest.substr(0, end)) != words.end();
}

void Machine::Teardown::operator()(jq_state* state) const {
    jq_teardown(&state);
}

jq_state* Machine::compile(std::string_view program, std::string& why) {
    if (const auto found = by_text_.find(program); found != by_text_.end()) {
        programs_.splice(programs_.begin(), programs_, found->second);
        return programs_.front().state.get();
    }
    if (program.find('\0') != std::string_view::npos) {
        why = "a program cannot hold U+0000";
        return nullptr;
    }
    if (begins_with_import(program)) {
        why = "import, include and module cannot be used here: a program stands alone";
        return nullptr;
    }
    Program fresh{std::string(program), std::unique_ptr<jq_state, Teardown>(jq_init())};
    jq_state* const state = fresh.state.get();
    // libjq asserts that there is such a list.
    jq_set_attr(state, jv_string("JQ_LIBRARY_PATH"), jv_array());
    jq_set_nomem_handler(state, out_of_memory_, nullptr);
    // Both are unset in a fresh state, not null.
    jq_set_input_cb(state, no_input, nullptr);
    jq_set_debug_cb(state, drop_message, nullptr);
    jq_set_error_cb(state, keep_message, &why);
    const bool compiled = jq_compile(state, fresh.text.c_str()) != 0;
    // Later on errors come as values; nothing may write to a string that is gone.
    jq_set_error_cb(state, drop_message, nullptr);
    if (!compiled) {
        why = cut_text(cleaned(std::move(why)), message_bytes_max);
        return nullptr;
    }
    if (programs_.size() >= programs_max_) {
        by_text_.erase(programs_.back().text);
        programs_.pop_back();
    }
    programs_.push_front(std::move(fresh));
    by_text_.emplace(programs_.front().text, programs_.begin());
    return state;
}

void Machine::forget_last() {
    by_text_.erase(programs_.front().text);
    programs_.pop_front();
}

Reply Machine::check(std::string_view program) {
    std::string why;
    if (compile(program, why) == nullptr) return {Answer::invalid, std::move(why)};
    return {};
}

Reply Machine::run(std::string_view program, std::string_view input) {
    std::string why;
    jq_state* const state = compile(program, why);
    if (state == nullptr) return {Answer::invalid, std::move(why)};
    const jv given = jv_parse_sized(input.data(), static_cast<int>(input.size()));
    if (jv_is_valid(given) == 0) {
        return {Answer::failed, "the input cannot be read: " + text_of(jv_invalid_get_msg(given))};
    }
    jq_start(state, given, 0);
    const jv first = jq_next(state);
    Reply reply;
    if (jv_is_valid(first) == 0) {
        reply = ending(state, first);
    } else {
        jv text = jv_dump_string(first, 0);
        if (static_cast<std::size_t>(jv_string_length_bytes(jv_copy(text))) > output_bytes_max) {
            jv_free(text);
            reply.answer = Answer::too_large;
        } else {
            reply.text = text_of(text);
        }
    }
    if (jq_halted(state) != 0) {
        // jq 1.6 frees what it halted with at every start that follows: not fit for another one.
        forget_last();
    } else {
        // Lets go of the input and of whatever other outputs there would be.
        jq_start(state, jv_null(), 0);
    }
    return reply;
}

}  // namespace pawl::jq
