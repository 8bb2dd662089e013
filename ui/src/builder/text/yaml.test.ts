import { describe, expect, it } from "vitest";
import { type ExactNumber, parseExact } from "@/data/json";
import { readYaml, writeYaml } from "./yaml";

const text = `# The journey of a cart.
name: cart
nodes:
  - {id: begin, type: trigger} # it begins here
  # An hour is enough.
  - id: rest
    type: wait
    config: {duration: 1h}
edges:
  - {from: begin, to: rest} # the only way
`;

type Read = { nodes: { id: string; config?: Record<string, unknown> }[]; edges: object[] };

describe("a workflow as YAML", () => {
    it("stays as it was written when nothing changes", () => {
        expect(writeYaml(readYaml(text), text)).toBe(text);
    });
    it("keeps comments when a value changes", () => {
        const read = readYaml(text) as Read;
        read.nodes[1]!.config = { duration: "2h" };
        const after = writeYaml(read, text);
        expect(after).toBe(text.replace("1h", "2h"));
    });
    it("keeps the comments of what stays when a step goes and another comes", () => {
        const read = readYaml(text) as Read;
        read.nodes = [read.nodes[1]!, { id: "end" }];
        read.edges = [{ from: "rest", to: "end" }];
        const after = writeYaml(read, text);
        expect(after).toContain("# The journey of a cart.");
        expect(after).toContain("# An hour is enough.");
        expect(after).not.toContain("it begins here");
        expect(readYaml(after)).toEqual(read);
    });
    it("reads back what it has written", () => {
        const value = {
            name: "x",
            nodes: [
                { id: "a", config: { text: "yes", no: "123", empty: "", lines: "one\ntwo: 3\n" } },
                { id: "b", config: { list: [], none: null, at: "2026-01-01", share: 0.5 } },
            ],
            edges: [{ from: "a", to: "b", handle: "true" }],
        };
        expect(readYaml(writeYaml(value))).toEqual(value);
        expect(readYaml(writeYaml(value, text))).toEqual(value);
    });
    it("does not round numbers", () => {
        const value = parseExact('{"id": 9007199254740993}') as { id: ExactNumber };
        const written = writeYaml(value);
        expect(written).toBe("id: 9007199254740993\n");
        expect((readYaml(written) as { id: ExactNumber }).id.text).toBe("9007199254740993");
        expect(writeYaml(readYaml(written), written)).toBe(written);
    });
    it("takes JSON, and says where something is wrong", () => {
        expect(readYaml('{"name": "x", "nodes": [1, true, null]}')).toEqual({
            name: "x",
            nodes: [1, true, null],
        });
        expect(() => readYaml("a: [1")).toThrow(/line 1/);
        expect(() => readYaml("a: 1\na: 2")).toThrow();
    });
    it("does not make a bomb of aliases", () => {
        const bomb = [
            "a: &a [x]",
            "b: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]",
            "c: &c [*b,*b,*b,*b,*b,*b]",
        ];
        bomb.push("d: [*c,*c,*c,*c,*c,*c,*c]");
        expect(() => readYaml(bomb.join("\n"))).toThrow();
    });
});
