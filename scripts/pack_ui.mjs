#!/usr/bin/env node
// Packs the built web UI into the one file that the binary carries (src/api/ui/ui_pack.hpp):
//
//   pack_ui.mjs OUT [FOLDER]      without a folder, or without an index.html in it: an empty file
//
// "PAWLUI01", the length of the index in 10 digits, the index as JSON, the bodies.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { extname, join, relative } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const types = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".jpg": "image/jpeg",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".mjs": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
};

/** Every file below a folder, in an order that does not depend on the machine. */
function filesBelow(folder) {
    return readdirSync(folder)
        .sort()
        .map((name) => join(folder, name))
        .flatMap((path) => (statSync(path).isDirectory() ? filesBelow(path) : [path]));
}

function brotli(bytes) {
    const params = {
        [constants.BROTLI_PARAM_QUALITY]: 11,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    };
    return brotliCompressSync(bytes, { params });
}

function pack(folder) {
    const bodies = [];
    let at = 0;
    const put = (bytes) => {
        const place = [at, bytes.length];
        bodies.push(bytes);
        at += bytes.length;
        return place;
    };
    const index = filesBelow(folder)
        .filter((path) => !/\.map$|\/manifest\.json$|\/screenshots\//.test(path))
        .map((path) => {
            const bytes = readFileSync(path);
            const name = relative(folder, path);
            const type = types[extname(path)];
            if (!type) throw new Error(`${path}: no media type is known for it`);
            const file = { path: name, type, etag: hash(bytes), hashed: isHashed(name) };
            file.plain = put(bytes);
            // What is filled in for each answer cannot be compressed before.
            if (name === "index.html") return file;
            for (const [encoding, squeeze] of Object.entries({ br: brotli, gzip: gzipSync })) {
                const small = squeeze(bytes);
                if (small.length < bytes.length * 0.95) file[encoding] = put(small);
            }
            return file;
        });
    const head = Buffer.from(JSON.stringify(index));
    const length = String(head.length).padStart(10, "0");
    return Buffer.concat([Buffer.from(`PAWLUI01${length}`), head, ...bodies]);
}

function hash(bytes) {
    return createHash("sha256").update(bytes).digest("hex").slice(0, 32);
}

// "assets/index-BW2Xs3_k.js": the name changes with the content, so it may be kept forever.
function isHashed(name) {
    return /^assets\/.+-[A-Za-z0-9_-]{8,}\.\w+$/.test(name);
}

const [out, folder] = process.argv.slice(2);
const present = folder !== undefined && existsSync(join(folder, "index.html"));
const packed = present ? pack(folder) : Buffer.alloc(0);
writeFileSync(out, packed);
// Compiler caches look at headers, not at files that the assembler copies.
writeFileSync(`${out}.hpp`, `// ${hash(packed)}\n`);
