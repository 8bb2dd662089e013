import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import type { ComponentProps, ReactNode } from "react";
import { type CopyAs, CopyMenu } from "./CopyMenu";
import { EmptyState } from "./EmptyState";
import { Page } from "./Page";
import { DataTable } from "./table/DataTable";

type Table<T> = Parameters<typeof DataTable<T>>[0];

interface Props<T> extends Omit<Table<T>, "rows" | "state" | "empty"> {
    title: string;
    /** The tabs of the page that this list is one of. */
    tabs: ReactNode;
    /** What `usePages` returned. */
    list: Table<T>["state"] & { rows: T[] };
    /** Makes a new row; nothing where the viewer may not. */
    create: { label: string; open: () => void } | false;
    copy: CopyAs;
    /** What an empty list teaches, beside the button. */
    teach: Omit<ComponentProps<typeof EmptyState>, "children">;
    /** Dialogs and the panel of the row that is shown. */
    children: ReactNode;
}

/** A page that is one list of things that can be made here. */
export function ListPage<T>(props: Props<T>) {
    const { title, tabs, list, create, copy, teach, children, ...table } = props;
    const button = create && (
        <Button leftSection={<IconPlus size={14} />} onClick={create.open}>
            {create.label}
        </Button>
    );
    return (
        <Page
            title={title}
            bar={tabs}
            filled
            actions={
                <>
                    <CopyMenu {...copy} />
                    {button}
                </>
            }
        >
            <DataTable
                {...table}
                rows={list.rows}
                state={list}
                empty={<EmptyState {...teach}>{button}</EmptyState>}
            />
            {children}
        </Page>
    );
}
