/** The graph that the builder edits: the definition as the API takes it, and where it is drawn. */

export interface GraphNode {
    id: string;
    type: string;
    config?: Record<string, unknown>;
    compensate?: string;
    [key: string]: unknown;
}
export interface GraphEdge {
    from: string;
    to: string;
    handle?: string;
    /** The edge is taken only if this holds. */
    when?: unknown;
}
export interface Definition {
    name: string;
    nodes: GraphNode[];
    edges: GraphEdge[];
    [key: string]: unknown;
}
export interface Point {
    x: number;
    y: number;
}
export interface Note extends Point {
    id: string;
    text: string;
}
export interface Layout {
    nodes?: Record<string, Point>;
    notes?: Note[];
    /** In a saved draft: the version that it began with; 0: there was none. */
    version?: number;
}
export interface Draft {
    definition: Definition;
    positions: Record<string, Point>;
    notes: Note[];
    /** The text that someone wrote, with its comments; it may be older than the definition. */
    source?: string;
}

/** A way out of a node. */
export interface Place {
    from: string;
    handle: string;
}

export const handleOf = (edge: GraphEdge) => edge.handle ?? "default";

export const edgeId = (edge: GraphEdge) => `${edge.from}:${handleOf(edge)}:${edge.to}`;

/** A name that no node has: message, message_2, ... */
export function freeId(taken: Iterable<string>, wanted: string): string {
    const known = new Set(taken);
    const base = wanted.replace(/_\d+$/, "");
    if (!known.has(wanted)) return wanted;
    for (let i = 2; ; ++i) {
        if (!known.has(`${base}_${i}`)) return `${base}_${i}`;
    }
}

/** Nothing but a name and a beginning: no one misses it. */
export function isBlank({ definition, notes }: Draft): boolean {
    const { name: _, nodes, edges, ...rest } = definition;
    const settings = Object.values(nodes[0]?.config ?? {});
    const alone = nodes.length <= 1 && edges.length === 0 && settings.length === 0;
    return alone && notes.length === 0 && Object.keys(rest).length === 0;
}

const idsOf = (draft: Draft) => draft.definition.nodes.map((node) => node.id);

export function withGraph(draft: Draft, nodes: GraphNode[], edges: GraphEdge[]): Draft {
    return { ...draft, definition: { ...draft.definition, nodes, edges } };
}

/** Whether an edge from this way out to this node would be new and allowed. */
export function canConnect(draft: Draft, place: Place, to: string): boolean {
    const { nodes, edges } = draft.definition;
    const target = nodes.find((node) => node.id === to);
    if (!target || target.type === "trigger" || place.from === to) return false;
    return !edges.some(
        (edge) => edge.from === place.from && edge.to === to && handleOf(edge) === place.handle,
    );
}

export function connect(draft: Draft, place: Place, to: string): Draft {
    if (!canConnect(draft, place, to)) return draft;
    const { nodes, edges } = draft.definition;
    return withGraph(draft, nodes, [...edges, { from: place.from, to, handle: place.handle }]);
}

export interface NewNode {
    type: string;
    config: Record<string, unknown>;
    at: Point;
    /** Behind this way out, if it is given. */
    after?: Place;
    /** In the middle of this edge, if it is given. */
    into?: GraphEdge;
    /** The way out by which the new node goes on. */
    handle?: string;
}

export function addNode(draft: Draft, added: NewNode): { draft: Draft; id: string } {
    const id = freeId(idsOf(draft), added.type);
    const { nodes, edges } = draft.definition;
    const node: GraphNode = { id, type: added.type, config: added.config };
    const on = added.handle ?? "default";
    let next = edges;
    if (added.into) {
        const into = added.into;
        const kept = edges.filter((edge) => edgeId(edge) !== edgeId(into));
        next = [
            ...kept,
            { ...into, to: id, handle: handleOf(into) },
            // An end leads nowhere: what came behind stands alone then.
            ...(added.handle === "" ? [] : [{ from: id, to: into.to, handle: on }]),
        ];
    } else if (added.after) {
        next = [...edges, { from: added.after.from, to: id, handle: added.after.handle }];
    }
    const changed = withGraph(draft, [...nodes, node], next);
    return { draft: { ...changed, positions: { ...draft.positions, [id]: added.at } }, id };
}

