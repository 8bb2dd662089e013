import { CopyMenu } from "@/components/CopyMenu";
import { ErrorView } from "@/components/ErrorView";
import { Loading } from "@/components/Loading";
import { Page } from "@/components/Page";
import { useWords } from "@/words";
import { useHasRuns, useLeftAlone, useOverview } from "./data";
import { FirstStart } from "./FirstStart";
import { Health } from "./Health";
import classes from "./HomePage.module.css";
import { Rates } from "./Rates";
import { Targets } from "./Targets";
import { Tiles } from "./Tiles";
import { homeWords } from "./words";

/** How it goes: what waits, what fails, and whether the service is well. */
export function HomePage() {
    const t = useWords(homeWords);
    const overview = useOverview();
    const ran = useHasRuns();
    const alone = useLeftAlone();
    const data = overview.data;
    return (
        <Page
            title={t("title")}
            actions={<CopyMenu curl="/v1/overview" cli="doctor" sql="select * from pawl.figures" />}
        >
            <div className={classes.home}>
                {overview.isError && <ErrorView error={overview.error} retry={overview.refetch} />}
                {overview.isPending && <Loading />}
                {ran.data === false && <FirstStart />}
                {data && <Tiles overview={data} alone={alone.length} />}
                {ran.data === true && <Rates />}
                {data && data.targets.length + alone.length > 0 && (
                    <Targets targets={data.targets} alone={alone} />
                )}
                {data?.service && <Health service={data.service} />}
            </div>
        </Page>
    );
}
