import { expect, test } from "vitest";
import { inTenant, shellWord, sqlIn } from "./command";

test("a command names the tenant, unless it is the usual one", () => {
    expect(inTenant("pawl runs list", "default")).toBe("pawl runs list");
    expect(inTenant("pawl runs list", null)).toBe("pawl runs list");
    expect(inTenant("pawl runs list", "acme")).toBe("pawl runs list --tenant acme");
});

test("what a shell would take apart is quoted", () => {
    expect(inTenant("pawl runs list", "it's; rm")).toBe("pawl runs list --tenant 'it'\\''s; rm'");
});

test("what belongs to no tenant stays as it is", () => {
    for (const command of ["pawl dev", "pawl worker", "pawl tenants create acme", "curl x"]) {
        expect(inTenant(command, "acme")).toBe(command);
    }
});

test("of several commands each names the tenant that takes one", () => {
    expect(
        inTenant("pawl new workflow a && pawl workflows apply -f a.yaml && pawl run a", "acme"),
    ).toBe(
        "pawl new workflow a && pawl workflows apply -f a.yaml --tenant acme && pawl run a --tenant acme",
    );
    expect(inTenant("echo '{}' | pawl workflows apply -f -", "acme")).toBe(
        "echo '{}' | pawl workflows apply -f - --tenant acme",
    );
});

test("statements are of the tenant that is shown", () => {
    expect(sqlIn("select 1;", "default")).toBe("select 1;");
    expect(sqlIn("select 1;", "it's")).toBe("select pawl.use_tenant('it''s');\nselect 1;");
});

test("a word of a command is one word, whatever is in it", () => {
    expect(shellWord("a/b:c@d.e-f_1,2")).toBe("a/b:c@d.e-f_1,2");
    for (const odd of ["", "a b", "$(x)", "`x`", "-x", "a;b", "*", "~", "สวัสดี"]) {
        expect(shellWord(odd)).toBe(`'${odd}'`);
    }
});
