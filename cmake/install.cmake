# What `make install` leaves: the binary, the headers of include/pawl, one static library with all
# of its layers, and a CMake package, so that another project says find_package(pawl).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# The objects of the layers are archived again, not compiled again.
set(objects)
foreach(layer base model plan pg store http jq steps engine api host embed boost)
    list(APPEND objects $<TARGET_OBJECTS:pawl_${layer}>)
endforeach()
add_library(pawl_library STATIC ${objects})
set_target_properties(pawl_library PROPERTIES OUTPUT_NAME pawl LINKER_LANGUAGE CXX)

install(TARGETS pawl RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT binary)
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
