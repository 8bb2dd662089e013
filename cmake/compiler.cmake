# g++ 12 compiles coroutines into double frees without a warning (docs/adr/0002-compiler.md): refuse it by name.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    message(FATAL_ERROR
        "Pawl is built with clang 16: g++ ${CMAKE_CXX_COMPILER_VERSION} silently miscompiles coroutines "
        "(see docs/adr/0002-compiler.md). Use the presets (cmake --preset release) or CXX=clang++-16.")
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

find_program(PAWL_CCACHE ccache)
if(PAWL_CCACHE)
    # Depend mode: a miss costs no extra pass over the headers.
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
        CCACHE_DEPEND=1
        CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${PAWL_CCACHE})
endif()
find_program(PAWL_LLD NAMES ld.lld-16)
if(PAWL_LLD)
    add_link_options(-fuse-ld=${PAWL_LLD})
endif()

# Two builds of the same headers must be the same file, or ccache never finds anything again.
add_compile_options("SHELL:-Xclang -fno-pch-timestamp")
add_compile_options(
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor -Woverloaded-virtual -Werror
    -fstack-protector-strong -fno-omit-frame-pointer)
# The table of functions is read-only after the start, and neither stack nor heap holds code. An object that was
# not made for a program at any address does not link.
add_link_options(-pie -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack)
# An aggregate whose remaining members keep their defaults is the style here, not an oversight.
add_compile_options(-Wno-missing-field-initializers)

set(PAWL_SANITIZE "" CACHE STRING "Comma separated sanitizers, e.g. address,undefined")
if(PAWL_SANITIZE)
    add_compile_options(-fsanitize=${PAWL_SANITIZE} -fno-sanitize-recover=all)
    add_link_options(-fsanitize=${PAWL_SANITIZE})
endif()

# The same compiled headers for every target (src/precompiled.hpp): parsing them was most of a clean build.
function(pawl_precompiled target)
    target_link_libraries(${target} PRIVATE pawl_precompiled)
    target_precompile_headers(${target} REUSE_FROM pawl_precompiled)
endfunction()
