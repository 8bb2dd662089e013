import { usePersonName } from "@/pages/people/usePerson";
import type { Message } from "./data";

// What providers call someone says nothing to people.
const unreadable = ["line", "push", "webhook"];

/** To whom a message goes, as people know them: by address, else by name. */
export function useRecipient(message: Message): string | undefined {
    const { address, person, channel, reason } = message;
    const isReadable = address !== null && !unreadable.includes(channel);
    const name = usePersonName(isReadable || reason === "no_person" ? undefined : person);
    return (isReadable ? address : (name ?? address ?? person)) ?? undefined;
}

/** The same, with the key of the person where a pointer rests. */
export function Recipient({ message }: { message: Message }) {
    const said = useRecipient(message);
    return (
        <span className="truncate" title={message.person ?? said ?? ""}>
            {said}
        </span>
    );
}
