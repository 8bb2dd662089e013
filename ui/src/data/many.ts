/** What became of a change of many things. */
export interface Many {
    done: number;
    /** Those that could not be changed, each with the reason. */
    refused: { id: string; why: string }[];
}

interface Options {
    /** How many at a time: a page of rows must not become a burst. */
    atOnce?: number;
    /** Called after each of them. */
    onStep?: (many: Many) => void;
    signal?: AbortSignal;
}

/** Changes one after the other; one that cannot be changed does not hold up the rest. */
export async function changeMany(
    ids: readonly string[],
    change: (id: string) => Promise<unknown>,
    { atOnce = 1, onStep, signal }: Options = {},
): Promise<Many> {
    const many: Many = { done: 0, refused: [] };
    let next = 0;
    const go = async () => {
        while (next < ids.length && !signal?.aborted) {
            const id = ids[next++]!;
            try {
                await change(id);
                many.done++;
            } catch (error) {
                many.refused.push({
                    id,
                    why: error instanceof Error ? error.message : String(error),
                });
            }
            onStep?.(many);
        }
    };
    await Promise.all(Array.from({ length: atOnce }, go));
    return many;
}
