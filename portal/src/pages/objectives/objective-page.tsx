import { useParams } from 'react-router';
import { TimeChart } from '../../charts/time-chart';
import { formatExactCount, formatPercent } from '../../format/number-format';
import { formatDateTime } from '../../format/time-format';
import type { Schemas } from '../../api/api-client';
import { Card } from '../../ui/card';
import { Page } from '../../ui/page';
import { QueryBoundary } from '../../ui/query-boundaries';
import { Skeleton } from '../../ui/skeleton';
import { StatusBadge } from '../../ui/status-badge';
import { BudgetBar, BurnRates } from './budget-bar';
import { ObjectiveActions } from './objective-actions';
import { ReportCard } from './report-card';
import { useObjectiveDetail } from './objective-queries';
import { describeIndicator, describeStatus, describeTarget, formatShare } from './objective-text';
import styles from './objectives.module.css';

const HOUR_MS = 3_600_000;
type Detail = Schemas['SloDetail'];

/** One objective, with its error budget over the window. */
export default function ObjectivePage() {
  const { sloId = '' } = useParams();
  const detail = useObjectiveDetail(sloId);
  return (
    <QueryBoundary query={detail} skeleton={<Skeleton height="12rem" />}>
      {(objective) => (
        <Page
          title={objective.name}
          lead={`${describeTarget(objective)}: ${describeIndicator(objective)}`}
          actions={<ObjectiveActions objective={objective} onEdited={() => void detail.refetch()} />}
        >
          <div className="stack">
            <div className="grid">
              <SummaryCard objective={objective} />
              <Card title="Burn rates">
                <BurnRates objective={objective} />
                <p className={styles.quiet}>
                  {objective.alert === null
                    ? 'No alert condition holds.'
                    : `An alert condition holds: ${objective.alert.condition}.`}
                </p>
              </Card>
            </div>
            <HistoryCard objective={objective} />
            <ReportCard sloId={objective.id} />
          </div>
        </Page>
      )}
    </QueryBoundary>
  );
}

function SummaryCard({ objective }: { readonly objective: Detail }) {
  const { label, level } = describeStatus(objective);
  const { good, total, excluded, excludesMaintenance, sli, coveredFrom, errorBudget } = objective;
  return (
    <Card title="Error budget" aside={<StatusBadge level={level}>{label}</StatusBadge>}>
      <BudgetBar objective={objective} />
      <p>
        {formatShare(sli)} good: {formatExactCount(good)} of {formatExactCount(total)} events.{' '}
        {formatExactCount(errorBudget.consumed)} bad, {formatExactCount(errorBudget.total)} allowed.
      </p>
      {excludesMaintenance && (
        <p className={styles.quiet}>Left out as planned maintenance: {formatExactCount(excluded)} events.</p>
      )}
      {coveredFrom !== null && <p className={styles.quiet}>Events since {formatDateTime(coveredFrom)}</p>}
    </Card>
  );
}

function HistoryCard({ objective: { hours, coveredFrom, to, name } }: { readonly objective: Detail }) {
  if (coveredFrom === null) return null;
  const points = fillHours(hours, Date.parse(coveredFrom), Date.parse(to));
  return (
    <>
      <Card title="Error budget left">
        <TimeChart
          label={`Error budget of ${name} over its window`}
          kind="area"
          format={formatPercent}
          series={[{ name: 'Left', points: points.map(({ at, left }) => ({ at, value: left })) }]}
        />
      </Card>
      <Card title="Bad events">
        <TimeChart
          label={`Bad events of ${name} by hour`}
          kind="bar"
          format={formatExactCount}
          series={[{ name: 'Bad', colour: '--critical', points: points.map(({ at, bad }) => ({ at, value: bad })) }]}
        />
      </Card>
    </>
  );
}

/** A point for each hour: hours without events keep the budget of the hour before. */
function fillHours(hours: Detail['hours'], fromMs: number, toMs: number) {
  const known = new Map(hours.map((hour) => [Date.parse(hour.time), hour]));
  let left = 100;
  const points: { readonly at: number; readonly left: number; readonly bad: number }[] = [];
  for (let at = fromMs; at < toMs; at += HOUR_MS) {
    const hour = known.get(at);
    left = hour?.remainingPercent ?? left;
    points.push({ at, left, bad: hour === undefined ? 0 : hour.total - hour.good });
  }
  return points;
}
