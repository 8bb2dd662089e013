import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The server fills these in; while developing, this does. */
function placeholders(): Plugin {
    return {
        name: "pawl-placeholders",
        apply: "serve",
        transformIndexHtml: {
            order: "pre",
            handler: (html) =>
                html.replaceAll("__PAWL_BASE__", "/").replaceAll("__PAWL_NONCE__", ""),
        },
    };
}

const server = process.env["PAWL_URL"] ?? "http://127.0.0.1:8080";

export default defineConfig({
    root: here("."),
    // Relative to <base href>, which the server knows.
    base: "./",
    plugins: [placeholders(), react()],
    resolve: {
        alias: {
            "@/": here("./src/"),
            "@pawl/client/": here("../clients/typescript/src/"),
        },
    },
    build: {
        outDir: here("../build/ui"),
        emptyOutDir: true,
        target: "es2023",
        // They know light-dark().
        cssTarget: ["chrome125", "firefox128", "safari18"],
        // Neither inline scripts nor data addresses: the content security policy forbids them.
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        reportCompressedSize: false,
        rolldownOptions: {
            output: {
                codeSplitting: {
                    groups: [
                        // A browser asks for six files at a time: what every page needs is one.
                        { name: "first", tags: ["$initial"] },
                    ],
                },
            },
        },
        manifest: "manifest.json",
    },
    server: { proxy: { "/v1": server, "/openapi.json": server, "/metrics": server } },
    // Pure functions, which leave nothing behind: they need no process of their own.
    test: { include: ["src/**/*.test.ts"], environment: "node", isolate: false },
} as Parameters<typeof defineConfig>[0]);
