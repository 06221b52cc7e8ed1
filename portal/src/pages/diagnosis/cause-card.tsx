import { ArrowRight, GitCompareArrows, History, Network, Rewind, ScrollText, Waypoints } from 'lucide-react';
import { Fragment } from 'react';
import { Link, useLocation } from 'react-router';
import type { Schemas } from '../../api/api-client';
import { useDiagnostic } from '../../api/use-diagnostic';
import { usePageLinks } from '../../app/page-links';
import { RootCauseLink, useIsKnownService } from '../../components/service-links';
import { SampleTraces } from '../../components/sample-traces';
import { SeverityBadge } from '../../components/severity-badges';
import { formatCount } from '../../format/number-format';
import { formatDateTime, localizeTimes } from '../../format/time-format';
import { rangeAround } from '../../time/time-range';
import { TimeTravelLink } from '../../time/time-travel-link';
import { DEFAULT_WINDOW_MS, resolveTimeRange, withTimeView } from '../../time/time-view';
import { useTimeView } from '../../time/use-time-view';
import { Card } from '../../ui/card';
import { computeAffectedPath } from './affected-path';
import controls from '../../ui/controls.module.css';
import styles from './diagnosis.module.css';

type Diagnosis = Schemas['Diagnosis'];

const CAUSE_KINDS: Readonly<Record<Diagnosis['kind'], string>> = {
  latency: 'High latency',
  errors: 'Errors',
  network: 'Network',
  saturation: 'Resource saturation',
  deployment: 'Deployment',
  traffic: 'Traffic increase',
  dependency: 'Dependency',
  inconclusive: 'Inconclusive',
};

/** A possible root cause with its onset, confidence, evidence and affected services. */
export function CauseCard({ diagnosis, rank }: { readonly diagnosis: Diagnosis; readonly rank: number }) {
  const { cause, confidence, severity, evidence, firstDetected, impactedTraceCount, serviceName, kind, recoveredAt } =
    diagnosis;
  return (
    <Card
      title={
        <>
          {rank}. {cause}
        </>
      }
      className={styles[severity]}
    >
      <p className={styles.facts}>
        <SeverityBadge severity={severity} />
        <Confidence confidence={confidence} />
        <span>{CAUSE_KINDS[kind]}</span>
        {serviceName !== null && <RootCauseLink name={serviceName} />}
        {recoveredAt === undefined ? (
          <span title={formatDateTime(firstDetected)}>
            since <TimeTravelLink at={firstDetected} /> (<TimeTravelLink at={firstDetected} ago />)
          </span>
        ) : (
          <span>
            from <TimeTravelLink at={firstDetected} /> to <TimeTravelLink at={recoveredAt} />
          </span>
        )}
        {impactedTraceCount > 0 && (
          <span>
            {formatCount(impactedTraceCount)} affected trace{impactedTraceCount === 1 ? '' : 's'}
          </span>
        )}
      </p>
      <AffectedPathView diagnosis={diagnosis} />
      <h3>Evidence</h3>
      <ul className={styles.evidence}>
        {evidence.map((sentence) => (
          <li key={sentence}>{localizeTimes(sentence, firstDetected)}</li>
        ))}
      </ul>
      <SampleTraces traceIds={diagnosis.sampleTraceIds} />
      <InvestigationLinks diagnosis={diagnosis} />
    </Card>
  );
}

function Confidence({ confidence }: { readonly confidence: number }) {
  const percent = Math.round(confidence * 100);
  return (
    <span className={styles.confidence}>
      <span className={styles.meter} aria-hidden>
        <span style={{ width: `${percent}%` }} />
      </span>
      {percent} % confidence
    </span>
  );
}

const MINUTE_MS = 60_000;

/** Links to the data around the onset. */
function InvestigationLinks({
  diagnosis: { serviceName, affectedServices, firstDetected, kind },
}: {
  readonly diagnosis: Schemas['Diagnosis'];
}) {
  const links = usePageLinks();
  const { view } = useTimeView();
  const { pathname } = useLocation();
  const onset = Date.parse(firstDetected);
  const { to } = resolveTimeRange(view, Date.now());
  const aroundOnset = { kind: 'range', ...rangeAround(onset, 5 * MINUTE_MS, 15 * MINUTE_MS, to) } as const;
  const beforeOnset = { kind: 'range', ...rangeAround(onset, 60 * MINUTE_MS, 10 * MINUTE_MS, to) } as const;
  // A dependency without telemetry of its own is investigated through an affected service.
  const service = [...(serviceName === null ? [] : [serviceName]), ...affectedServices].find(useIsKnownService());
  const before = withTimeView(new URLSearchParams(), {
    kind: 'past',
    at: onset - MINUTE_MS,
    windowMs: DEFAULT_WINDOW_MS,
  }).toString();
  return (
    <div className={controls.row}>
      <Link
        className={controls.button}
        to={links.page('traces', { service, status: kind === 'errors' ? 'ERROR' : undefined }, aroundOnset)}
      >
        <Waypoints size={14} aria-hidden /> Traces at onset
      </Link>
      <Link className={controls.button} to={links.page('logs', { service }, aroundOnset)}>
        <ScrollText size={14} aria-hidden /> Logs at onset
      </Link>
      <Link className={controls.button} to={links.page('changes', { service }, beforeOnset)}>
        <History size={14} aria-hidden /> Changes around onset
      </Link>
      <Link className={controls.button} to={links.page('compare', { around: firstDetected })}>
        <GitCompareArrows size={14} aria-hidden /> Compare before and after
      </Link>
      <Link className={controls.button} to={`${pathname}?${before}`}>
        <Rewind size={14} aria-hidden /> Go to just before onset
      </Link>
    </div>
  );
}

/** Call paths from affected services to the root cause, with a link to the map. */
function AffectedPathView({
  diagnosis: { serviceName, affectedServices },
}: {
  readonly diagnosis: Schemas['Diagnosis'];
}) {
  const { data } = useDiagnostic('services');
  const links = usePageLinks();
  const columns = computeAffectedPath(serviceName, affectedServices, data?.edges ?? []);
  if (columns.length === 0) return null;
  return (
    <div className={styles.path} role="group" aria-label="Affected path, from callers to the cause">
      {columns.map((names, index) => (
        <Fragment key={names.join(' ')}>
          {index > 0 && <ArrowRight size={18} aria-label="calls" className={styles.arrow} />}
          <ul className={styles.column}>
            {names.map((name) => (
              <li key={name} className={name === serviceName ? styles.rootCause : styles.affected}>
                <RootCauseLink name={name} />
                {name === serviceName && <span>root cause</span>}
              </li>
            ))}
          </ul>
        </Fragment>
      ))}
      {serviceName !== null && (
        <Link className={`${controls.button} ${styles.map}`} to={links.page('map', { cause: serviceName })}>
          <Network size={14} aria-hidden /> Show path on map
        </Link>
      )}
    </div>
  );
}
