import { useHasRole } from '../../session/use-session';
import { useUrlParameters } from '../../time/use-url-parameters';
import { Page } from '../../ui/page';
import { Tabs } from '../../ui/tabs';
import { AlertRulesTab } from './alert-rules-tab';
import { useDiagnostic } from '../../api/use-diagnostic';
import { Card } from '../../ui/card';
import { EmptyState } from '../../ui/page-states';
import { QueryBoundary } from '../../ui/query-boundaries';
import { Skeleton } from '../../ui/skeleton';
import { Link } from 'react-router';
import type { Schemas } from '../../api/api-client';
import { type PageParameters, usePageLinks } from '../../app/page-links';
import { DataTable } from '../../components/data-table';
import { ServiceLink } from '../../components/service-links';
import { SeverityBadge } from '../../components/severity-badges';
import { createUnitFormatter } from '../../format/number-format';
import { TimeTravelLink } from '../../time/time-travel-link';
import { useTimeView } from '../../time/use-time-view';
import { resolveTimeRange } from '../../time/time-view';
import { rangeAround } from '../../time/time-range';
import { parseCondition } from './alert-rule-model';
import styles from './alerts.module.css';

const TABS = [
  { id: 'alerts', title: 'Alerts' },
  { id: 'rules', title: 'Rules' },
];

/** What fires, and by which rules; Members change them, and try them over past data. */
export default function AlertsPage() {
  const [parameters, change] = useUrlParameters();
  const mayChange = useHasRole('Member');
  const tab = mayChange && (parameters.get('tab') === 'rules' || parameters.has('rule')) ? 'rules' : 'alerts';
  return (
    <Page title="Alerts" lead="What fires, and what watches.">
      {mayChange ? (
        <Tabs
          label="Alerts"
          tabs={TABS}
          chosen={tab}
          onChoose={(id) => change({ tab: id === 'alerts' ? undefined : id, rule: undefined })}
        >
          {tab === 'rules' ? <AlertRulesTab /> : <AlertLists />}
        </Tabs>
      ) : (
        <AlertLists />
      )}
    </Page>
  );
}

/** What fires, and what fired within the view and is over. */
export function AlertLists() {
  const alerts = useDiagnostic('alerts');
  return (
    <QueryBoundary query={alerts} skeleton={<Skeleton lines={6} />}>
      {({ alerts: all }) => {
        const [open, over] = [
          all.filter(({ status }) => status === 'firing'),
          all.filter(({ status }) => status === 'resolved'),
        ];
        if (all.length === 0)
          return (
            <EmptyState title="Nothing fired in this time">
              Rules watch every service. Choose a longer time above to see what fired before.
            </EmptyState>
          );
        return (
          <div className="stack">
            <Card title={`Open (${open.length})`}>
              <div aria-live="polite">
                {open.length === 0 ? <p>None fires.</p> : <AlertTable label="Open alerts" alerts={open} />}
              </div>
            </Card>
            {over.length > 0 && (
              <Card title={`Over (${over.length})`}>
                <AlertTable label="Alerts that are over" alerts={over} />
              </Card>
            )}
          </div>
        );
      }}
    </QueryBoundary>
  );
}

const MINUTE_MS = 60_000;
type Alert = Schemas['Alert'];

/** Alerts, and from each the way to what was behind it. */
export function AlertTable({ label, alerts }: { readonly label: string; readonly alerts: readonly Alert[] }) {
  return (
    <DataTable
      label={label}
      rows={alerts}
      getRowKey={({ id }) => id}
      columns={[
        { title: 'Severity', cell: ({ severity }) => <SeverityBadge severity={severity} /> },
        { title: 'Service', cell: ({ serviceName }) => <ServiceLink name={serviceName} /> },
        {
          title: 'Rule',
          cell: ({ ruleName, condition }) => (
            <>
              {ruleName}
              <div className={styles.condition}>{describeAlertCondition(condition)}</div>
            </>
          ),
        },
        {
          title: 'Value then',
          isNumber: true,
          cell: ({ condition, currentValue }) => createConditionFormatter(condition)(currentValue),
        },
        { title: 'Since', cell: ({ triggeredAt }) => <TimeTravelLink at={triggeredAt} ago /> },
        { title: 'Look at', cell: (alert) => <InvestigationLinks alert={alert} /> },
      ]}
    />
  );
}

const createConditionFormatter = (condition: string): ((value: number) => string) =>
  createUnitFormatter(parseCondition(condition)?.watched.unit ?? '');

/** Such as "Latency, p95 > 2 s". */
function describeAlertCondition(condition: string): string {
  const known = parseCondition(condition);
  return known === undefined
    ? condition
    : `${known.watched.title} ${known.operator} ${createConditionFormatter(condition)(known.threshold)}`;
}

/** The stretch around the firing, in which its cause is to be found. */
function InvestigationLinks({ alert: { serviceName, triggeredAt, condition } }: { readonly alert: Alert }) {
  const links = usePageLinks();
  const { view } = useTimeView();
  const then = {
    kind: 'range' as const,
    ...rangeAround(Date.parse(triggeredAt), 10 * MINUTE_MS, 10 * MINUTE_MS, resolveTimeRange(view, Date.now()).to),
  };
  const bad = chooseTraceLink(condition);
  return (
    <>
      <Link to={links.page('diagnosis', {}, then)} aria-label={`Diagnosis when ${serviceName} fired`}>
        Diagnosis
      </Link>
      {' · '}
      <Link
        to={links.page('traces', { service: serviceName, ...bad.asked }, then)}
        aria-label={`${bad.title} of ${serviceName} when it fired`}
      >
        {bad.title}
      </Link>
      {' · '}
      <Link to={links.page('logs', { service: serviceName }, then)} aria-label={`Logs of ${serviceName} when it fired`}>
        Logs
      </Link>
    </>
  );
}

/** The traces to look at: slow ones where the rule watches how long requests take, or else those that failed. */
function chooseTraceLink(condition: string): { readonly title: string; readonly asked: PageParameters } {
  const known = parseCondition(condition);
  if (known?.watched.metric.startsWith('latency') !== true || !known.operator.startsWith('>'))
    return { title: 'Failed traces', asked: { status: 'ERROR' } };
  return { title: 'Slow traces', asked: { min: String(Math.floor(known.threshold)) } };
}
