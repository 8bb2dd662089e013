import { useCallback, useRef } from "react";

/** The same function for as long as the component is there; it does what it was given last. */
export function useSame<A extends unknown[]>(run: (...args: A) => void): (...args: A) => void {
    const latest = useRef(run);
    latest.current = run;
    return useCallback((...args: A) => latest.current(...args), []);
}
