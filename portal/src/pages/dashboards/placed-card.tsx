import {
  ArrowDown,
  ArrowLeft,
  ArrowRight,
  ArrowUp,
  GripVertical,
  Maximize2,
  Minimize2,
  MoveVertical,
  Shrink,
  Trash2,
  type LucideIcon,
} from 'lucide-react';
import controls from '../../ui/controls.module.css';
import type { Step } from './placed';
import type { DraftChart } from './use-draft';
import styles from './board.module.css';

interface PlacedCardProps {
  readonly chart: DraftChart;
  /** Class by which it is dragged. */
  readonly handle: string;
  readonly fault: string | undefined;
  readonly onStep: (step: Step) => void;
  readonly onRemove: () => void;
}

const STEPS: readonly { readonly step: Step; readonly words: string; readonly icon: LucideIcon }[] = [
  { step: 'left', words: 'Move left', icon: ArrowLeft },
  { step: 'right', words: 'Move right', icon: ArrowRight },
  { step: 'up', words: 'Move up', icon: ArrowUp },
  { step: 'down', words: 'Move down', icon: ArrowDown },
  { step: 'narrower', words: 'Narrower', icon: Minimize2 },
  { step: 'wider', words: 'Wider', icon: Maximize2 },
  { step: 'lower', words: 'Lower', icon: Shrink },
  { step: 'taller', words: 'Taller', icon: MoveVertical },
];

/** A chart while its dashboard is arranged: its place counts, not its values. */
export function PlacedCard({
  chart: {
    title,
    position: { row, col, width, height },
  },
  handle,
  fault,
  onStep,
  onRemove,
}: PlacedCardProps) {
  return (
    <section className={styles.placed} aria-label={title}>
      <header className={`${styles.handle} ${handle}`}>
        <GripVertical size={15} aria-hidden />
        <h3 title={title}>{title}</h3>
        <button
          type="button"
          className={controls.icon}
          aria-label={`Take ${title} off the dashboard`}
          title="Take off the dashboard"
          onClick={onRemove}
        >
          <Trash2 size={14} aria-hidden />
        </button>
      </header>
      <div className={styles.steps}>
        {STEPS.map(({ step, words, icon: Icon }) => (
          <button
            key={step}
            type="button"
            className={controls.icon}
            aria-label={`${words}: ${title}`}
            title={words}
            onClick={() => onStep(step)}
          >
            <Icon size={14} aria-hidden />
          </button>
        ))}
      </div>
      <p className={styles.quiet} aria-live="polite">
        Row {row + 1}, column {col + 1}, {width} wide, {height} tall
      </p>
      {fault !== undefined && (
        <p className={controls.fault} role="alert">
          {fault}
        </p>
      )}
    </section>
  );
}
