import { Pause, Play } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { formatClockTime, formatDateTime } from '../../format/time-format';
import { DEFAULT_WINDOW_MS, resolveTimeRange } from '../../time/time-view';
import { useTimeView } from '../../time/use-time-view';
import { computeSliderSteps } from './slider-steps';
import controls from '../../ui/controls.module.css';
import styles from './map.module.css';

interface MapTimeSliderProps {
  readonly moment: number | undefined;
  readonly onMove: (moment: number | undefined) => void;
  /** The map of the selected moment is still loading. */
  readonly isWaiting: boolean;
}

/** Moves the map through the time view, without changing the view itself. */
export function MapTimeSlider({ moment, onMove, isWaiting }: MapTimeSliderProps) {
  const { view, change } = useTimeView();
  const [isPlaying, setPlaying] = useState(false);
  const { from, to, stepMs } = computeSliderSteps(resolveTimeRange(view, Date.now()));
  const endLabel = view.kind === 'live' ? 'now' : formatClockTime(resolveTimeRange(view, 0).to);
  const moveTo = (next: number): void => onMove(next > to ? undefined : next);
  const at = moment === undefined ? to + stepMs : Math.min(to, Math.max(from, moment));
  usePlayback(isPlaying && !isWaiting, () => {
    if (at > to) setPlaying(false);
    else moveTo(at + stepMs);
  });
  const handlePlay = (): void => {
    if (!isPlaying && at > to) moveTo(from);
    setPlaying(!isPlaying);
  };
  return (
    <div className={styles.slider}>
      <button type="button" className={controls.button} onClick={handlePlay}>
        {isPlaying ? <Pause size={15} aria-hidden /> : <Play size={15} aria-hidden />} {isPlaying ? 'Pause' : 'Play'}
      </button>
      <label>
        <span className={styles.when}>
          {moment === undefined ? `Map: ${endLabel}` : `Map as of ${formatDateTime(moment)}`}
        </span>
        <input
          type="range"
          min={from}
          max={to + stepMs}
          step={stepMs}
          value={at}
          onChange={(event) => {
            setPlaying(false);
            moveTo(Number(event.target.value));
          }}
          aria-valuetext={moment === undefined ? endLabel : formatDateTime(moment)}
        />
      </label>
      {moment !== undefined && (
        <span className={controls.row}>
          <button
            type="button"
            className={controls.button}
            onClick={() => change({ kind: 'past', at: moment, windowMs: DEFAULT_WINDOW_MS })}
          >
            Go to this time
          </button>
          <button type="button" className={controls.button} onClick={() => onMove(undefined)}>
            Back to {endLabel}
          </button>
        </span>
      )}
    </div>
  );
}

/** Playback interval per step. */
const STEP_MS = 1_000;

/** Calls `step` at intervals while playing. */
function usePlayback(isPlaying: boolean, step: () => void): void {
  const latest = useRef(step);
  useEffect(() => {
    latest.current = step;
  });
  useEffect(() => {
    if (!isPlaying) return undefined;
    const timer = setInterval(() => latest.current(), STEP_MS);
    return () => clearInterval(timer);
  }, [isPlaying]);
}
