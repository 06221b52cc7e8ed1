import { axisWriter, momentText } from '../../format/moments';
import controls from '../../ui/controls.module.css';
import type { Lane, Stretch } from './firings';
import styles from './alerts.module.css';

interface FiringLanesProps {
  readonly lanes: readonly Lane[];
  readonly range: Stretch;
  readonly chosen: string | undefined;
  readonly onChoose: (serviceName: string) => void;
}

const spokenOf =
  (verb: string) =>
  ({ from, to }: Stretch): string =>
    `${verb} from ${momentText(from)} to ${momentText(to)}`;

/** The list below has them all. */
const MOST_LANES = 15;
/** Of the drawing's own width: a short firing is seen, too. */
const LEAST_WIDTH = 4;
const WIDTH = 1_000;

/** A lane a service, with a bar for each firing, and a frame for each alert that would have been missed. Choosing one draws its values. */
export function FiringLanes({ lanes, range, chosen, onChoose }: FiringLanesProps) {
  const across = (at: number): number => ((at - range.from) / (range.to - range.from)) * WIDTH;
  const placeOf = ({ from, to }: Stretch) => ({
    x: Math.min(WIDTH - LEAST_WIDTH, across(from)),
    width: Math.max(LEAST_WIDTH, across(to) - across(from)),
  });
  const write = axisWriter(range.to - range.from);
  return (
    <div className={styles.lanes}>
      {lanes.slice(0, MOST_LANES).map(({ serviceName, fired, missed }) => (
        <div key={serviceName} className={styles.lane}>
          <button
            type="button"
            className={controls.button}
            aria-pressed={serviceName === chosen}
            title={serviceName}
            onClick={() => onChoose(serviceName)}
          >
            {serviceName}
          </button>
          <svg
            className={styles.track}
            viewBox={`0 0 ${WIDTH} 18`}
            preserveAspectRatio="none"
            role="img"
            aria-label={`${serviceName}: ${[...fired.map(spokenOf('fires')), ...missed.map(spokenOf('misses an alert'))].join('; ')}`}
          >
            {fired.map((stretch) => (
              <rect key={stretch.from} {...placeOf(stretch)} y={0} height={18} />
            ))}
            {missed.map((stretch) => (
              <rect key={`missed ${stretch.from}`} className={styles.missed} {...placeOf(stretch)} y={1} height={16} />
            ))}
          </svg>
        </div>
      ))}
      <div className={styles.ends}>
        <span>{write(range.from)}</span>
        <span>{write(range.to)}</span>
      </div>
      {lanes.some(({ missed }) => missed.length > 0) && (
        <p className={styles.quiet}>Filled: it would have fired. Framed: an alert fired, and it would not have.</p>
      )}
      {lanes.length > MOST_LANES && (
        <p className={styles.quiet}>And {lanes.length - MOST_LANES} more services, which fired for shorter.</p>
      )}
    </div>
  );
}
