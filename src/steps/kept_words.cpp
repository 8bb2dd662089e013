#include "steps/kept_words.hpp"

#include "steps/redact.hpp"

namespace pawl::steps {

void hide_secrets(connect::Verdict& verdict, const connect::Account& account, bool reveals) {
    if (verdict.means == connect::Means::accepted) return;
    if (reveals && !verdict.message.empty()) verdict.message = hidden_words;
    std::vector<std::string> secrets;
    for (const auto& one : account.credentials) {
        if (one.value().is_string()) secrets.emplace_back(one.value().get_string());
    }
    const Redactor redactor(secrets);
    redactor.hide(verdict.message);
    redactor.hide(verdict.code);
}

}  // namespace pawl::steps
