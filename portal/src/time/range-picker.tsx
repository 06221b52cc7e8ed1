import { useState } from 'react';
import { localInput, fromLocalInput } from '../format/moments';
import { Dialog } from '../ui/dialog';
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
      <span className={view.kind === 'live' ? styles.live : styles.still} role="status">{view.kind === 'live' ? 'Live' : 'Still'}</span>
      <select aria-label="Time range" className={controls.select} value={WINDOWS.find(({ ms }) => ms === windowMs)?.name ?? 'fixed'} onChange={(event) => choose(event.target.value)}>
        {view.kind === 'range' && <option value="fixed">Fixed range</option>}
        {WINDOWS.map(({ name, label }) => <option key={name} value={name}>{label}</option>)}
        <option value="other">Another time …</option>
      </select>
      <button type="button" className={controls.button} onClick={() => setOpen(true)}>Time travel</button>
      {isOpen && <TimeDialog onClose={() => setOpen(false)} />}
    </div>
  );
}

function TimeDialog({ onClose }: { readonly onClose: () => void }) {
  const { view, change } = useView();
  const { from, to } = stretchOf(view, Date.now());
  const [at, setAt] = useState(localInput(to));
  const [begin, setBegin] = useState(localInput(from));
  const [end, setEnd] = useState(localInput(to));
  const travel = (): void => {
    change({ kind: 'past', at: fromLocalInput(at), windowMs: view.kind === 'range' ? DEFAULT_WINDOW_MS : view.windowMs });
    onClose();
  };
  const fix = (): void => {
    change({ kind: 'range', from: fromLocalInput(begin), to: fromLocalInput(end) });
    onClose();
  };
  return (
    <Dialog title="Another time" onClose={onClose}>
      <form className={styles.form} onSubmit={(event) => { event.preventDefault(); travel(); }}>
        <h3>As of a past moment</h3>
        <p>Every page shows what was known then.</p>
        <label>Moment <input type="datetime-local" step={1} required value={at} max={localInput(Date.now())} onChange={(event) => setAt(event.target.value)} /></label>
        <button type="submit" className={controls.primary}>Travel there</button>
      </form>
      <form className={styles.form} onSubmit={(event) => { event.preventDefault(); fix(); }}>
        <h3>A fixed range</h3>
        <label>From <input type="datetime-local" step={1} required value={begin} max={end} onChange={(event) => setBegin(event.target.value)} /></label>
        <label>To <input type="datetime-local" step={1} required value={end} min={begin} onChange={(event) => setEnd(event.target.value)} /></label>
        <button type="submit" className={controls.button}>Look at this range</button>
      </form>
    </Dialog>
  );
}
