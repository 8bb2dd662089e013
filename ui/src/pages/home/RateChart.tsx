import { useLingui } from "@lingui/react";
import { useComputedColorScheme } from "@mantine/core";
import { useEffect, useRef } from "react";
import uPlot from "uplot";
import { today } from "@/data/clock";
import "uplot/dist/uPlot.min.css";
import { shortTime } from "@/data/time";
import classes from "./HomePage.module.css";
import { type Rate, ticks } from "./numbers";

const tones = {
    light: { started: "#4a63e7", completed: "#1a8a54", failed: "#cf3439", text: "#5b6372" },
    dark: { started: "#93a6fb", completed: "#4cc48a", failed: "#f2999b", text: "#9aa1ae" },
};
const lines = { light: "#e6e9ee", dark: "#262a33" };
const height = 190;

interface Props {
    rates: readonly Rate[];
    label: string;
    names: { time: string; started: string; completed: string; failed: string };
}

/** Runs over time; the numbers beside it say the same to people who do not see it. */
export function RateChart({ rates, label, names }: Props) {
    const host = useRef<HTMLDivElement>(null);
    const plot = useRef<uPlot>(undefined);
    const { i18n } = useLingui();
    const scheme = useComputedColorScheme("light");
    const data: uPlot.AlignedData = [
        rates.map((rate) => Date.parse(rate.at) / 1000),
        rates.map((rate) => Number(rate.started)),
        rates.map((rate) => Number(rate.completed)),
        rates.map((rate) => Number(rate.failed)),
    ];
    // biome-ignore lint/correctness/useExhaustiveDependencies: new data is set below
    useEffect(() => {
        const place = host.current!;
        const tone = tones[scheme];
        const clock = (at: number) => shortTime(new Date(at * 1000), today(), i18n.locale);
        const axis = {
            stroke: tone.text,
            grid: { stroke: lines[scheme], width: 1 },
            ticks: { show: false },
            font: '11px "Inter Variable", "Noto Sans Thai Variable", sans-serif',
        };
        const series = (name: string, stroke: string, fill = false) => ({
            label: name,
            stroke,
            width: 1.6,
            points: { show: false },
            ...(fill ? { fill: `${stroke}1f` } : {}),
        });
        place.dataset.pointed = "false";
        const chart = new uPlot(
            {
                width: place.clientWidth,
                height,
                padding: [8, 20, 0, 0],
                cursor: { y: false },
                legend: { show: true, live: true },
                // What the lines are at a moment is only said while one points at it.
                hooks: {
                    setLegend: [
                        ({ cursor }) => {
                            place.dataset.pointed = String(cursor.idx != null);
                        },
                    ],
                },
                scales: { y: { range: (_, __, max) => [0, Math.max(4, max * 1.1)] } },
                axes: [
                    { ...axis, size: 30, values: (_, seconds) => ticks(seconds, i18n.locale) },
                    {
                        ...axis,
                        size: 44,
                        incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 1e5, 1e6],
                    },
                ],
                series: [
                    { label: names.time, value: (_, at) => (at === null ? "–" : clock(at)) },
                    series(names.started, tone.started, true),
                    series(names.completed, tone.completed),
                    series(names.failed, tone.failed),
                ],
            },
            data,
            place,
        );
        plot.current = chart;
        const fit = new ResizeObserver(() => chart.setSize({ width: place.clientWidth, height }));
        fit.observe(place);
        return () => {
            fit.disconnect();
            chart.destroy();
        };
    }, [scheme, i18n.locale, names.time, names.started, names.completed, names.failed]);
    // biome-ignore lint/correctness/useExhaustiveDependencies: data is made of the rates
    useEffect(() => plot.current?.setData(data), [rates]);
    return <div ref={host} role="img" aria-label={label} className={classes.chart} />;
}
