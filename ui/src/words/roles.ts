import { defineWords, useWords } from ".";

export const roleWords = defineWords("roles", {
    en: {
        viewer: "viewer",
        operator: "operator",
        editor: "editor",
        approver: "approver",
        admin: "admin",
    },
    th: {
        viewer: "ผู้ดู",
        operator: "ผู้ปฏิบัติการ",
        editor: "ผู้แก้ไข",
        approver: "ผู้อนุมัติ",
        admin: "ผู้ดูแล",
    },
});

/** How people call a role. */
export function useRoleNames(): (role: string) => string {
    const t = useWords(roleWords);
    return (role) => {
        const known = roleWords.keys.find((key) => key === role);
        return known ? t(known) : role;
    };
}
