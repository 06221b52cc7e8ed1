import { Link } from 'react-router';
import type { Schemas } from '../../api/client';
import { useLinks } from '../../app/use-links';
import { Assessment, changeText } from '../../diagnostics/change-words';
import { ServiceLink } from '../../diagnostics/service-link';
import { EventKind } from '../../diagnostics/timeline-list';
import { MomentLink } from '../../time/moment-link';
import { around } from '../../time/stretches';
import { useView } from '../../time/use-view';
import { stretchOf } from '../../time/view';
import controls from '../../ui/controls.module.css';
import styles from './changes.module.css';

const MINUTE_MS = 60_000;

/** One change: what, what came of it, and the ways to look closer. */
export function ChangeRow({ change }: { readonly change: Schemas['Change'] }) {
  const { type, serviceName, detectedAt, currentVersion, performanceImpact } = change;
  return (
    <li className={styles.row}>
      <span className={styles.when}>
        <MomentLink at={detectedAt} />
      </span>
      <EventKind type={type} />
      <div className={styles.what}>
        <p>
          <ServiceLink name={serviceName} /> <span>{changeText(change)}</span>
        </p>
        <p className={styles.quiet}>
          p95 {performanceImpact.latencyChange}, errors {performanceImpact.errorRateChange}
        </p>
      </div>
      <Assessment change={change} />
      <Ways at={Date.parse(detectedAt)} service={serviceName} version={currentVersion} detectedAt={detectedAt} />
    </li>
  );
}

interface WaysProps {
  readonly at: number;
  readonly detectedAt: string;
  readonly service: string;
  readonly version: string | undefined;
}

function Ways({ at, detectedAt, service, version }: WaysProps) {
  const links = useLinks();
  const { view } = useView();
  const after = { kind: 'range', ...around(at, 0, 30 * MINUTE_MS, stretchOf(view, Date.now()).to) } as const;
  return (
    <span className={styles.ways}>
      <Link
        className={controls.button}
        to={links.page('traces', { service, tag: version ? `service.version=${version}` : undefined }, after)}
      >
        {version ? 'Traces of the version' : 'Traces after'}
      </Link>
      <Link className={controls.button} to={links.page('compare', { around: detectedAt })}>
        Before and after
      </Link>
    </span>
  );
}
