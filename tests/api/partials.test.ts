import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type Answered, Journeys } from "./support/journeys.js";
import { until } from "./support/until.js";

// Templates that stand in others: {{> footer }}.

describe("partials of templates", () => {
    const world = new Journeys();
    before(async () => {
        await world.start("ann", "bob");
        await world.account("ann");
    });
    after(() => world.stop());

    const put = (name: string, languages: object, who = "ann"): Promise<Answered> =>
        world.call(who, "PUT", `/v1/templates/${name}`, { languages });
    const get = async (name: string): Promise<any> =>
        (await world.call("ann", "GET", `/v1/templates/${name}`)).json;
    const preview = async (name: string, body: object): Promise<any> =>
        (await world.call("ann", "POST", `/v1/templates/${name}/preview`, body)).json;

    test("are filled in, and changed with the template that they are", async () => {
        const footer = { en: { text: "Bye, {{ user.first_name }}" }, th: { text: "ลาก่อน" } };
        assert.equal((await put("footer", footer)).status, 200);
        const offer = {
            en: { text: "Half price! {{> footer }}", subject: "Offer" },
            th: { text: "ครึ่งราคา {{>footer}}" },
        };
        assert.equal((await put("offer", offer)).json.version, 1);
        assert.deepEqual((await get("offer")).languages, offer, "as it was written");
        const user = { first_name: "Ann" };
        assert.equal((await preview("offer", { user })).content.text, "Half price! Bye, Ann");
        assert.equal(
            (await preview("offer", { language: "th", user })).content.text,
            "ครึ่งราคา ลาก่อน",
        );
        const unsaved = { user, languages: { en: { text: "{{> footer }}!" } } };
        assert.equal((await preview("offer", unsaved)).content.text, "Bye, Ann!");
        await put("letter", { en: { text: "Dear {{ user.first_name }}. {{> offer }}" } });

        const run = await world.send("ann", "p1", { text: undefined, template: "letter" });
        await until("it is sent", () => world.provider.received.length > 0);
        assert.equal(world.provider.received[0]?.content["text"], "Dear Ann. Half price! Bye, Ann");
        await put("footer", { en: { text: "See you" } });
        assert.deepEqual([(await get("footer")).version, (await get("offer")).version], [2, 2]);
        assert.equal((await get("letter")).version, 2);
        assert.equal(
            (await preview("letter", { user })).content.text,
            "Dear Ann. Half price! See you",
        );
        assert.equal((await put("footer", { en: { text: "See you" } })).json.changed, false);
        assert.equal((await get("offer")).version, 2);
        const [sent] = (await world.call("ann", "GET", `/v1/messages?run=${run}`)).json.data;
        const said = (await world.call("ann", "GET", `/v1/messages/${sent.id}`)).json;
        assert.equal(said.content.text, "Dear Ann. Half price! Bye, Ann", "what was sent then");
    });

    test("that cannot be are refused with their place, and nothing is saved", async () => {
        await put("note", { en: { text: "n" } });
        const wrong = async (name: string, languages: object): Promise<string> => {
            const refused = await put(name, languages);
            assert.equal(refused.status, 422, refused.text);
            return `${refused.json.errors[0].pointer}: ${refused.json.detail}`;
        };
        assert.match(
            await wrong("x", { en: { text: "{{> nott }}" } }),
            /^\/languages\/en\/text: .*includes the template 'nott', and there is none/,
        );
        assert.match(
            await wrong("x", { en: { html: "{{> note }}" } }),
            /has no html in en: add it there/,
        );
        assert.match(await wrong("note", { en: { text: "{{> note }}" } }), /would include itself/);
        await put("b", { en: { text: "{{> note }}" } });
        assert.match(await wrong("note", { en: { text: "{{> b }}" } }), /would include itself/);
        assert.match(
            await wrong("x", { en: { text: "{{> note }} {{ usr.name }}" } }),
            /usr\.name \}\} is unknown/,
        );
        assert.match(await wrong("x", { en: { text: "a", written: {} } }), /written is unknown/);
        assert.equal((await world.call("ann", "GET", "/v1/templates/x")).status, 404);
        const used = await world.call("ann", "DELETE", "/v1/templates/note");
        assert.deepEqual([used.status, used.json.code], [409, "template_included"]);
        const foreign = await put("x", { en: { text: "{{> note }}" } }, "bob");
        assert.equal(foreign.status, 422, "of another tenant");
        assert.match(
            await wrong("note", { en: { html: "h" } }),
            /^\/languages: the template 'b' includes the template 'note', which has no text in en/,
        );
    });
});
