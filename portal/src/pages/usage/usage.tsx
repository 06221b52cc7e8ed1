import { useMay } from '../../session/use-session';
import { useView } from '../../time/use-view';
import { Page } from '../../ui/page';
import { Skeleton } from '../../ui/skeleton';
import { Together } from '../../ui/together';
import { DaysCard } from './days-card';
import { Gauges } from './gauges';
import { LimitsCard } from './limits-card';
import { OwnCard } from './own-card';
import { useEnergy, useLimits, useOwnUsage, useUsageSummary } from './use-usage';

/** What the assistant costs, and how much of it may be used. */
export default function UsageAndLimitsPage() {
  const { isLive } = useView();
  const shown = [useEnergy(), useLimits(), useUsageSummary(), useOwnUsage()];
  const mayChange = useMay('Owner');
  return (
    <Page
      title="Usage and limits"
      lead={
        isLive
          ? 'What the assistant used, and what is left.'
          : 'Limits and what is left are those of now; the days are those of the chosen time.'
      }
    >
      <Together
        queries={shown}
        skeleton={
          <div className="stack">
            <Skeleton height="8rem" />
            <Skeleton height="12rem" />
          </div>
        }
      >
        <div className="stack">
          <Gauges />
          <DaysCard />
          <OwnCard />
          {mayChange && <LimitsCard />}
        </div>
      </Together>
    </Page>
  );
}
