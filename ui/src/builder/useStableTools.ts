import { useMemo, useRef } from "react";
import type { Offer } from "./AddDialog";
import { canConnect, changeNote } from "./graph";
import type { Tools, Types } from "./types";
import type { Editing } from "./useEditing";

/** What steps and edges can ask for. A thousand of them hang on it: it stays the same object. */
export function useStableTools(
    types: Types,
    editing: Editing,
    offer: (offer: Offer) => void,
): Tools {
    const latest = useRef(editing);
    latest.current = editing;
    return useMemo<Tools>(
        () => ({
            types,
            add: (type, where) => latest.current.add(type, where),
            offer: (where, anchor) => offer({ where, anchor }),
            connectable: (place, to) => canConnect(latest.current.now(), place, to),
            writeNote: (id, words) =>
                latest.current.write((old) => changeNote(old, id, { text: words })),
        }),
        [types, offer],
    );
}
