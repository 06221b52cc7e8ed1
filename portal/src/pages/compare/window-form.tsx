import { useState, type FormEvent } from 'react';
import { fromLocalInput, localInput } from '../../format/moments';
import { Dialog } from '../../ui/dialog';
import { MomentInput } from '../../ui/moment-input';
import controls from '../../ui/controls.module.css';
import type { Stretch } from './windows';
import styles from './compare.module.css';

interface WindowFormProps {
  readonly baseline: Stretch;
  readonly onChoose: (baseline: Stretch) => void;
  readonly onClose: () => void;
}

/** A baseline of one's own. */
export function WindowForm({ baseline, onChoose, onClose }: WindowFormProps) {
  const [from, setFrom] = useState(localInput(baseline.from));
  const [to, setTo] = useState(localInput(baseline.to));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const first = fromLocalInput(from);
    // The same minute twice is that minute.
    onChoose({ from: first, to: Math.max(fromLocalInput(to), first + 60_000) });
    onClose();
  };
  return (
    <Dialog title="Compare with another time" onClose={onClose}>
      <form className={styles.form} onSubmit={submit}>
        <label className={controls.field}>
          From{' '}
          <MomentInput
            className={controls.input}
            step={60}
            initial={from.slice(0, 16)}
            max={to.slice(0, 16)}
            onChange={setFrom}
          />
        </label>
        <label className={controls.field}>
          To{' '}
          <MomentInput
            className={controls.input}
            step={60}
            initial={to.slice(0, 16)}
            min={from.slice(0, 16)}
            onChange={setTo}
          />
        </label>
        <button type="submit" className={controls.primary}>
          Compare
        </button>
      </form>
    </Dialog>
  );
}
