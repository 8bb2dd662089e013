#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pawl::api {

// A file of the web UI; its bytes are those of the pack.
struct UiFile {
    std::string path;  // "assets/index-BW2Xs3_k.js"
    std::string type;
    std::string etag;     // of what it says, without quotes
    bool hashed = false;  // the name changes with the content
    std::string_view plain;
    std::string_view br;    // empty: not worth it
    std::string_view gzip;  // likewise
};

// The files of a pack, which must outlive them; none of an empty one. Throws Failure when it is no
// pack.
std::vector<UiFile> read_ui_pack(std::string_view bytes);

}  // namespace pawl::api
