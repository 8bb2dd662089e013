import "@fontsource-variable/inter";
import "@fontsource-variable/jetbrains-mono";
import "@fontsource-variable/noto-sans-thai";
import "@mantine/core/styles.css";
import "./app.css";
import { i18n } from "@lingui/core";
import { I18nProvider } from "@lingui/react";
import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode, useMemo } from "react";
import { createRoot } from "react-dom/client";
import { styleNonce } from "@/data/place";
import { queryClient } from "@/data/queries";
import { startWords, useWords } from "@/words";
import { commonWords } from "@/words/common";
import { router } from "./router";
import { variables, withWords } from "./theme";

// What libraries write into <style> elements (scroll locks) carries the nonce, too.
(globalThis as { __webpack_nonce__?: string }).__webpack_nonce__ = styleNonce;
startWords();

function Application() {
    const t = useWords(commonWords);
    const worded = useMemo(() => withWords(t("close")), [t]);
    return (
        <MantineProvider
            theme={worded}
            cssVariablesResolver={variables}
            defaultColorScheme="auto"
            getStyleNonce={() => styleNonce}
            deduplicateInlineStyles
        >
            <QueryClientProvider client={queryClient}>
                <RouterProvider router={router} />
            </QueryClientProvider>
        </MantineProvider>
    );
}

createRoot(document.getElementById("root")!).render(
    <StrictMode>
        <I18nProvider i18n={i18n}>
            <Application />
        </I18nProvider>
    </StrictMode>,
);
