import { Input } from "@mantine/core";
import { createContext, type ReactNode, useContext, useEffect, useRef } from "react";
import type { Place } from "@/words/problem";
import { placeText, useRefusals } from "@/words/refusal";
import classes from "./places.module.css";

interface WrongPlaces {
    /** Their pointers begin at the value of the form. */
    places: Place[];
    /** What is at this pointer was changed. */
    changed: (pointer: string) => void;
}

/** What the server refused in the value of a form. */
export const WrongPlaces = createContext<WrongPlaces>({
    places: [],
    changed: () => undefined,
});

const Where = createContext("");

const escaped = (key: string) => key.replaceAll("~", "~0").replaceAll("/", "~1");

export const usePointer = (key: string) => `${useContext(Where)}/${escaped(key)}`;

interface Props {
    pointer: string;
    /** It has fields of its own, which say what is wrong in them. */
    group: boolean;
    children: ReactNode;
}

/** A field, with what the server says is wrong in it. */
export function Marked({ pointer, group, children }: Props) {
    useRefusals();
    const { places } = useContext(WrongPlaces);
    const box = useRef<HTMLDivElement>(null);
    const wrong = places.filter(
        (one) => one.pointer === pointer || (!group && one.pointer?.startsWith(`${pointer}/`)),
    );
    const isWrong = wrong.length > 0;
    useEffect(() => {
        const field = box.current?.querySelector("input, textarea, [contenteditable]");
        if (!isWrong || !field) return undefined;
        field.setAttribute("aria-invalid", "true");
        return () => field.removeAttribute("aria-invalid");
    }, [isWrong]);
    return (
        <Where value={pointer}>
            <div ref={box} className={classes.field} data-wrong={isWrong || undefined}>
                {children}
                {wrong.map((one) => (
                    <Input.Error key={`${one.pointer} ${one.detail}`} role="alert" mt={4}>
                        {one.pointer === pointer
                            ? ""
                            : `${one.pointer?.slice(pointer.length + 1)}: `}
                        {placeText(one)}
                    </Input.Error>
                ))}
            </div>
        </Where>
    );
}
