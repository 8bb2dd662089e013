/** A problem of the API, as far as the answer has it. */
export interface Refusal {
    status?: number;
    code?: string;
    title?: string;
    detail?: string;
    values?: Record<string, string>;
    errors?: Place[];
}

/** One place of the request that is wrong. */
export interface Place {
    pointer?: string;
    parameter?: string;
    detail: string;
    code?: string;
    values?: Record<string, string>;
}
