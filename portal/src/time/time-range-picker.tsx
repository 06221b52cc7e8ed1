import { useState } from 'react';
import { toDateTimeInput, parseDateTimeInput } from '../format/time-format';
import { useLiveState } from '../live/live-diagnostics';
import { Dialog } from '../ui/dialog';
import { DateTimeInput } from '../ui/form-field';
import { DEFAULT_WINDOW_MS, resolveTimeRange, TIME_WINDOWS } from './time-view';
import { useTimeView } from './use-time-view';
import controls from '../ui/controls.module.css';
import styles from './time-range-picker.module.css';

/** Selects the time view of all pages: a live window, a past moment, or a fixed range. */
export function TimeRangePicker() {
  const { view, change } = useTimeView();
  const [isOpen, setOpen] = useState(false);
  const windowMs = view.kind === 'range' ? undefined : view.windowMs;
  const handleChange = (name: string): void => {
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
        onChange={(event) => handleChange(event.target.value)}
      >
        {view.kind === 'range' && <option value="fixed">Fixed range</option>}
        {TIME_WINDOWS.map(({ name, label }) => (
          <option key={name} value={name}>
            {label}
          </option>
        ))}
        <option value="other">Custom time …</option>
      </select>
      <button type="button" className={controls.button} onClick={() => setOpen(true)}>
        Time travel
      </button>
      {isOpen && <TimeDialog onClose={() => setOpen(false)} />}
    </div>
  );
}

/** Whether the view is live, and whether the connection to the service works. */
function LiveIndicator() {
  const { view } = useTimeView();
  const { connection, unreachableSince } = useLiveState();
  if (view.kind !== 'live')
    return (
      <span className={styles.notLive} role="status">
        Not live
      </span>
    );
  if (unreachableSince !== undefined)
    return (
      <span className={styles.offline} role="status">
        Offline
      </span>
    );
  return connection === 'connecting' ? (
    <span className={styles.offline} role="status">
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
  // Fixed while the dialog is open, so that the inputs' bounds do not change during typing.
  const [now] = useState(toDateTimeInput(Date.now()));
  const [at, setAt] = useState(toDateTimeInput(to));
  const [start, setStart] = useState(toDateTimeInput(from));
  const [end, setEnd] = useState(toDateTimeInput(to));
  const handleTravel = (): void => {
    change({
      kind: 'past',
      at: parseDateTimeInput(at),
      windowMs: view.kind === 'range' ? DEFAULT_WINDOW_MS : view.windowMs,
    });
    onClose();
  };
  const handleFixRange = (): void => {
    const first = parseDateTimeInput(start);
    // A range is at least one second long.
    change({ kind: 'range', from: first, to: Math.max(parseDateTimeInput(end), first + 1_000) });
    onClose();
  };
  return (
    <Dialog title="Custom time" onClose={onClose}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          handleTravel();
        }}
      >
        <h3>Point in time</h3>
        <p>Every page shows the data as it was known then.</p>
        <label>
          Date and time <DateTimeInput className={controls.input} initial={at} step={1} max={now} onChange={setAt} />
        </label>
        <button type="submit" className={controls.primary}>
          Go to this time
        </button>
      </form>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          handleFixRange();
        }}
      >
        <h3>Fixed range</h3>
        <label>
          From <DateTimeInput className={controls.input} initial={start} step={1} max={end} onChange={setStart} />
        </label>
        <label>
          To <DateTimeInput className={controls.input} initial={end} step={1} min={start} onChange={setEnd} />
        </label>
        <button type="submit" className={controls.button}>
          Show this range
        </button>
      </form>
    </Dialog>
  );
}
