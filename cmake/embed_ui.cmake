# The web UI that the binary carries: what `npm run build -w @pawl/ui` leaves in build/ui, compressed and packed into one
# file. Without it, the program serves the API alone.
option(PAWL_UI "Carry the web UI, where it was built" ON)
set(PAWL_UI_DIR ${CMAKE_SOURCE_DIR}/build/ui CACHE PATH "The built web UI")
find_program(PAWL_NODE node)

function(pawl_embed_ui target)
    set(pack ${CMAKE_BINARY_DIR}/generated/ui.pack)
    set(script ${CMAKE_SOURCE_DIR}/scripts/pack_ui.mjs)
    if(PAWL_UI AND PAWL_NODE)
        file(GLOB_RECURSE files CONFIGURE_DEPENDS ${PAWL_UI_DIR}/*)
        add_custom_command(
            OUTPUT ${pack} ${pack}.hpp
            COMMAND ${PAWL_NODE} ${script} ${pack} ${PAWL_UI_DIR}
            DEPENDS ${files} ${script}
            COMMENT "Packing the web UI"
            VERBATIM)
    else()
        add_custom_command(
            OUTPUT ${pack} ${pack}.hpp
            COMMAND ${CMAKE_COMMAND} -E touch ${pack} ${pack}.hpp
            VERBATIM)
    endif()
    # With a definition of its own, a file is compiled alone.
    set_source_files_properties(${CMAKE_SOURCE_DIR}/src/api/ui/ui_bytes.cpp PROPERTIES
        COMPILE_DEFINITIONS "PAWL_UI_PACK=\"${pack}\";PAWL_UI_MARK=\"${pack}.hpp\"" OBJECT_DEPENDS ${pack}.hpp)
    target_sources(${target} PRIVATE ${pack})
endfunction()
