#include "api/ui/ui_bytes.hpp"

#include PAWL_UI_MARK

// A literal of some megabytes would take the compiler minutes; the assembler copies the file.
__asm__(
    ".pushsection .rodata, \"a\", @progbits\n"
    ".hidden pawl_ui_begin\n"
    ".hidden pawl_ui_end\n"
    ".globl pawl_ui_begin\n"
    ".globl pawl_ui_end\n"
    "pawl_ui_begin:\n"
    ".incbin \"" PAWL_UI_PACK
    "\"\n"
    "pawl_ui_end:\n"
    ".byte 0\n"
    ".popsection\n"
);

extern "C" {
extern const char pawl_ui_begin[];
extern const char pawl_ui_end[];
}

namespace pawl::api {

std::string_view ui_bytes() {
    return {pawl_ui_begin, static_cast<std::size_t>(pawl_ui_end - pawl_ui_begin)};
}

}  // namespace pawl::api
