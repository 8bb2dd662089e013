import { NativeSelect } from "@mantine/core";
import { useWords } from "@/words";
import { useChannelNames } from "@/words/channels";
import type { Head } from "./check";
import { type Place, placesFor } from "./columns";
import classes from "./Import.module.css";
import { importWords } from "./words";

interface Props {
    head: Head;
    places: Place[];
    setPlace: (index: number, place: Place) => void;
}

function usePlaceNames() {
    const t = useWords(importWords);
    const channelName = useChannelNames();
    return (place: Place) =>
        place.startsWith("address.")
            ? t("place_address", { channel: channelName(place.slice("address.".length)) })
            : t(`place_${place as "key" | "locale" | "timezone" | "attribute" | "out"}`);
}

/** The first rows of a file, and below each name what its column becomes. */
export function PreviewTable({ head, places, setPlace }: Props) {
    const t = useWords(importWords);
    const placeName = usePlaceNames();
    const columns = head.columns.map((name, index) => ({
        name,
        shown: name || t("column", { number: index + 1 }),
        place: places[index]!,
        index,
    }));
    const look = (place: Place | undefined) => (place === "out" ? classes.unused : "");
    return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
        <section className={classes.preview} tabIndex={0} aria-label={t("preview")}>
            <table>
                <thead>
                    <tr>
                        {columns.map(({ name, shown, place, index }) => (
                            <th key={index} scope="col" className={look(place)}>
                                <div className="truncate" title={shown}>
                                    {shown}
                                </div>
                                <NativeSelect
                                    size="xs"
                                    mt={4}
                                    aria-label={t("becomes", { column: shown })}
                                    value={place}
                                    onChange={(event) =>
                                        setPlace(index, event.currentTarget.value as Place)
                                    }
                                    data={[...placesFor(name), "out" as const].map((one) => ({
                                        value: one,
                                        label: placeName(one),
                                    }))}
                                />
                            </th>
                        ))}
                    </tr>
                </thead>
                <tbody>
                    {head.rows.map((row, number) => (
                        <tr key={number}>
                            {columns.map(({ place, index }) => (
                                <td key={index} className={look(place)} title={row[index]}>
                                    {row[index]}
                                </td>
                            ))}
                        </tr>
                    ))}
                </tbody>
            </table>
        </section>
    );
}
