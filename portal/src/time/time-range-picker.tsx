import { useState } from 'react';
import { toDateTimeInput, parseDateTimeInput } from '../format/time-format';
import { useLiveState } from '../live/live-diagnostics';
import { Dialog } from '../ui/dialog';
import { DateTimeInput } from '../ui/form-field';
import { useTimeView } from './use-time-view';
import { DEFAULT_WINDOW_MS, resolveTimeRange, TIME_WINDOWS } from './time-view';
import controls from '../ui/controls.module.css';
import styles from './time-range-picker.module.css';

/** The one place where time is chosen: a window that moves with now, a past moment, or a fixed stretch. */
export function TimeRangePicker() {
  const { view, change } = useTimeView();
  const [isOpen, setOpen] = useState(false);
  const windowMs = view.kind === 'range' ? undefined : view.windowMs;
  const choose = (name: string): void => {
    if (name === 'other') return setOpen(true);
    const ms = TIME_WINDOWS.find((each) => each.name === name)?.ms ?? DEFAULT_WINDOW_MS;
    change(view.kind === 'past' ? { ...view, windowMs: ms } : { kind: 'live', windowMs: ms });
  };
  return (
    <div className={styles.picker}>
      <LiveIndicator />
      <select
        aria-label="Time range"
        className={controls.select}
        value={TIME_WINDOWS.find(({ ms }) => ms === windowMs)?.name ?? 'fixed'}
        onChange={(event) => choose(event.target.value)}
      >
        {view.kind === 'range' && <option value="fixed">Fixed range</option>}
        {TIME_WINDOWS.map(({ name, label }) => (
          <option key={name} value={name}>
            {label}
          </option>
        ))}
        <option value="other">Another time …</option>
      </select>
      <button type="button" className={controls.button} onClick={() => setOpen(true)}>
        Time travel
      </button>
      {isOpen && <TimeDialog onClose={() => setOpen(false)} />}
    </div>
  );
}

/** Whether what is shown moves with now, and whether anything is heard. */
function LiveIndicator() {
  const { view } = useTimeView();
  const { connection, silentSince } = useLiveState();
  if (view.kind !== 'live')
    return (
      <span className={styles.still} role="status">
        Still
      </span>
    );
  if (silentSince !== undefined)
    return (
      <span className={styles.silent} role="status">
        No answer
      </span>
    );
  return connection === 'connecting' ? (
    <span className={styles.silent} role="status">
      Connecting
    </span>
  ) : (
    <span className={styles.live} role="status">
      Live
    </span>
  );
}

function TimeDialog({ onClose }: { readonly onClose: () => void }) {
  const { view, change } = useTimeView();
  const { from, to } = resolveTimeRange(view, Date.now());
  // Bounds stay while one types, as the value does.
  const [now] = useState(toDateTimeInput(Date.now()));
  const [at, setAt] = useState(toDateTimeInput(to));
  const [begin, setBegin] = useState(toDateTimeInput(from));
  const [end, setEnd] = useState(toDateTimeInput(to));
  const travel = (): void => {
    change({
      kind: 'past',
      at: parseDateTimeInput(at),
      windowMs: view.kind === 'range' ? DEFAULT_WINDOW_MS : view.windowMs,
    });
    onClose();
  };
  const fix = (): void => {
    const first = parseDateTimeInput(begin);
    // The same second twice is that second.
    change({ kind: 'range', from: first, to: Math.max(parseDateTimeInput(end), first + 1_000) });
    onClose();
  };
  return (
    <Dialog title="Another time" onClose={onClose}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          travel();
        }}
      >
        <h3>As of a past moment</h3>
        <p>Every page shows what was known then.</p>
        <label>
          Moment <DateTimeInput className={controls.input} initial={at} step={1} max={now} onChange={setAt} />
        </label>
        <button type="submit" className={controls.primary}>
          Travel there
        </button>
      </form>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          fix();
        }}
      >
        <h3>A fixed range</h3>
        <label>
          From <DateTimeInput className={controls.input} initial={begin} step={1} max={end} onChange={setBegin} />
        </label>
        <label>
          To <DateTimeInput className={controls.input} initial={end} step={1} min={begin} onChange={setEnd} />
        </label>
        <button type="submit" className={controls.button}>
          Look at this range
        </button>
      </form>
    </Dialog>
  );
}
