#include "base/html.hpp"

#include <gtest/gtest.h>

namespace pawl {
namespace {

TEST(Html, EscapesWhatWouldEndATextOrAnAttribute) {
    EXPECT_EQ(
        escape_html("<a href=\"x\">&'b'</a>"),
        "&lt;a href=&quot;x&quot;&gt;&amp;&#39;b&#39;&lt;/a&gt;"
    );
    EXPECT_EQ(escape_html("Müller\n"), "Müller\n");
}

}  // namespace
}  // namespace pawl
