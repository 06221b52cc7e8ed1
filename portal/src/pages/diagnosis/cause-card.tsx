import type { Schemas } from '../../api/client';
import { CulpritLink } from '../../diagnostics/culprit-link';
import { Severity } from '../../diagnostics/severity';
import { countText } from '../../format/quantities';
import { momentText } from '../../format/moments';
import { MomentLink } from '../../time/moment-link';
import { Card } from '../../ui/card';
import { AffectedPath } from './affected-path-view';
import { CauseLinks } from './cause-links';
import { SampleTraces } from './sample-traces';
import styles from './diagnosis.module.css';

type Diagnosis = Schemas['Diagnosis'];

const KINDS: Readonly<Record<Diagnosis['kind'], string>> = {
  latency: 'Slow by itself',
  errors: 'Fails',
  network: 'Network',
  saturation: 'Short of resources',
  deployment: 'New version',
  traffic: 'More traffic',
  dependency: 'Dependency',
  inconclusive: 'Inconclusive',
};

/** One possible cause: what, since when, how sure, and why it is thought so. */
export function CauseCard({ diagnosis, rank }: { readonly diagnosis: Diagnosis; readonly rank: number }) {
  const { cause, confidence, severity, evidence, firstDetected, impactedTraceCount, serviceName, kind } = diagnosis;
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
        <Severity severity={severity} />
        <Confidence confidence={confidence} />
        <span>{KINDS[kind]}</span>
        {serviceName !== null && <CulpritLink name={serviceName} />}
        <span title={momentText(firstDetected)}>
          since <MomentLink at={firstDetected} /> (<MomentLink at={firstDetected} ago />)
        </span>
        <span>
          {countText(impactedTraceCount)} trace{impactedTraceCount === 1 ? '' : 's'} harmed
        </span>
      </p>
      <AffectedPath diagnosis={diagnosis} />
      <h3>Evidence</h3>
      <ul className={styles.evidence}>
        {evidence.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <SampleTraces traceIds={diagnosis.sampleTraceIds} />
      <CauseLinks diagnosis={diagnosis} />
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
      {percent} % sure
    </span>
  );
}
