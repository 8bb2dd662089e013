# Files of a layer that are compiled together, in a clean build half of the work (scripts/units.py says which may be).
# Not where one file is changed after another: there each is compiled alone, so that it includes what it uses and is
# quick to build again.
option(PAWL_UNITS "Compile several files of a layer as one unit" OFF)
set(PAWL_UNIT_SIZE 8 CACHE STRING "How many files a unit may have")

# pawl_units(<target> <sources>): notes them; pawl_make_units() sorts them into units when all are known.
function(pawl_units target)
    if(PAWL_UNITS)
        set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
        # What a neighbour includes is no reason to rename a local variable.
        target_compile_options(${target} PRIVATE -Wno-shadow)
        set_property(GLOBAL APPEND PROPERTY PAWL_UNIT_FILES --layer ${ARGN})
    endif()
endfunction()

function(pawl_make_units)
    get_property(files GLOBAL PROPERTY PAWL_UNIT_FILES)
    if(NOT files)
        return()
    endif()
    set(script ${CMAKE_SOURCE_DIR}/scripts/units.py)
    set(units ${CMAKE_CURRENT_BINARY_DIR}/units.cmake)
    execute_process(
        COMMAND ${Python3_EXECUTABLE} ${script} --size ${PAWL_UNIT_SIZE}
            --include ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/include ${CMAKE_SOURCE_DIR}/tests
            ${files}
        OUTPUT_FILE ${units} COMMAND_ERROR_IS_FATAL ANY)
    include(${units})
    set_property(GLOBAL PROPERTY PAWL_UNIT_FILES)
    # A name that is new in one file may be in the way of another: sorted again when one has changed.
    list(REMOVE_ITEM files --layer)
    file(GLOB_RECURSE headers
        ${CMAKE_SOURCE_DIR}/src/*.hpp ${CMAKE_SOURCE_DIR}/include/*.hpp
        ${CMAKE_SOURCE_DIR}/tests/*.hpp)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${files} ${headers} ${script})
endfunction()
