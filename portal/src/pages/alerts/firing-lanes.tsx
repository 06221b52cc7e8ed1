import { clockText, momentText } from '../../format/moments';
import controls from '../../ui/controls.module.css';
import type { firingsByService, Stretch } from './firings';
import styles from './alerts.module.css';

interface FiringLanesProps {
  readonly lanes: ReturnType<typeof firingsByService>;
  readonly range: Stretch;
  readonly chosen: string | undefined;
  readonly onChoose: (serviceName: string) => void;
}

/** The list below has them all. */
const MOST_LANES = 15;
/** Of the drawing's own width: a short firing is seen, too. */
const LEAST_WIDTH = 4;
const WIDTH = 1_000;

/** A lane a service, with a bar for each firing. Choosing one draws its values. */
export function FiringLanes({ lanes, range, chosen, onChoose }: FiringLanesProps) {
  const across = (at: number): number => ((at - range.from) / (range.to - range.from)) * WIDTH;
  return (
    <div className={styles.lanes}>
      {lanes.slice(0, MOST_LANES).map(({ serviceName, stretches }) => (
        <div key={serviceName} className={styles.lane}>
          <button type="button" className={controls.button} aria-pressed={serviceName === chosen} title={serviceName} onClick={() => onChoose(serviceName)}>{serviceName}</button>
          <svg className={styles.track} viewBox={`0 0 ${WIDTH} 18`} preserveAspectRatio="none" role="img" aria-label={`${serviceName}: ${stretches.map(({ from, to }) => `${momentText(from)} to ${momentText(to)}`).join('; ')}`}>
            {stretches.map(({ from, to }) => <rect key={from} x={Math.min(WIDTH - LEAST_WIDTH, across(from))} y={0} width={Math.max(LEAST_WIDTH, across(to) - across(from))} height={18} />)}
          </svg>
        </div>
      ))}
      <div className={styles.ends}><span>{clockText(range.from)}</span><span>{clockText(range.to)}</span></div>
      {lanes.length > MOST_LANES && <p className={styles.quiet}>And {lanes.length - MOST_LANES} more services, which fired for shorter.</p>}
    </div>
  );
}