/** Removes nodes; what led to a removed one goes on to where that one went by default. */
export function removeNodes(draft: Draft, ids: string[]): Draft {
    let { nodes, edges } = draft.definition;
    const positions = { ...draft.positions };
    for (const id of ids) {
        const leading = edges.filter((edge) => edge.to === id && edge.from !== id);
        const leaving = edges.filter((edge) => edge.from === id && edge.to !== id);
        const onward = leaving.find((edge) => handleOf(edge) === "default") ?? leaving[0];
        edges = edges.filter((edge) => edge.from !== id && edge.to !== id);
        if (onward) {
            const healed = leading
                .map((edge) => ({ ...edge, to: onward.to }))
                .filter((edge) => edge.from !== edge.to);
            const known = new Set(edges.map(edgeId));
            edges = [...edges, ...healed.filter((edge) => !known.has(edgeId(edge)))];
        }
        nodes = nodes.filter((node) => node.id !== id);
        delete positions[id];
    }
    return { ...withGraph(draft, nodes, edges), positions };
}

export function removeEdges(draft: Draft, gone: string[]): Draft {
    const { nodes, edges } = draft.definition;
    return withGraph(
        draft,
        nodes,
        edges.filter((edge) => !gone.includes(edgeId(edge))),
    );
}

/** Leads an edge from or to another place; its condition stays. */
export function reconnect(draft: Draft, id: string, place: Place, to: string): Draft {
    const when = draft.definition.edges.find((edge) => edgeId(edge) === id)?.when;
    const next = connect(removeEdges(draft, [id]), place, to);
    if (when === undefined) return next;
    return changeEdge(next, edgeId({ from: place.from, to, handle: place.handle }), { when });
}

export function changeEdge(draft: Draft, id: string, change: { when: unknown }): Draft {
    const { nodes, edges } = draft.definition;
    const next = edges.map((edge) => {
        if (edgeId(edge) !== id) return edge;
        const { when: _, ...rest } = edge;
        return change.when === undefined ? rest : { ...rest, when: change.when };
    });
    return withGraph(draft, nodes, next);
}

/** A note at a place of the canvas; where it is written does not make a new version. */
export function addNote(draft: Draft, at: Point): { draft: Draft; id: string } {
    const id = freeId(
        draft.notes.map((note) => note.id),
        "note",
    );
    return { draft: { ...draft, notes: [...draft.notes, { id, text: "", ...at }] }, id };
}

export function changeNote(draft: Draft, id: string, change: Partial<Note>): Draft {
    const notes = draft.notes.map((note) => (note.id === id ? { ...note, ...change } : note));
    return { ...draft, notes };
}

export function removeNotes(draft: Draft, ids: string[]): Draft {
    return { ...draft, notes: draft.notes.filter((note) => !ids.includes(note.id)) };
}

export function changeWorkflow(draft: Draft, change: Record<string, unknown>): Draft {
    const definition: Definition = { ...draft.definition, ...change };
    for (const key of Object.keys(change)) if (change[key] === undefined) delete definition[key];
    return { ...draft, definition };
}

/** Every text in a value, through a function. */
export function mapTexts(value: unknown, map: (text: string) => string): unknown {
    if (typeof value === "string") return map(value);
    if (Array.isArray(value)) return value.map((one) => mapTexts(one, map));
    if (typeof value !== "object" || value === null) return value;
    if (Object.getPrototypeOf(value) !== Object.prototype) return value;
    return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, mapTexts(v, map)]));
}

