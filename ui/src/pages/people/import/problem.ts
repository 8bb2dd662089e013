export type FileProblemCode = "empty" | "excel" | "quote" | "unreadable";

/** Why a file cannot be read at all. */
export class FileProblem extends Error {
    readonly code: FileProblemCode;
    readonly line: number;

    constructor(code: FileProblemCode, line = 0) {
        super(code);
        this.code = code;
        this.line = line;
    }
}
