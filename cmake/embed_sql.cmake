# Turns sql/queries into store/queries.gen.hpp, and the rest of sql/, which `pawl migrate` applies, into
# store/migrations.gen.hpp.
function(pawl_embed_sql target)
    set(out ${CMAKE_BINARY_DIR}/generated/store)
    file(GLOB_RECURSE sql CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/sql/*.sql)
    add_custom_command(
        OUTPUT ${out}/queries.gen.hpp ${out}/migrations.gen.hpp
        COMMAND Python3::Interpreter ${CMAKE_SOURCE_DIR}/scripts/embed_sql.py ${CMAKE_SOURCE_DIR}/sql ${out}
            ${PROJECT_VERSION}
        DEPENDS ${sql} ${CMAKE_SOURCE_DIR}/scripts/embed_sql.py
        COMMENT "Embedding SQL"
        VERBATIM)
    add_custom_target(pawl_sql DEPENDS ${out}/queries.gen.hpp ${out}/migrations.gen.hpp)
    add_dependencies(${target} pawl_sql)
    target_include_directories(${target} PUBLIC ${CMAKE_BINARY_DIR}/generated)
endfunction()