/** Gives a node another name, also where templates, edges and other nodes speak of it. */
export function renameNode(draft: Draft, from: string, to: string): Draft {
    if (from === to || idsOf(draft).includes(to) || !/^[A-Za-z_][\w-]{0,99}$/.test(to))
        return draft;
    const pattern = new RegExp(`\\bsteps\\.${from}(?![\\w-])`, "g");
    const nodes = draft.definition.nodes.map((node) => ({
        ...node,
        id: node.id === from ? to : node.id,
        ...(node.config
            ? { config: mapTexts(node.config, (t) => t.replace(pattern, `steps.${to}`)) }
            : {}),
        ...(node.compensate === from ? { compensate: to } : {}),
    })) as GraphNode[];
    const edges = draft.definition.edges.map((edge) => ({
        ...edge,
        from: edge.from === from ? to : edge.from,
        to: edge.to === from ? to : edge.to,
    }));
    const { [from]: place, ...others } = draft.positions;
    const positions = place ? { ...others, [to]: place } : others;
    return { ...withGraph(draft, nodes, edges), positions };
}

const clip = "pawl/nodes";

/** Nodes with the edges between them, as text for the clipboard. */
export function copyNodes(draft: Draft, ids: string[]): string {
    const chosen = new Set(ids);
    return JSON.stringify({
        kind: clip,
        nodes: draft.definition.nodes.filter((node) => chosen.has(node.id)),
        edges: draft.definition.edges.filter((e) => chosen.has(e.from) && chosen.has(e.to)),
        positions: Object.fromEntries(ids.map((id) => [id, draft.positions[id]])),
    });
}

/** Adds copied nodes under free names; nothing if the text holds none. */
export function pasteNodes(draft: Draft, text: string): { draft: Draft; ids: string[] } {
    let pasted: {
        kind?: string;
        nodes?: GraphNode[];
        edges?: GraphEdge[];
        positions?: Layout["nodes"];
    };
    try {
        pasted = JSON.parse(text);
    } catch {
        return { draft, ids: [] };
    }
    if (pasted?.kind !== clip || !Array.isArray(pasted.nodes)) return { draft, ids: [] };
    // Anyone can write what is pasted.
    pasted.nodes = pasted.nodes
        .filter((node) => typeof node?.id === "string" && typeof node.type === "string")
        .slice(0, 1000);
    const inside = new Set(pasted.nodes.map((node) => node.id));
    pasted.edges = (Array.isArray(pasted.edges) ? pasted.edges : []).filter(
        (edge) => inside.has(edge?.from) && inside.has(edge.to),
    );
    const names = new Map<string, string>();
    const taken = idsOf(draft);
    for (const node of pasted.nodes) {
        const id = freeId([...taken, ...names.values()], String(node.id));
        names.set(node.id, id);
    }
    const rename = (t: string) =>
        t.replace(/\bsteps\.([A-Za-z_][\w-]*)/g, (all, id) => {
            const to = names.get(id);
            return to ? `steps.${to}` : all;
        });
    const nodes = pasted.nodes.map((node) => ({
        ...node,
        id: names.get(node.id) ?? node.id,
        ...(node.config ? { config: mapTexts(node.config, rename) } : {}),
    })) as GraphNode[];
    const edges = pasted.edges.map((edge) => ({
        ...edge,
        from: names.get(edge.from) ?? edge.from,
        to: names.get(edge.to) ?? edge.to,
    }));
    const positions = { ...draft.positions };
    for (const [old, id] of names) {
        const at = pasted.positions?.[old];
        positions[id] = { x: (at?.x ?? 0) + 48, y: (at?.y ?? 0) + 48 };
    }
    const { definition } = draft;
    const changed = withGraph(
        draft,
        [...definition.nodes, ...nodes],
        [...definition.edges, ...edges],
    );
    return { draft: { ...changed, positions }, ids: [...names.values()] };
}
