import { fileURLToPath } from "node:url";

/** The top of the source tree, seen from build/api/support. */
export const source = fileURLToPath(new URL("../../../", import.meta.url));

/** The program under test. */
export const binary = process.env["PAWL_BINARY"] ?? `${source}build/dev/pawl`;
