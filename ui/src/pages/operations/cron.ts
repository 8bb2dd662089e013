import cronstrue from "cronstrue/i18n";

/** A cron expression in words; itself where it cannot be said. */
export function cronInWords(cron: string, language: string): string {
    try {
        return cronstrue.toString(cron, {
            locale: language,
            use24HourTimeFormat: true,
            verbose: false,
        });
    } catch {
        return cron;
    }
}

/** A moment as the clocks of a zone show it, with the zone's offset then. */
export function timeInZone(at: string, zone: string, language: string): string {
    const form: Intl.DateTimeFormatOptions = {
        weekday: "short",
        year: "numeric",
        month: "short",
        day: "numeric",
        hour: "2-digit",
        minute: "2-digit",
        hourCycle: "h23",
        timeZoneName: "short",
    };
    // Years of the common era in every language, as everywhere in Pawl.
    const locale = `${language}-u-ca-gregory`;
    try {
        return new Intl.DateTimeFormat(locale, { ...form, timeZone: zone }).format(new Date(at));
    } catch {
        return new Intl.DateTimeFormat(locale, { ...form, timeZone: "UTC" }).format(new Date(at));
    }
}
