#include "cli/commands/completion.hpp"

#include <algorithm>
#include <array>

namespace pawl::cli {

namespace {

using Names = Completion::Names;

const CommandPage* find_page(const std::vector<CommandPage>& pages, std::string_view words) {
    const auto found = std::find_if(pages.begin(), pages.end(), [&](const CommandPage& page) {
        return page.words == words;
    });
    return found == pages.end() ? nullptr : &*found;
}

const OptionPage* find_option(const CommandPage& page, std::string_view name) {
    for (const OptionPage& option : page.options) {
        const auto& names = option.names;
        if (std::find(names.begin(), names.end(), name) != names.end()) return &option;
    }
    return nullptr;
}

// Names of the database, by what an option or an argument is called.
Names names_for(std::string_view command, const OptionPage& option) {
    const std::string_view name = option.names.back();
    const std::string_view group = command.substr(0, command.find(' '));
    if (name == "--workflow") return Names::workflows;
    if (name == "--tenant") return Names::tenants;
    if (name == "--run" || name == "RUN") return Names::runs;
    if (name == "TASK") return Names::tasks;
    if (name == "SCHEDULE") return Names::schedules;
    if (option.type.find("FILE") != std::string::npos) return Names::files;
    if (name == "ID" && group == "runs") return Names::runs;
    if (name == "ID" && group == "tasks") return Names::tasks;
    if (name == "ID" && group == "jobs") return Names::jobs;
    const bool first = name == "NAME" || name == "WORKFLOW";
    const bool of_workflow = group == "versions" || group == "workflows" || command == "run";
    if (first && of_workflow) return Names::workflows;
    if (name == "NAME" && group == "tenants" && command != "tenants create") return Names::tenants;
    return Names::none;
}

// The words of a type such as table|json|yaml.
std::vector<std::string> choices_of(const OptionPage& option) {
    std::vector<std::string> words;
    const std::string_view type = option.type;
    if (type.find('|') == type.npos) return words;
    for (std::size_t at = 0; at <= type.size();) {
        const std::size_t end = std::min(type.find('|', at), type.size());
        const std::string_view word = type.substr(at, end - at);
        const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
            return (c >= 'a' && c <= 'z') || c == '_' || c == '-';
        });
        if (plain && word != "-") words.emplace_back(word);
        at = end + 1;
    }
    return words;
}

class Reader {
public:
    Reader(const std::vector<CommandPage>& pages, const std::vector<std::string>& words)
        : pages_(pages), at_(&pages.front()) {
        for (std::size_t i = 0; i + 1 < words.size(); ++i) pass(words[i]);
        if (!words.empty()) answer_.prefix = words.back();
    }

    Completion answer() && {
        if (open_ != nullptr) {
            offer(*open_);
        } else if (answer_.prefix.starts_with("-")) {
            for (const CommandPage* page : {at_, &pages_.front()}) {
                for (const OptionPage& option : page->options) {
                    if (!option.argument) add(option.names.back(), option.what);
                }
                if (at_ == &pages_.front()) break;
            }
        } else if (at_->group) {
            offer_commands();
        } else {
            offer_argument();
        }
        return std::move(answer_);
    }

private:
    // A word that is there already.
    void pass(const std::string& word) {
        if (open_ != nullptr) {
            if (open_->names.back() == "--tenant") answer_.tenant = word;
            if (open_->names.back() == "--database-url") answer_.database_url = word;
            open_ = nullptr;
            return;
        }
        if (word.starts_with("-")) {
            const OptionPage* option = find_option(*at_, word);
            if (option == nullptr) option = find_option(pages_.front(), word);
            if (option != nullptr && option->takes_value) open_ = option;
            return;
        }
        const std::string deeper = at_->words.empty() ? word : at_->words + " " + word;
        if (const CommandPage* page = find_page(pages_, deeper); at_->group && page != nullptr) {
            at_ = page;
        } else {
            ++arguments_;
        }
    }

    void add(std::string_view word, std::string_view what) {
        if (!word.starts_with(answer_.prefix)) return;
        answer_.words.push_back({std::string(word), std::string(what)});
    }

    void offer(const OptionPage& option) {
        for (const std::string& word : choices_of(option)) add(word, option.what);
        answer_.names = names_for(at_->words, option);
    }

    void offer_commands() {
        for (const CommandPage& page : pages_) {
            if (page.words.empty()) continue;
            const std::size_t last = page.words.rfind(' ');
            const bool top = last == std::string::npos;
            const std::string above = top ? "" : page.words.substr(0, last);
            if (above == at_->words) add(top ? page.words : page.words.substr(last + 1), page.what);
        }
    }

    void offer_argument() {
        std::size_t place = 0;
        for (const OptionPage& option : at_->options) {
            if (option.argument && place++ == arguments_) return offer(option);
        }
        if (place == 0) return;
        // The last one may stand for several.
        const auto last = std::find_if(
            at_->options.rbegin(), at_->options.rend(), [](const auto& one) { return one.argument; }
        );
        offer(*last);
    }

    const std::vector<CommandPage>& pages_;
    const CommandPage* at_;
    const OptionPage* open_ = nullptr;  // it waits for its value
    std::size_t arguments_ = 0;
    Completion answer_;
};

constexpr std::string_view bash = R"(# pawl completion bash
_pawl() {
    local IFS=$'\n'
    COMPREPLY=($(pawl complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1))
}
complete -o default -F _pawl pawl
)";

constexpr std::string_view zsh = R"(#compdef pawl
_pawl() {
    local -a found
    local line
    while IFS= read -r line; do
        found+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
    done < <(pawl complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)
    if (( $#found )); then _describe pawl found; else _files; fi
}
if [ "$funcstack[1]" = _pawl ]; then _pawl; else compdef _pawl pawl; fi
)";

constexpr std::string_view fish = R"(# pawl completion fish
function __pawl_complete
    set -l words (commandline -opc)
    pawl complete -- $words[2..-1] (commandline -ct) 2>/dev/null
end
complete -c pawl -f -a '(__pawl_complete)'
)";

}  // namespace

Completion complete(const std::vector<CommandPage>& pages, const std::vector<std::string>& words) {
    return Reader(pages, words).answer();
}

std::optional<std::string_view> completion_script(std::string_view shell) {
    if (shell == "bash") return bash;
    if (shell == "zsh") return zsh;
    if (shell == "fish") return fish;
    return std::nullopt;
}

}  // namespace pawl::cli
