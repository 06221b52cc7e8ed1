import { type FormEvent, useState } from 'react';
import { formatDateTime, parseDateTimeInput, toDateTimeInput } from '../../format/time-format';
import controls from '../../ui/controls.module.css';
import { BASELINE_OPTIONS, type ComparisonWindows, type TimeRange } from './comparison-windows';
import styles from './compare.module.css';
import { Dialog } from '../../ui/dialog';
import { DateTimeInput } from '../../ui/form-field';

interface BaselinePickerProps {
  readonly windows: ComparisonWindows;
  /** One of AGAINST, `around` or `own`. */
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
  readonly onBaseline: (baseline: TimeRange) => void;
}

/** Says which times are compared, and lets another baseline be chosen; the current time is that of all pages. */
export function BaselinePicker({ windows: { current, baseline }, chosen, onChoose, onBaseline }: BaselinePickerProps) {
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
          {BASELINE_OPTIONS.map(({ id, title }) => (
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
          <dd>{formatTimeRange(current)}</dd>
        </div>
        <div>
          <dt>Before</dt>
          <dd>{formatTimeRange(baseline)}</dd>
        </div>
      </dl>
      {isOpen && <BaselineDialog baseline={baseline} onChoose={onBaseline} onClose={() => setOpen(false)} />}
    </div>
  );
}

const formatTimeRange = ({ from, to }: TimeRange): string => `${formatDateTime(from)} – ${formatDateTime(to)}`;

interface BaselineDialogProps {
  readonly baseline: TimeRange;
  readonly onChoose: (baseline: TimeRange) => void;
  readonly onClose: () => void;
}

/** A baseline of one's own. */
function BaselineDialog({ baseline, onChoose, onClose }: BaselineDialogProps) {
  const [from, setFrom] = useState(toDateTimeInput(baseline.from));
  const [to, setTo] = useState(toDateTimeInput(baseline.to));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const first = parseDateTimeInput(from);
    // The same minute twice is that minute.
    onChoose({ from: first, to: Math.max(parseDateTimeInput(to), first + 60_000) });
    onClose();
  };
  return (
    <Dialog title="Compare with another time" onClose={onClose}>
      <form className={styles.form} onSubmit={submit}>
        <label className={controls.field}>
          From{' '}
          <DateTimeInput
            className={controls.input}
            step={60}
            initial={from.slice(0, 16)}
            max={to.slice(0, 16)}
            onChange={setFrom}
          />
        </label>
        <label className={controls.field}>
          To{' '}
          <DateTimeInput
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
