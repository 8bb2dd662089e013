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
