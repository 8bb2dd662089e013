# Everything comes from Debian packages (scripts/packages.txt).
find_package(Threads REQUIRED)
find_package(Python3 REQUIRED COMPONENTS Interpreter)
find_package(Boost 1.81 REQUIRED COMPONENTS json url)
find_package(PostgreSQL REQUIRED)
find_package(CURL REQUIRED)
find_package(OpenSSL REQUIRED)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(CLI11 REQUIRED)
find_package(prometheus-cpp REQUIRED)
find_package(date REQUIRED)
find_library(RE2_LIBRARY re2 REQUIRED)
find_library(SODIUM_LIBRARY sodium REQUIRED)
find_library(JQ_LIBRARY jq REQUIRED)  # it comes without a description for CMake or pkg-config

# Asio and Beast are compiled once (src/boost_impl.cpp). Global, never per target: a mix would break the
# one-definition rule.
add_compile_definitions(
    BOOST_ASIO_SEPARATE_COMPILATION BOOST_BEAST_SEPARATE_COMPILATION BOOST_ASIO_NO_DEPRECATED
    BOOST_ASIO_DISABLE_BOOST_COROUTINE)
add_library(pawl_boost STATIC src/boost_impl.cpp)
target_link_libraries(pawl_boost PUBLIC Boost::headers OpenSSL::SSL OpenSSL::Crypto Threads::Threads)

add_library(pawl_precompiled STATIC src/precompiled.cpp)
target_link_libraries(pawl_precompiled PUBLIC
    Boost::headers Boost::json fmt::fmt spdlog::spdlog OpenSSL::SSL OpenSSL::Crypto Threads::Threads)
target_precompile_headers(pawl_precompiled PRIVATE src/precompiled.hpp)
