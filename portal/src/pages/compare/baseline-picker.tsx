import { type FormEvent, useState } from 'react';
import { formatDateTime, parseDateTimeInput, toDateTimeInput } from '../../format/time-format';
import { Dialog } from '../../ui/dialog';
import { DateTimeInput } from '../../ui/form-field';
import { BASELINE_OPTIONS, type ComparisonWindows, type TimeRange } from './comparison-windows';
import controls from '../../ui/controls.module.css';
import styles from './compare.module.css';

interface BaselinePickerProps {
  readonly windows: ComparisonWindows;
  /** ID of one of BASELINE_OPTIONS, `around` or `own`. */
  readonly selected: string;
  readonly onSelect: (id: string) => void;
  readonly onBaseline: (baseline: TimeRange) => void;
}

/** Shows the compared time ranges and selects the baseline. The current range is the time view of all pages. */
export function BaselinePicker({
  windows: { current, baseline },
  selected,
  onSelect,
  onBaseline,
}: BaselinePickerProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className={styles.choice}>
      <label className={controls.field}>
        Compare with
        <select
          className={controls.select}
          value={selected}
          onChange={(event) => (event.target.value === 'other' ? setOpen(true) : onSelect(event.target.value))}
        >
          {selected === 'around' && <option value="around">before and after a change</option>}
          {selected === 'own' && <option value="own">custom time range</option>}
          {BASELINE_OPTIONS.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
          <option value="other">custom time range …</option>
        </select>
      </label>
      <dl className={styles.windows}>
        <div>
          <dt>Current</dt>
          <dd>{formatTimeRange(current)}</dd>
        </div>
        <div>
          <dt>Baseline</dt>
          <dd>{formatTimeRange(baseline)}</dd>
        </div>
      </dl>
      {isOpen && <BaselineDialog baseline={baseline} onSelect={onBaseline} onClose={() => setOpen(false)} />}
    </div>
  );
}

const formatTimeRange = ({ from, to }: TimeRange): string => `${formatDateTime(from)} – ${formatDateTime(to)}`;

interface BaselineDialogProps {
  readonly baseline: TimeRange;
  readonly onSelect: (baseline: TimeRange) => void;
  readonly onClose: () => void;
}

/** Selects a custom baseline. */
function BaselineDialog({ baseline, onSelect, onClose }: BaselineDialogProps) {
  const [from, setFrom] = useState(toDateTimeInput(baseline.from));
  const [to, setTo] = useState(toDateTimeInput(baseline.to));
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    const first = parseDateTimeInput(from);
    // A baseline is at least one minute long.
    onSelect({ from: first, to: Math.max(parseDateTimeInput(to), first + 60_000) });
    onClose();
  };
  return (
    <Dialog title="Compare with a custom time range" onClose={onClose}>
      <form className={styles.form} onSubmit={handleSubmit}>
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
