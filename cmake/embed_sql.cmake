# Turns sql/queries/*.sql and sql/migrations/*.sql into store/queries.gen.hpp and store/migrations.gen.hpp.
function(pawl_embed_sql target)
    set(out ${CMAKE_BINARY_DIR}/generated/store)
    file(GLOB sql CONFIGURE_DEPENDS
        ${CMAKE_SOURCE_DIR}/sql/queries/*.sql ${CMAKE_SOURCE_DIR}/sql/migrations/*.sql)
    add_custom_command(
        OUTPUT ${out}/queries.gen.hpp ${out}/migrations.gen.hpp
        COMMAND Python3::Interpreter ${CMAKE_SOURCE_DIR}/scripts/embed_sql.py ${CMAKE_SOURCE_DIR}/sql ${out}
        DEPENDS ${sql} ${CMAKE_SOURCE_DIR}/scripts/embed_sql.py
        COMMENT "Embedding SQL"
        VERBATIM)
    add_custom_target(pawl_sql DEPENDS ${out}/queries.gen.hpp ${out}/migrations.gen.hpp)
    add_dependencies(${target} pawl_sql)
    target_include_directories(${target} PUBLIC ${CMAKE_BINARY_DIR}/generated)
endfunction()
