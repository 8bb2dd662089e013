/** Texts that a page must show as text, and that must not run, break it or leave their place. */
export const hostile = [
    `<img src=x onerror="window.hacked=1">`,
    `"><script>window.hacked=1</script>`,
    "javascript:window.hacked=1",
    "{{ constructor.constructor('window.hacked=1')() }}",
    "' or 1=1; drop table run; --",
    "\u202Egnirts desrever\u202C",
    "\u0000null\u0007bell".replace("\u0000", ""),
    `${"long".repeat(400)}`,
    "สวัสดี 👩‍👩‍👧‍👦 ﷽ \uD83D\uDE00",
    "</textarea></title></style>",
];

/** One of each in every kind of place of a JSON value. */
export const hostileData = {
    ...Object.fromEntries(hostile.map((text, index) => [`${text.slice(0, 60)}${index}`, text])),
    list: hostile,
    __proto: { toString: "x", constructor: "y" },
};
