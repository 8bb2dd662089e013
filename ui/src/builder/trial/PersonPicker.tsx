import { Autocomplete, type AutocompleteProps, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { api, call } from "@/data/api";
import { addressesOf, nameOf, type Person } from "@/pages/people/data";

const shown = 20;

async function search(q: string, limit: number, signal?: AbortSignal): Promise<Person[]> {
    const params = { query: { limit, ...(q ? { q } : {}) } };
    const page = await call(api.GET("/v1/people", { params, ...(signal ? { signal } : {}) }));
    return page.data as unknown as Person[];
}

/** The key of the only person that a text finds; else the text, which may be a key itself. */
export async function findPerson(text: string): Promise<string> {
    const found = text === "" ? [] : await search(text, 2).catch(() => []);
    return found.length === 1 ? found[0]!.key : text;
}

/** People with this text in their key, an address or a name: the server looks through all of them. */
function usePeople(text: string): Person[] {
    const [wanted] = useDebouncedValue(text.trim(), 200);
    const query = useQuery({
        queryKey: ["people", "search", wanted],
        retry: false,
        placeholderData: keepPreviousData,
        queryFn: ({ signal }) => search(wanted, shown, signal),
    });
    return query.data ?? [];
}

interface Props extends Omit<AutocompleteProps, "data" | "filter" | "renderOption"> {
    value: string;
    onChange: (key: string) => void;
}

/** A person by key; one who is not listed can be written, as those of a table of one's own. */
export function PersonPicker({ value, onChange, ...rest }: Props) {
    const people = usePeople(value);
    const said = new Map(
        people.map((one) => [
            one.key,
            [nameOf(one), addressesOf(one)[0]?.address].filter(Boolean).join(" · "),
        ]),
    );
    return (
        <Autocomplete
            {...rest}
            data={[...said.keys()]}
            // What they are found by may be a name or an address: the server has chosen.
            filter={({ options }) => options}
            maxDropdownHeight={260}
            renderOption={({ option }) => (
                <div>
                    <Text size="sm" className="mono">
                        {option.value}
                    </Text>
                    {said.get(option.value) && (
                        <Text size="xs" c="dimmed">
                            {said.get(option.value)}
                        </Text>
                    )}
                </div>
            )}
            value={value}
            onChange={onChange}
        />
    );
}
