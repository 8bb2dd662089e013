import { createContext, useCallback, useContext, useEffect, useId, useState } from "react";

type Report = (field: string, broken: boolean) => void;

/** Hears of the fields inside that hold what cannot be read. */
export const BrokenFields = createContext<Report>(() => undefined);

/** A field says whether what it holds can be read. */
export function useReport(broken: boolean): void {
    const report = useContext(BrokenFields);
    const field = useId();
    useEffect(() => {
        report(field, broken);
        return () => report(field, false);
    }, [report, field, broken]);
}

/** Whether a field cannot be read: what is sent then is not what is shown. */
export function useBroken(): { broken: boolean; report: Report } {
    const [fields, setFields] = useState<ReadonlySet<string>>(new Set());
    const report = useCallback<Report>((field, broken) => {
        setFields((old) => {
            if (old.has(field) === broken) return old;
            const next = new Set(old);
            if (!next.delete(field)) next.add(field);
            return next;
        });
    }, []);
    return { broken: fields.size > 0, report };
}
