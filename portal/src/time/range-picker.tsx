import { useState } from 'react';
import { localInput, fromLocalInput } from '../format/moments';
import { useLive } from '../live/live-stream';
import { Dialog } from '../ui/dialog';
import { MomentInput } from '../ui/moment-input';
import { useView } from './use-view';
import { DEFAULT_WINDOW_MS, stretchOf, WINDOWS } from './view';
import controls from '../ui/controls.module.css';
import styles from './range-picker.module.css';

/** The one place where time is chosen: a window that moves with now, a past moment, or a fixed stretch. */
export function RangePicker() {
  const { view, change } = useView();
  const [isOpen, setOpen] = useState(false);
  const windowMs = view.kind === 'range' ? undefined : view.windowMs;
  const choose = (name: string): void => {
    if (name === 'other') return setOpen(true);
    const ms = WINDOWS.find((each) => each.name === name)?.ms ?? DEFAULT_WINDOW_MS;
    change(view.kind === 'past' ? { ...view, windowMs: ms } : { kind: 'live', windowMs: ms });
  };
  return (
    <div className={styles.picker}>
      <Pulse />
      <select
        aria-label="Time range"
        className={controls.select}
        value={WINDOWS.find(({ ms }) => ms === windowMs)?.name ?? 'fixed'}
        onChange={(event) => choose(event.target.value)}
      >
        {view.kind === 'range' && <option value="fixed">Fixed range</option>}
        {WINDOWS.map(({ name, label }) => (
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
function Pulse() {
  const { view } = useView();
  const { connection, silentSince } = useLive();
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
  const { view, change } = useView();
  const { from, to } = stretchOf(view, Date.now());
  // Bounds stay while one types, as the value does.
  const [now] = useState(localInput(Date.now()));
  const [at, setAt] = useState(localInput(to));
  const [begin, setBegin] = useState(localInput(from));
  const [end, setEnd] = useState(localInput(to));
  const travel = (): void => {
    change({
      kind: 'past',
      at: fromLocalInput(at),
      windowMs: view.kind === 'range' ? DEFAULT_WINDOW_MS : view.windowMs,
    });
    onClose();
  };
  const fix = (): void => {
    const first = fromLocalInput(begin);
    // The same second twice is that second.
    change({ kind: 'range', from: first, to: Math.max(fromLocalInput(end), first + 1_000) });
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
          Moment <MomentInput className={controls.input} initial={at} step={1} max={now} onChange={setAt} />
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
          From <MomentInput className={controls.input} initial={begin} step={1} max={end} onChange={setBegin} />
        </label>
        <label>
          To <MomentInput className={controls.input} initial={end} step={1} min={begin} onChange={setEnd} />
        </label>
        <button type="submit" className={controls.button}>
          Look at this range
        </button>
      </form>
    </Dialog>
  );
}
