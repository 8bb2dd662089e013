import { Modal } from "@mantine/core";
import { useEffect, useRef } from "react";
import { Unsaved } from "@/components/Unsaved";
import { useWords } from "@/words";
import { ChooseFile } from "./ChooseFile";
import classes from "./Import.module.css";
import { ImportOutcome } from "./ImportOutcome";
import { ImportRunning } from "./ImportRunning";
import { LookAtFile } from "./LookAtFile";
import { useImport } from "./useImport";
import { importWords } from "./words";

/** Imports the people of a file: choose it, look at it, see how far it is, and what became of it. */
export function ImportDialog({ close }: { close: () => void }) {
    const t = useWords(importWords);
    const work = useImport();
    const { looked, sending, outcome, problem } = work;
    const running = sending !== undefined;
    const step = outcome
        ? "outcome"
        : sending?.question
          ? "question"
          : running
            ? "running"
            : "file";
    const box = useRef<HTMLDivElement>(null);
    // The button that was pressed is gone: the keyboard goes on in the dialog, not behind it.
    // biome-ignore lint/correctness/useExhaustiveDependencies: each step has other buttons
    useEffect(() => {
        const focused = document.activeElement;
        if (!focused || focused === document.body) box.current?.focus();
    }, [step, looked?.file]);
    return (
        <Modal
            opened
            // Only the button stops what is under way.
            onClose={running ? () => undefined : close}
            closeOnClickOutside={false}
            withCloseButton={!running}
            title={t("title")}
            size="xl"
        >
            <div ref={box} tabIndex={-1} className={classes.step}>
                {outcome ? (
                    <ImportOutcome outcome={outcome} file={looked?.file.name ?? ""} close={close} />
                ) : running ? (
                    <ImportRunning sending={sending} answer={work.answer} stop={work.stop} />
                ) : looked ? (
                    <LookAtFile looked={looked} work={work} close={close} />
                ) : (
                    <ChooseFile problem={problem} choose={work.choose} />
                )}
            </div>
            {running && (
                <Unsaved
                    unsaved={() => true}
                    names={[]}
                    title={t("leaveTitle")}
                    help={t("leaveHelp")}
                />
            )}
        </Modal>
    );
}
