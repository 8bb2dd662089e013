#include "base/canonical_json.hpp"
#include "model/template.hpp"

namespace pawl {

void append_text(std::string& out, const json::value& value) {
    if (const auto* text = value.if_string()) {
        out.append(text->data(), text->size());
    } else {
        append_canonical_json(out, value);
    }
}

}  // namespace pawl
