import { Pause, Play } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { formatClockTime, formatDateTime } from '../../format/time-format';
import { useTimeView } from '../../time/use-time-view';
import { DEFAULT_WINDOW_MS, resolveTimeRange } from '../../time/time-view';
import controls from '../../ui/controls.module.css';
import { computeSliderSteps } from './slider-steps';
import styles from './map.module.css';

interface MapTimeSliderProps {
  readonly moment: number | undefined;
  readonly onMove: (moment: number | undefined) => void;
  /** The map of the moment has not come yet. */
  readonly isWaiting: boolean;
}

/** Moves the map through the hours of the view, without moving the other pages. */
export function MapTimeSlider({ moment, onMove, isWaiting }: MapTimeSliderProps) {
  const { view, change } = useTimeView();
  const [isPlaying, setPlaying] = useState(false);
  const { from, to, stepMs } = computeSliderSteps(resolveTimeRange(view, Date.now()));
  const end = view.kind === 'live' ? 'now' : formatClockTime(resolveTimeRange(view, 0).to);
  const moveTo = (next: number): void => onMove(next > to ? undefined : next);
  const at = moment === undefined ? to + stepMs : Math.min(to, Math.max(from, moment));
  usePlayback(isPlaying && !isWaiting, () => {
    if (at > to) setPlaying(false);
    else moveTo(at + stepMs);
  });
  const play = (): void => {
    if (!isPlaying && at > to) moveTo(from);
    setPlaying(!isPlaying);
  };
  return (
    <div className={styles.slider}>
      <button type="button" className={controls.button} onClick={play}>
        {isPlaying ? <Pause size={15} aria-hidden /> : <Play size={15} aria-hidden />} {isPlaying ? 'Pause' : 'Play'}
      </button>
      <label>
        <span className={styles.when}>
          {moment === undefined ? `Map of ${end}` : `Map as of ${formatDateTime(moment)}`}
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
          aria-valuetext={moment === undefined ? end : formatDateTime(moment)}
        />
      </label>
      {moment !== undefined && (
        <span className={controls.row}>
          <button
            type="button"
            className={controls.button}
            onClick={() => change({ kind: 'past', at: moment, windowMs: DEFAULT_WINDOW_MS })}
          >
            Travel there
          </button>
          <button type="button" className={controls.button} onClick={() => onMove(undefined)}>
            Back to {end}
          </button>
        </span>
      )}
    </div>
  );
}

/** Slow enough to see what has changed. */
const STEP_MS = 1_000;

/** Takes a step now and then while it plays. */
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
