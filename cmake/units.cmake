# Files of a layer that are compiled together (scripts/units.py says which may be, and how). In a clean release build
# that is a third of the work: headers, and what is instantiated of templates, are compiled once for many files.
# Not where one file is changed after another: there each is compiled alone, so that it includes what it uses and is
# quick to build again.
option(PAWL_UNITS "Compile several files of a layer as one unit" OFF)
# Small units leave more to find for a compiler cache; large ones are less work where nothing is cached. The release
# build still has enough units for two processors at 4000 lines.
set(PAWL_UNIT_LINES 1000 CACHE STRING "How many lines a unit may have")

# pawl_units(<target> <sources>): notes them; pawl_make_units() sorts them into units when all are known.
function(pawl_units target)
    if(PAWL_UNITS)
        # What a neighbour includes is no reason to rename a local variable.
        target_compile_options(${target} PRIVATE -Wno-shadow)
        set_property(GLOBAL APPEND PROPERTY PAWL_UNIT_FILES --layer ${target} ${ARGN})
        set_property(GLOBAL APPEND PROPERTY PAWL_UNIT_SOURCES ${ARGN})
    endif()
endfunction()

# pawl_make_units(): to be called in the folder of the targets, behind all that is said about their sources.
function(pawl_make_units)
    get_property(files GLOBAL PROPERTY PAWL_UNIT_FILES)
    get_property(sources GLOBAL PROPERTY PAWL_UNIT_SOURCES)
    if(NOT files)
        return()
    endif()
    foreach(source ${sources})
        get_source_file_property(own ${source} COMPILE_DEFINITIONS)
        if(own)
            list(REMOVE_ITEM files ${source})
        endif()
    endforeach()
    set(script ${CMAKE_SOURCE_DIR}/scripts/units.py)
    set(units ${CMAKE_CURRENT_BINARY_DIR}/units)
    execute_process(
        COMMAND ${Python3_EXECUTABLE} ${script} --lines ${PAWL_UNIT_LINES} --out ${units}
            --include ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/include ${CMAKE_SOURCE_DIR}/tests
            ${files}
        OUTPUT_FILE ${units}.cmake COMMAND_ERROR_IS_FATAL ANY)
    include(${units}.cmake)
    set_property(GLOBAL PROPERTY PAWL_UNIT_FILES)
    set_property(GLOBAL PROPERTY PAWL_UNIT_SOURCES)
    # A name that is new in one file may be in the way of another: sorted again when one has changed.
    file(GLOB_RECURSE headers
        ${CMAKE_SOURCE_DIR}/src/*.hpp ${CMAKE_SOURCE_DIR}/include/*.hpp
        ${CMAKE_SOURCE_DIR}/tests/*.hpp)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${sources} ${headers} ${script})
endfunction()
