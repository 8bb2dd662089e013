# Text files that the binary carries, as a list in <generated>/<layer>/texts.gen.hpp.
#   pawl_embed_text(<layer> FOLDER)
function(pawl_embed_text layer folder)
    set(out ${CMAKE_BINARY_DIR}/generated/${layer}/texts.gen.hpp)
    file(GLOB files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${folder}/*)
    add_custom_command(
        OUTPUT ${out}
        COMMAND Python3::Interpreter ${CMAKE_SOURCE_DIR}/scripts/embed_text.py pawl::${layer} ${out} ${files}
        DEPENDS ${files} ${CMAKE_SOURCE_DIR}/scripts/embed_text.py ${CMAKE_SOURCE_DIR}/scripts/embed_sql.py
        COMMENT "Embedding texts of ${layer}"
        VERBATIM)
    add_custom_target(pawl_${layer}_texts DEPENDS ${out})
    add_dependencies(pawl_${layer} pawl_${layer}_texts)
    target_include_directories(pawl_${layer} PUBLIC ${CMAKE_BINARY_DIR}/generated)
endfunction()
