import type { ReactNode } from 'react';
import { formatCount } from '../../format/number-format';
import { formatClockTime } from '../../format/time-format';
import { useHasRole } from '../../session/use-session';
import { useTimeView } from '../../time/use-time-view';
import { Card } from '../../ui/card';
import { Page } from '../../ui/page';
import { QueriesBoundary, QueryBoundary } from '../../ui/query-boundaries';
import { Skeleton } from '../../ui/skeleton';
import { StatusBadge } from '../../ui/status-badge';
import { DailyUsageCard, LimitsCard, OwnUsageCard } from './usage-cards';
import { computeUsedPercent } from './usage-days';
import { useEnergy, useGridLimits, useOwnUsage, useUsageSummary } from './usage-queries';
import meter from '../../ui/meter.module.css';
import styles from './usage.module.css';

/** Usage of the assistant and its limits. */
export default function UsageAndLimitsPage() {
  const { isLive } = useTimeView();
  const queries = [useEnergy(), useGridLimits(), useUsageSummary(), useOwnUsage()];
  const mayChange = useHasRole('Owner');
  return (
    <Page
      title="Usage and limits"
      lead={
        isLive
          ? 'Usage of the assistant, and what is left'
          : 'Daily usage covers the selected time range. Limits and remaining amounts are current.'
      }
    >
      <QueriesBoundary
        queries={queries}
        skeleton={
          <div className="stack">
            <Skeleton height="8rem" />
            <Skeleton height="12rem" />
          </div>
        }
      >
        <div className="stack">
          <LimitGauges />
          <DailyUsageCard />
          <OwnUsageCard />
          {mayChange && <LimitsCard />}
        </div>
      </QueriesBoundary>
    </Page>
  );
}

/** Current usage of each limit. */
export function LimitGauges() {
  const energy = useEnergy();
  const limits = useGridLimits();
  return (
    <div className="grid">
      <QueryBoundary query={energy}>
        {({ currentEnergy, maxEnergy, regenerationRate, regenerationIntervalMinutes, nextRegenerationAt }) => (
          <LimitGauge title="Your energy" used={maxEnergy - currentEnergy} limit={maxEnergy} unit="used">
            {formatCount(currentEnergy)} left, shared by all Grids.{' '}
            {currentEnergy < maxEnergy
              ? `+${formatCount(regenerationRate)} every ${formatCount(regenerationIntervalMinutes)} minutes, next at ${formatClockTime(nextRegenerationAt)}.`
              : 'Fully regenerated.'}
          </LimitGauge>
        )}
      </QueryBoundary>
      <QueryBoundary query={limits}>
        {({ dailyPromptsUsed, dailyPromptLimit }) => (
          <LimitGauge title="Your prompts today" used={dailyPromptsUsed} limit={dailyPromptLimit} unit="prompts">
            {dailyPromptLimit === 0 ? 'The assistant is switched off in this Grid.' : 'Counted per user and UTC day.'}
          </LimitGauge>
        )}
      </QueryBoundary>
      <QueryBoundary query={limits}>
        {({ monthlySpeechMinutesUsed, monthlySpeechMinutes }) => (
          <LimitGauge
            title="Speech this month"
            used={monthlySpeechMinutesUsed}
            limit={monthlySpeechMinutes}
            unit="minutes"
          >
            Recognition and synthesis, for the whole Grid. Counted per UTC month.
          </LimitGauge>
        )}
      </QueryBoundary>
      <QueryBoundary query={limits}>
        {({ activeSessions, maxConcurrentSessions }) => (
          <LimitGauge title="Concurrent sessions" used={activeSessions} limit={maxConcurrentSessions} unit="sessions">
            For the whole Grid. Sessions end after 30 minutes of inactivity.
          </LimitGauge>
        )}
      </QueryBoundary>
    </div>
  );
}

interface LimitGaugeProps {
  readonly title: string;
  readonly used: number;
  readonly limit: number;
  /** Unit, such as "prompts". */
  readonly unit: string;
  readonly children: ReactNode;
}

/** Usage of a limit, as a meter and as text. */
export function LimitGauge({ title, used, limit, unit, children }: LimitGaugeProps) {
  const percent = computeUsedPercent(used, limit);
  const level = percent >= 100 ? 'critical' : percent >= 80 ? 'warning' : 'good';
  return (
    <Card
      title={title}
      aside={
        level === 'good' ? undefined : (
          <StatusBadge level={level}>
            {limit === 0 ? 'Switched off' : level === 'critical' ? 'Used up' : 'Almost used up'}
          </StatusBadge>
        )
      }
    >
      <div className={styles.gauge}>
        <p>
          <span className={styles.figure}>{formatCount(used)}</span> of {formatCount(limit)} {unit}
        </p>
        <div
          className={meter.meter}
          data-level={level}
          role="meter"
          aria-label={title}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={Math.round(percent)}
          aria-valuetext={`${formatCount(used)} of ${formatCount(limit)} ${unit}`}
        >
          <span style={{ width: `${percent}%` }} />
        </div>
        <p className={styles.quiet}>{children}</p>
      </div>
    </Card>
  );
}
