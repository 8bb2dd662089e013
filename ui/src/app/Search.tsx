import "@mantine/spotlight/styles.css";
import { useDebouncedValue } from "@mantine/hooks";
import { Spotlight, spotlight } from "@mantine/spotlight";
import { IconArrowRight, IconBolt, IconSearch } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useOffered } from "@/data/actions";
import { useKeys } from "@/data/keys";
import { useWords } from "@/words";
import { shellWords } from "@/words/shell";
import { type Control, findControls } from "./controls";
import { Keys } from "./KeySheet";
import { lookUp } from "./lookUp";
import { usePlaces } from "./nav";

const has = (text: string, query: string) => text.toLowerCase().includes(query.toLowerCase());

interface PageAction {
    label: string;
    part?: string;
    keys?: string;
    run: () => void;
}

/** What a key, a menu and a button do alike is there once. */
const distinct = (all: PageAction[]) =>
    [
        ...new Map(
            all.toReversed().map((one) => [`${one.part ?? ""}\n${one.label}`, one]),
        ).values(),
    ].reverse();

/** Whether the arrows have chosen an entry. */
const isChosen = () => document.querySelector("[data-action][data-selected]") !== null;

/** Ctrl+K: go anywhere, paste any id, run any action of the page. */
export function Search() {
    const t = useWords(shellWords);
    const navigate = useNavigate();
    const [query, setQuery] = useState("");
    const text = query.trim();
    const [wanted] = useDebouncedValue(text, 150);
    const found = useQuery({
        queryKey: ["look-up", wanted],
        enabled: wanted.length >= 2,
        queryFn: ({ signal }) => lookUp(wanted, signal),
        retry: false,
    });
    // What leads elsewhere is in a list of its own; the others belong to the page.
    const groups = useKeys((state) => state.groups).filter((one) => one.name !== t("goTo"));
    const offered = useOffered((state) => state.groups);
    const [controls, setControls] = useState<Control[]>([]);
    // What an action opens or goes to keeps the focus.
    const [acted, setActed] = useState(false);
    const places = usePlaces().filter((item) => has(t(item.name), text));
    const actions = distinct([
        ...groups.flatMap((group) => group.shortcuts),
        ...controls,
        ...offered.toReversed().flat(),
    ]).filter((one) => has(`${one.part ?? ""} ${one.label}`, text));
    // What was found for a text that has been changed since is not meant any more.
    const findings = wanted.length >= 2 && wanted === text ? (found.data ?? []) : [];
    const nothing = places.length + actions.length + findings.length === 0;
    return (
        <Spotlight.Root
            query={query}
            onQueryChange={(next) => {
                setQuery(next);
                // The page may have got more while someone types.
                setControls(findControls());
            }}
            returnFocus={!acted}
            overlayProps={{ blur: 0 }}
            onSpotlightOpen={() => {
                setActed(false);
                setControls(findControls());
            }}
            className="pawl-search"
            attributes={{ content: { "aria-label": t("search") } }}
            shortcut={null}
            scrollable
            maxHeight={420}
        >
            <Spotlight.Search
                placeholder={t("searchPlaceholder")}
                aria-label={t("searchPlaceholder")}
                leftSection={<IconSearch size={16} stroke={1.6} />}
                onKeyDown={(event) => {
                    const first = findings[0];
                    if (event.key !== "Enter" || !first || isChosen()) return;
                    spotlight.close();
                    void navigate({ to: first.to as "/" });
                }}
            />
            <Spotlight.ActionsList>
                {findings.length > 0 && (
                    <Spotlight.ActionsGroup label={t("found")}>
                        {findings.map((one) => (
                            <Spotlight.Action
                                key={one.kind + one.to}
                                label={one.title}
                                description={t(one.kind)}
                                leftSection={<IconArrowRight size={16} stroke={1.6} />}
                                onClick={() => void navigate({ to: one.to as "/" })}
                            />
                        ))}
                    </Spotlight.ActionsGroup>
                )}
                {actions.length > 0 && (
                    <Spotlight.ActionsGroup label={t("thisPage")}>
                        {actions.map((one) => (
                            <Spotlight.Action
                                key={`${one.part} ${one.label}`}
                                label={one.label}
                                {...(one.part ? { description: one.part } : {})}
                                leftSection={<IconBolt size={16} stroke={1.6} />}
                                {...(one.keys ? { rightSection: <Keys keys={one.keys} /> } : {})}
                                onClick={() => {
                                    setActed(true);
                                    one.run();
                                }}
                            />
                        ))}
                    </Spotlight.ActionsGroup>
                )}
                {places.length > 0 && (
                    <Spotlight.ActionsGroup label={t("goTo")}>
                        {places.map((item) => (
                            <Spotlight.Action
                                key={item.to}
                                label={t(item.name)}
                                leftSection={<item.icon size={16} stroke={1.6} />}
                                rightSection={<Keys keys={`g ${item.key}`} />}
                                onClick={() => void navigate({ to: item.to })}
                            />
                        ))}
                    </Spotlight.ActionsGroup>
                )}
                {nothing && (
                    <Spotlight.Empty>
                        {found.isFetching || wanted !== text ? t("looking") : t("nothingFound")}
                    </Spotlight.Empty>
                )}
            </Spotlight.ActionsList>
        </Spotlight.Root>
    );
}
