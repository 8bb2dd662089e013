# What `make install` leaves: the binary, the headers of include/pawl, one static library with all
# of its layers, and a CMake package, so that another project says find_package(pawl).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# The objects of the layers are archived again, not compiled again.
set(objects)
foreach(layer base model plan rehearse pg store http connect jq steps engine sandbox app api host embed boost)
    list(APPEND objects $<TARGET_OBJECTS:pawl_${layer}>)
endforeach()
add_library(pawl_library STATIC ${objects})
set_target_properties(pawl_library PROPERTIES OUTPUT_NAME pawl LINKER_LANGUAGE CXX)

install(TARGETS pawl RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT binary)
# The manual and what shells read come from the program itself, so that they say what it does.
install(CODE "
    foreach(page man \"completion bash\" \"completion zsh\" \"completion fish\")
        string(REPLACE \" \" \";\" words \"\${page}\")
        string(REPLACE \" \" \"_\" file \"\${page}\")
        execute_process(COMMAND $<TARGET_FILE:pawl> \${words} COMMAND_ERROR_IS_FATAL ANY
            OUTPUT_FILE ${CMAKE_BINARY_DIR}/\${file}.page)
    endforeach()" COMPONENT binary)
set(share ${CMAKE_INSTALL_DATADIR})
install(FILES ${CMAKE_BINARY_DIR}/man.page DESTINATION ${CMAKE_INSTALL_MANDIR}/man1
    RENAME pawl.1 COMPONENT binary)
install(FILES ${CMAKE_BINARY_DIR}/completion_bash.page
    DESTINATION ${share}/bash-completion/completions RENAME pawl COMPONENT binary)
install(FILES ${CMAKE_BINARY_DIR}/completion_zsh.page
    DESTINATION ${share}/zsh/site-functions RENAME _pawl COMPONENT binary)
install(FILES ${CMAKE_BINARY_DIR}/completion_fish.page
    DESTINATION ${share}/fish/vendor_completions.d RENAME pawl.fish COMPONENT binary)
install(FILES $<TARGET_FILE:pawl_library> DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library)
install(DIRECTORY include/pawl DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT library)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/pawl)
configure_package_config_file(
    cmake/pawlConfig.cmake.in ${CMAKE_BINARY_DIR}/pawlConfig.cmake
    INSTALL_DESTINATION ${package_dir} PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file(
    ${CMAKE_BINARY_DIR}/pawlConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/pawlConfig.cmake ${CMAKE_BINARY_DIR}/pawlConfigVersion.cmake
    DESTINATION ${package_dir} COMPONENT library)
