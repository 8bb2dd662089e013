import { Combobox, Loader, Pill, PillsInput, Text, useCombobox } from "@mantine/core";
import { IconFilter } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, useRef, useState } from "react";
import { api, call, type Schemas } from "@/data/api";
import { today } from "@/data/clock";
import { isPartOfId } from "@/data/ids";
import { useShortcuts } from "@/data/keys";
import { showError } from "@/data/queries";
import { runsOfPart } from "@/data/runIds";
import { useWords } from "@/words";
import {
    chipsOf,
    completions,
    type Filter,
    type Mistake,
    parseFilter,
    type Token,
    withoutToken,
    withTokens,
} from "./filter";
import classes from "./RunsPage.module.css";
import { runsWords } from "./words";

interface Props {
    filter: Filter;
    onChange: (filter: Filter) => void;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** One box for all filters: chips for what is set, completion for what is typed. */
export function RunSearch({ filter, onChange }: Props) {
    const t = useWords(runsWords);
    const navigate = useNavigate();
    const [text, setText] = useState("");
    const [mistakes, setMistakes] = useState<Mistake[]>([]);
    const [note, setNote] = useState("");
    const field = useRef<HTMLInputElement>(null);
    const box = useCombobox({ onDropdownClose: () => box.resetSelectedOption() });
    const workflows = useQuery({
        queryKey: ["workflows", "names"],
        staleTime: 60_000,
        queryFn: ({ signal }) =>
            call(api.GET("/v1/workflows", { params: { query: { limit: 1000 } }, signal })),
        select: (page) => ((page.data ?? []) as Schemas["Workflow"][]).map((one) => one.name),
    });
    useShortcuts(t("title"), [
        { keys: "/", label: t("searchLabel"), run: () => field.current?.focus() },
    ]);
    const options = completions(text, workflows.data ?? []).filter((one) => one !== text);
    const openPart = useMutation({
        mutationFn: (part: string) => runsOfPart(part, AbortSignal.timeout(30_000)),
        onSuccess: (found, part) => {
            const [only, ...others] = found;
            if (only && others.length === 0) {
                void navigate({ to: "/runs/$id", params: { id: only.id } });
            } else {
                setNote(
                    t(only ? "severalParts" : "noSuchPart", { text: part, count: found.length }),
                );
            }
        },
        onError: showError,
    });
    const submit = (typed: string) => {
        const wanted = typed.trim();
        setNote("");
        if (isPartOfId(wanted)) {
            setMistakes([]);
            openPart.mutate(wanted);
            return;
        }
        if (uuid.test(wanted)) {
            void navigate({ to: "/runs/$id", params: { id: wanted } });
            return;
        }
        const read = parseFilter(wanted, today());
        setMistakes(read.mistakes);
        if (read.mistakes.length > 0 || read.tokens.length === 0) return;
        onChange(withTokens(filter, read.tokens));
        setText("");
        box.closeDropdown();
    };
    const remove = (token: Token) => onChange(withoutToken(filter, token));
    const choose = (option: string) => {
        setText(option);
        if (!/[:.]$/.test(option)) submit(option);
    };
    const onKeyDown = (event: KeyboardEvent) => {
        const last = chipsOf(filter).at(-1);
        if (event.key === "Backspace" && text === "" && last) remove(last);
        if (event.key === "Enter" && box.getSelectedOptionIndex() < 0) submit(text);
    };
    const wrong = mistakes[0] ? t(mistakes[0].kind, { text: mistakes[0].text }) : note;
    return (
        <div className={classes.search}>
            <Combobox store={box} onOptionSubmit={choose} withinPortal>
                <Combobox.DropdownTarget>
                    <PillsInput
                        size="xs"
                        leftSection={<IconFilter size={14} />}
                        error={wrong !== ""}
                        rightSection={openPart.isPending && <Loader size={12} />}
                        onClick={() => field.current?.focus()}
                    >
                        <Pill.Group gap={4}>
                            {chipsOf(filter).map(({ key, value }) => (
                                <Pill
                                    key={`${key} ${value}`}
                                    withRemoveButton
                                    onRemove={() => remove({ key, value })}
                                    removeButtonProps={{
                                        "aria-label": t("removeChip", {
                                            name: key === "where" ? value : key,
                                        }),
                                        tabIndex: 0,
                                        "aria-hidden": false,
                                    }}
                                >
                                    <span className={classes.chip}>
                                        {key !== "where" && <b>{key}:</b>}
                                        {value}
                                    </span>
                                </Pill>
                            ))}
                            <Combobox.EventsTarget>
                                <PillsInput.Field
                                    ref={field}
                                    value={text}
                                    aria-label={t("searchLabel")}
                                    placeholder={chipsOf(filter).length ? "" : t("searchHint")}
                                    onFocus={() => box.openDropdown()}
                                    onBlur={() => box.closeDropdown()}
                                    onChange={(event) => {
                                        setText(event.currentTarget.value);
                                        setMistakes([]);
                                        setNote("");
                                        box.openDropdown();
                                        box.resetSelectedOption();
                                    }}
                                    onKeyDown={onKeyDown}
                                />
                            </Combobox.EventsTarget>
                        </Pill.Group>
                    </PillsInput>
                </Combobox.DropdownTarget>
                <Combobox.Dropdown hidden={options.length === 0}>
                    <Combobox.Options aria-label={t("searchLabel")}>
                        {options.map((option) => (
                            <Combobox.Option key={option} value={option} className="mono">
                                {option}
                            </Combobox.Option>
                        ))}
                    </Combobox.Options>
                </Combobox.Dropdown>
            </Combobox>
            {wrong && (
                <Text size="xs" c="red" mt={4} role="alert">
                    {wrong}
                </Text>
            )}
        </div>
    );
}
