import { useState, type FormEvent } from 'react';
import { fromLocalInput, localInput } from '../../format/moments';
import { Dialog } from '../../ui/dialog';
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
    onChoose({ from: fromLocalInput(from), to: fromLocalInput(to) });
    onClose();
  };
  return (
    <Dialog title="Compare with another time" onClose={onClose}>
      <form className={styles.form} onSubmit={submit}>
        <label className={controls.field}>From <input className={controls.input} type="datetime-local" step={60} required value={from.slice(0, 16)} max={to.slice(0, 16)} onChange={(event) => setFrom(event.target.value)} /></label>
        <label className={controls.field}>To <input className={controls.input} type="datetime-local" step={60} required value={to.slice(0, 16)} min={from.slice(0, 16)} onChange={(event) => setTo(event.target.value)} /></label>
        <button type="submit" className={controls.primary}>Compare</button>
      </form>
    </Dialog>
  );
}
