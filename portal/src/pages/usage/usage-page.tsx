import { useHasRole } from '../../session/use-session';
import { useTimeView } from '../../time/use-time-view';
import { Page } from '../../ui/page';
import { Skeleton } from '../../ui/skeleton';
import { QueriesBoundary, QueryBoundary } from '../../ui/query-boundaries';
import { DailyUsageCard, LimitsCard, OwnUsageCard } from './usage-cards';
import { useEnergy, useGridLimits, useOwnUsage, useUsageSummary } from './usage-queries';
import { formatClockTime } from '../../format/time-format';
import { formatCount } from '../../format/number-format';
import type { ReactNode } from 'react';
import { Card } from '../../ui/card';
import { StatusBadge } from '../../ui/status-badge';
import { computeUsedPercent } from './usage-days';
import styles from './usage.module.css';

/** What the assistant costs, and how much of it may be used. */
export default function UsageAndLimitsPage() {
  const { isLive } = useTimeView();
  const shown = [useEnergy(), useGridLimits(), useUsageSummary(), useOwnUsage()];
  const mayChange = useHasRole('Owner');
  return (
    <Page
      title="Usage and limits"
      lead={
        isLive
          ? 'What the assistant used, and what is left.'
          : 'Limits and what is left are those of now; the days are those of the chosen time.'
      }
    >
      <QueriesBoundary
        queries={shown}
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

/** What is used and what is left, now. */
export function LimitGauges() {
  const energy = useEnergy();
  const limits = useGridLimits();
  return (
    <div className="grid">
      <QueryBoundary query={energy}>
        {({ currentEnergy, maxEnergy, regenerationRate, regenerationIntervalMinutes, nextRegenerationAt }) => (
          <LimitGauge title="Your energy" used={maxEnergy - currentEnergy} limit={maxEnergy} unit="used">
            {formatCount(currentEnergy)} left in all Grids together.{' '}
            {currentEnergy < maxEnergy
              ? `+${formatCount(regenerationRate)} every ${formatCount(regenerationIntervalMinutes)} minutes, next at ${formatClockTime(nextRegenerationAt)}.`
              : 'It is full.'}
          </LimitGauge>
        )}
      </QueryBoundary>
      <QueryBoundary query={limits}>
        {({ dailyPromptsUsed, dailyPromptLimit }) => (
          <LimitGauge title="Your prompts today" used={dailyPromptsUsed} limit={dailyPromptLimit} unit="prompts">
            {dailyPromptLimit === 0
              ? 'The assistant is switched off in this Grid.'
              : 'Counted by UTC day, for each user.'}
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
            Heard and spoken, by all of the Grid together. Counted by UTC month.
          </LimitGauge>
        )}
      </QueryBoundary>
      <QueryBoundary query={limits}>
        {({ activeSessions, maxConcurrentSessions }) => (
          <LimitGauge title="Sessions at once" used={activeSessions} limit={maxConcurrentSessions} unit="sessions">
            Of all of the Grid together. One ends by itself after 30 idle minutes.
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
  /** What is counted, such as "prompts". */
  readonly unit: string;
  readonly children: ReactNode;
}

/** How much of a limit is used, as a bar and in words. */
export function LimitGauge({ title, used, limit, unit, children }: LimitGaugeProps) {
  const share = computeUsedPercent(used, limit);
  const level = share >= 100 ? 'critical' : share >= 80 ? 'warning' : 'good';
  return (
    <Card
      title={title}
      aside={
        level === 'good' ? undefined : (
          <StatusBadge level={level}>
            {limit === 0 ? 'Switched off' : level === 'critical' ? 'Used up' : 'Nearly used up'}
          </StatusBadge>
        )
      }
    >
      <div className={styles.gauge}>
        <p>
          <span className={styles.figure}>{formatCount(used)}</span> of {formatCount(limit)} {unit}
        </p>
        <div
          className={styles.meter}
          data-level={level}
          role="meter"
          aria-label={title}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={Math.round(share)}
          aria-valuetext={`${formatCount(used)} of ${formatCount(limit)} ${unit}`}
        >
          <span style={{ width: `${share}%` }} />
        </div>
        <p className={styles.quiet}>{children}</p>
      </div>
    </Card>
  );
}
