/** What the server wrote into the page: where it lives, and the nonce of its style elements. */
function meta(name: string): string {
    const found = document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`);
    const content = found?.content ?? "";
    return content.startsWith("__PAWL_") ? "" : content;
}

/** Begins and ends with a slash: "/" or "/pawl/". */
export const basePath = meta("pawl-base") || "/";
/** For routes and requests: "" or "/pawl". */
export const baseUrl = basePath.replace(/\/$/, "");
export const styleNonce = meta("pawl-nonce");
