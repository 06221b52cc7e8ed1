import { describeZone, setClock } from '../format/time-zone';
import { useClock } from '../format/use-clock';
import controls from '../ui/controls.module.css';

/** Names the zone of all times on the page, and switches between that of the browser and UTC. */
export function ClockToggle() {
  const clock = useClock();
  const zone = describeZone(Date.now());
  const other = clock === 'utc' ? 'local time' : 'UTC';
  return (
    <button
      type="button"
      className={controls.button}
      onClick={() => setClock(clock === 'utc' ? 'local' : 'utc')}
      title={`All times are ${clock === 'utc' ? 'UTC' : `local time (${zone})`}. Switch to ${other}`}
      aria-label={`Times are in ${zone}. Switch to ${other}`}
    >
      {zone}
    </button>
  );
}
