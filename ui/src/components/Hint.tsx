import { Tooltip, type TooltipProps } from "@mantine/core";
import {
    cloneElement,
    type PointerEvent,
    type ReactElement,
    type RefObject,
    useEffect,
    useRef,
    useState,
} from "react";

/** In milliseconds: who only passes by sees no hint. */
export const hintDelay = 250;

interface Props extends Pick<TooltipProps, "label" | "multiline" | "maw" | "position" | "style"> {
    children: ReactElement<object>;
}

/**
 * What is said when the pointer rests on its child. A list has hundreds of them and shows one: to
 * make them all takes as long as the rest of the list, so each is made when it is first shown.
 */
export function Hint({ children, ...tooltip }: Props) {
    const [place, setPlace] = useState<RefObject<HTMLElement>>();
    const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
    const onPointerEnter = ({ pointerType, currentTarget }: PointerEvent<HTMLElement>) => {
        if (place || pointerType === "touch") return;
        timer.current = setTimeout(() => setPlace({ current: currentTarget }), hintDelay);
    };
    const onPointerLeave = () => clearTimeout(timer.current);
    useEffect(() => () => clearTimeout(timer.current), []);
    return (
        <>
            {cloneElement(children, { onPointerEnter, onPointerLeave } as object)}
            {/* From then on it hears by itself when the pointer comes and goes. */}
            {place && <Tooltip {...tooltip} target={place} defaultOpened />}
        </>
    );
}
