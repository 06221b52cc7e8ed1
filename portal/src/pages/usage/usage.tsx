import { useMay } from '../../session/use-session';
import { useView } from '../../time/use-view';
import { Page } from '../../ui/page';
import { DaysCard } from './days-card';
import { Gauges } from './gauges';
import { LimitsCard } from './limits-card';
import { OwnCard } from './own-card';

/** What the assistant costs, and how much of it may be used. */
export default function UsageAndLimitsPage() {
  const { isLive } = useView();
  return (
    <Page title="Usage and limits" lead={isLive ? 'What the assistant used, and what is left.' : 'Limits and what is left are those of now; the days are those of the chosen time.'}>
      <div className="stack">
        <Gauges />
        <DaysCard />
        <OwnCard />
        {useMay('Owner') && <LimitsCard />}
      </div>
    </Page>
  );
}
