# Text files that the binary carries, as the list <name> in <generated>/<layer>/<name>.gen.hpp.
#   pawl_embed_text(<layer> <name> FOLDER)
function(pawl_embed_text layer name folder)
    set(out ${CMAKE_BINARY_DIR}/generated/${layer}/${name}.gen.hpp)
    file(GLOB files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${folder}/*)
    set(script ${CMAKE_SOURCE_DIR}/scripts/embed_text.py)
    add_custom_command(
        OUTPUT ${out}
        COMMAND Python3::Interpreter ${script} pawl::${layer} ${name} ${out} ${files}
        DEPENDS ${files} ${script} ${CMAKE_SOURCE_DIR}/scripts/embed_sql.py
        COMMENT "Embedding ${folder}"
        VERBATIM)
    add_custom_target(pawl_${layer}_${name} DEPENDS ${out})
    add_dependencies(pawl_${layer} pawl_${layer}_${name})
    target_include_directories(pawl_${layer} PUBLIC ${CMAKE_BINARY_DIR}/generated)
endfunction()
