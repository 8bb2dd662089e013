import { Autocomplete, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { api, call } from "@/data/api";
import { nameOf, type Person } from "@/pages/people/data";

const shown = 20;

/** People with this text in their key, an address or a name: the server looks through all of them. */
function usePeople(text: string): Person[] {
    const [wanted] = useDebouncedValue(text.trim(), 200);
    const query = useQuery({
        queryKey: ["people", "search", wanted],
        retry: false,
        placeholderData: keepPreviousData,
        queryFn: async ({ signal }) => {
            const params = { query: { limit: shown, ...(wanted ? { q: wanted } : {}) } };
            const page = await call(api.GET("/v1/people", { params, signal }));
            return page.data as unknown as Person[];
        },
    });
    return query.data ?? [];
}

interface Props {
    label: string;
    value: string;
    onChange: (key: string) => void;
}

/** A person by key; one who is not listed can be written, as those of a table of one's own. */
export function PersonPicker({ label, value, onChange }: Props) {
    const people = usePeople(value);
    const names = new Map(people.map((one) => [one.key, nameOf(one)]));
    return (
        <Autocomplete
            label={label}
            data={[...names.keys()]}
            // What they are found by may be a name or an address: the server has chosen.
            filter={({ options }) => options}
            maxDropdownHeight={260}
            renderOption={({ option }) => (
                <div>
                    <Text size="sm" className="mono">
                        {option.value}
                    </Text>
                    {names.get(option.value) && (
                        <Text size="xs" c="dimmed">
                            {names.get(option.value)}
                        </Text>
                    )}
                </div>
            )}
            value={value}
            onChange={onChange}
        />
    );
}
