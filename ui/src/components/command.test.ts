import { expect, test } from "vitest";
import { inTenant } from "./command";

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
