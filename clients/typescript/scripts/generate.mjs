// Writes the types of requests and responses, src/openapi.gen.ts, from the OpenAPI document.
//
//   node scripts/generate.mjs          write the file
//   node scripts/generate.mjs --check  say whether it is up to date; exit 1 when it is not
import { readFileSync, writeFileSync } from "node:fs";
import openapiTS, { astToString } from "openapi-typescript";
import { readOpenApi } from "./openapi.mjs";

const file = new URL("../src/openapi.gen.ts", import.meta.url);
const head = "// Generated from src/api/openapi/*.yaml: npm run generate -w @pawl/client\n\n";

const types = await openapiTS(readOpenApi(), {
    defaultNonNullable: false, // what has a default may be left out of a request
    emptyObjectsUnknown: true, // an object without named members may have any
});
const wanted = head + astToString(types);
if (process.argv.includes("--check")) {
    let present = "";
    try {
        present = readFileSync(file, "utf8");
    } catch {
        // Not there is not up to date.
    }
    if (present !== wanted) {
        console.error("src/openapi.gen.ts is stale; run: npm run generate -w @pawl/client");
        process.exit(1);
    }
} else {
    writeFileSync(file, wanted);
}
