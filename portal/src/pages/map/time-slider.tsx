import { Pause, Play } from 'lucide-react';
import { useState } from 'react';
import { clockText, momentText } from '../../format/moments';
import { useView } from '../../time/use-view';
import { DEFAULT_WINDOW_MS, stretchOf } from '../../time/view';
import controls from '../../ui/controls.module.css';
import { stepsOf } from './steps';
import { usePlaying } from './use-playing';
import styles from './map.module.css';

interface TimeSliderProps {
  readonly moment: number | undefined;
  readonly onMove: (moment: number | undefined) => void;
  /** The map of the moment has not come yet. */
  readonly isWaiting: boolean;
}

/** Moves the map through the hours of the view, without moving the other pages. */
export function TimeSlider({ moment, onMove, isWaiting }: TimeSliderProps) {
  const { view, change } = useView();
  const [isPlaying, setPlaying] = useState(false);
  const { from, to, stepMs } = stepsOf(stretchOf(view, Date.now()));
  const end = view.kind === 'live' ? 'now' : clockText(stretchOf(view, 0).to);
  const moveTo = (next: number): void => onMove(next > to ? undefined : next);
  const at = moment === undefined ? to + stepMs : Math.min(to, Math.max(from, moment));
  usePlaying(isPlaying && !isWaiting, () => {
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
          {moment === undefined ? `Map of ${end}` : `Map as of ${momentText(moment)}`}
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
          aria-valuetext={moment === undefined ? end : momentText(moment)}
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
