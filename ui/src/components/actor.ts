/** Who did something: an API key by its name, with the characters that stand for it. */
export const actor = (by: string, name: string | null | undefined) =>
    name ? `${name} (${by})` : by;
