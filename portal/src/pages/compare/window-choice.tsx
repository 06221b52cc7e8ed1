import { useState } from 'react';
import { momentText } from '../../format/moments';
import controls from '../../ui/controls.module.css';
import { WindowForm } from './window-form';
import { AGAINST, type Stretch, type Windows } from './windows';
import styles from './compare.module.css';

interface WindowChoiceProps {
  readonly windows: Windows;
  /** One of AGAINST, `around` or `own`. */
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
  readonly onBaseline: (baseline: Stretch) => void;
}

/** Says which times are compared, and lets another baseline be chosen; the current time is that of all pages. */
export function WindowChoice({ windows: { current, baseline }, chosen, onChoose, onBaseline }: WindowChoiceProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className={styles.choice}>
      <label className={controls.field}>
        Compare with
        <select
          className={controls.select}
          value={chosen}
          onChange={(event) => (event.target.value === 'other' ? setOpen(true) : onChoose(event.target.value))}
        >
          {chosen === 'around' && <option value="around">before and after a moment</option>}
          {chosen === 'own' && <option value="own">a time of my own</option>}
          {AGAINST.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
          <option value="other">another time …</option>
        </select>
      </label>
      <dl className={styles.windows}>
        <div>
          <dt>Current</dt>
          <dd>{stretchText(current)}</dd>
        </div>
        <div>
          <dt>Before</dt>
          <dd>{stretchText(baseline)}</dd>
        </div>
      </dl>
      {isOpen && <WindowForm baseline={baseline} onChoose={onBaseline} onClose={() => setOpen(false)} />}
    </div>
  );
}

const stretchText = ({ from, to }: Stretch): string => `${momentText(from)} – ${momentText(to)}`;
