#include "base/sentence.hpp"

#include "base/terminal.hpp"

namespace pawl {

std::string for_sentence(std::string_view text) {
    return for_terminal(text);
}

}  // namespace pawl
