import { Link } from 'react-router';
import type { Schemas } from '../../api/api-client';
import { useDiagnostic } from '../../api/use-diagnostic';
import { type PageParameters, usePageLinks } from '../../app/page-links';
import { type Column, DataTable } from '../../components/data-table';
import { AlertSubject } from '../../components/alert-subject';
import { SeverityBadge } from '../../components/severity-badges';
import { useHasRole } from '../../session/use-session';
import { rangeAround } from '../../time/time-range';
import { TimeTravelLink } from '../../time/time-travel-link';
import { resolveTimeRange } from '../../time/time-view';
import { useTimeView } from '../../time/use-time-view';
import { useUrlParameters } from '../../time/use-url-parameters';
import { Card } from '../../ui/card';
import { Page } from '../../ui/page';
import { EmptyState } from '../../ui/page-states';
import { QueryBoundary } from '../../ui/query-boundaries';
import { Skeleton } from '../../ui/skeleton';
import { Tabs } from '../../ui/tabs';
import { AlertActions } from './alert-actions';
import { createConditionFormatter, describeAlertCondition } from './alert-condition';
import { describeSubject, parseCondition } from './alert-rule-model';
import { AlertRulesTab } from './alert-rules-tab';
import styles from './alerts.module.css';

const TABS = [
  { id: 'alerts', title: 'Alerts' },
  { id: 'rules', title: 'Rules' },
];

/** Alerts, and for Members their rules. */
export default function AlertsPage() {
  const [parameters, change] = useUrlParameters();
  const mayChange = useHasRole('Member');
  const tab = mayChange && (parameters.get('tab') === 'rules' || parameters.has('rule')) ? 'rules' : 'alerts';
  return (
    <Page title="Alerts" lead="Firing alerts and their rules">
      {mayChange ? (
        <Tabs
          label="Alerts"
          tabs={TABS}
          selected={tab}
          onSelect={(id) => change({ tab: id === 'alerts' ? undefined : id, rule: undefined })}
        >
          {tab === 'rules' ? <AlertRulesTab /> : <AlertLists />}
        </Tabs>
      ) : (
        <AlertLists />
      )}
    </Page>
  );
}

/** Open alerts, and those of the view that have been resolved. */
export function AlertLists() {
  const alerts = useDiagnostic('alerts');
  return (
    <QueryBoundary query={alerts} skeleton={<Skeleton lines={6} />}>
      {({ alerts: all }) => {
        const [open, resolved] = [
          all.filter(({ status }) => status === 'firing'),
          all.filter(({ status }) => status === 'resolved'),
        ];
        if (all.length === 0)
          return (
            <EmptyState title="No alerts in this time range">
              {' '}
              Choose a longer time range to see earlier alerts.
            </EmptyState>
          );
        return (
          <div className="stack">
            <Card title={`Open (${open.length})`}>
              <div aria-live="polite">
                {open.length === 0 ? <p>No open alerts.</p> : <OpenAlertTable alerts={open} />}
              </div>
            </Card>
            {resolved.length > 0 && (
              <Card title={`Resolved (${resolved.length})`}>
                <AlertTable label="Resolved alerts" alerts={resolved} />
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

/** Open alerts with what the user may do about them, which is about now and not about an earlier moment. */
function OpenAlertTable({ alerts }: { readonly alerts: readonly Alert[] }) {
  const { view } = useTimeView();
  const actions =
    view.kind === 'live' ? { title: 'Actions', cell: (alert: Alert) => <AlertActions alert={alert} /> } : undefined;
  return <AlertTable label="Open alerts" alerts={alerts} actions={actions} />;
}

interface AlertTableProps {
  readonly label: string;
  readonly alerts: readonly Alert[];
  readonly actions?: Column<Alert> | undefined;
}

/** Alerts with links to investigate them. */
function AlertTable({ label, alerts, actions }: AlertTableProps) {
  return (
    <DataTable
      label={label}
      rows={alerts}
      getRowKey={({ id }) => id}
      columns={[
        { title: 'Severity', cell: ({ severity }) => <SeverityBadge severity={severity} /> },
        { title: 'Service', cell: (alert) => <AlertSubject subject={alert} /> },
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
          title: 'Value',
          isNumber: true,
          cell: ({ condition, currentValue }) => createConditionFormatter(condition)(currentValue),
        },
        { title: 'Fired', cell: ({ triggeredAt }) => <TimeTravelLink at={triggeredAt} ago /> },
        { title: 'Investigate', cell: (alert) => <InvestigationLinks alert={alert} /> },
        ...(actions === undefined ? [] : [actions]),
      ]}
    />
  );
}

/** Links to the time around the alert, where its cause is likely to be found. */
function InvestigationLinks({ alert }: { readonly alert: Alert }) {
  const { serviceName, triggeredAt, condition } = alert;
  const subject = describeSubject(alert);
  const links = usePageLinks();
  const { view } = useTimeView();
  const range = {
    kind: 'range' as const,
    ...rangeAround(Date.parse(triggeredAt), 10 * MINUTE_MS, 10 * MINUTE_MS, resolveTimeRange(view, Date.now()).to),
  };
  const traces = chooseTraceLink(condition);
  return (
    <>
      <Link to={links.page('diagnosis', {}, range)} aria-label={`Diagnosis of ${subject} when the alert fired`}>
        Diagnosis
      </Link>
      {' · '}
      <Link
        to={links.page('traces', { service: serviceName, ...traces.parameters }, range)}
        aria-label={`${traces.title} of ${subject} when the alert fired`}
      >
        {traces.title}
      </Link>
      {' · '}
      <Link
        to={links.page('logs', { service: serviceName }, range)}
        aria-label={`Logs of ${subject} when the alert fired`}
      >
        Logs
      </Link>
    </>
  );
}

/** Chooses slow traces for latency rules, and failed traces for all others. */
function chooseTraceLink(condition: string): { readonly title: string; readonly parameters: PageParameters } {
  const parsed = parseCondition(condition);
  if (parsed?.watchedMetric.metric.startsWith('latency') !== true || !parsed.operator.startsWith('>'))
    return { title: 'Failed traces', parameters: { status: 'ERROR' } };
  return { title: 'Slow traces', parameters: { min: String(Math.floor(parsed.threshold)) } };
}
