import { useWords } from "@/words";
import { useChannelNames } from "@/words/channels";
import { messagesWords } from "../words";
import { LineMessages } from "./Line";
import { MailFrame } from "./MailFrame";
import classes from "./Phone.module.css";

/** What a person gets, by whichever channel. */
export type Shown =
    | { kind: "email"; from?: string; to?: string; subject: string; text?: string; html?: string }
    | { kind: "sms"; from?: string; to?: string; text: string }
    | { kind: "line"; to?: string; messages: unknown }
    | { kind: "push"; to?: string; title: string; body: string }
    | { kind: "other"; text: string };

export type Device = "phone" | "desktop";

function Body({ shown, plain }: { shown: Shown; plain: boolean }) {
    const t = useWords(messagesWords);
    const named = useChannelNames();
    if (shown.kind === "email") {
        if (shown.html && !plain) return <MailFrame html={shown.html} title={t("mailFrame")} />;
        return (
            <section className={classes.plain} aria-label={t("mailFrame")}>
                {shown.text ?? ""}
            </section>
        );
    }
    if (shown.kind === "push") {
        return (
            <div className={classes.push}>
                <div className={classes.subject}>{shown.title}</div>
                <div>{shown.body}</div>
            </div>
        );
    }
    if (shown.kind === "other") {
        return (
            <section className={`${classes.plain} mono`} aria-label={t("request")}>
                {shown.text}
            </section>
        );
    }
    return (
        <section className={classes.chat} data-kind={shown.kind} aria-label={named(shown.kind)}>
            {shown.kind === "sms" ? (
                <div className={classes.bubble}>{shown.text}</div>
            ) : (
                <LineMessages messages={shown.messages} />
            )}
        </section>
    );
}

/** A message as a phone or a mail program would show it. */
export function Phone({ shown, device, plain = false }: PhoneProps) {
    const t = useWords(messagesWords);
    const to = "to" in shown ? shown.to : undefined;
    const from = "from" in shown ? shown.from : undefined;
    return (
        <div className={classes.phone} data-device={device}>
            {(shown.kind === "email" || to) && (
                <div className={classes.top}>
                    {shown.kind === "email" && (
                        <div className={classes.subject}>{shown.subject}</div>
                    )}
                    {from && (
                        <div className={classes.soft}>
                            {t("from")}: {from}
                        </div>
                    )}
                    {to && (
                        <div className={classes.soft}>
                            {t("to")}: {to}
                        </div>
                    )}
                </div>
            )}
            <Body shown={shown} plain={plain} />
        </div>
    );
}

interface PhoneProps {
    shown: Shown;
    device: Device;
    /** The text of a mail rather than its HTML. */
    plain?: boolean;
}
