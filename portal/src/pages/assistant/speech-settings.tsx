import { Field } from '../../ui/field';
import { Status } from '../../ui/status';
import controls from '../../ui/controls.module.css';
import { SPEEDS, useSpeechChoice, useVoices } from './use-voices';

/** Which voice reads, and how fast; or why none does. */
export function SpeechSettings() {
  const voices = useVoices();
  const { voice, speed, choose } = useSpeechChoice();
  if (voices.error !== null)
    return (
      <p>
        <Status level="unknown">No speech</Status> {voices.error.message}
      </p>
    );
  if (voices.data === undefined) return null;
  const known = voices.data.voices;
  return (
    <div className={controls.row}>
      <Field label="Voice">
        {(told) => (
          <select
            {...told}
            className={controls.select}
            value={voice ?? known[0]?.name}
            onChange={(event) => choose({ voice: event.target.value }, true)}
          >
            {known.map(({ name, language }) => (
              <option key={name} value={name}>
                {name} ({language})
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label="Speed">
        {(told) => (
          <select
            {...told}
            className={controls.select}
            value={String(speed)}
            onChange={(event) => choose({ speed: event.target.value }, true)}
          >
            {SPEEDS.map((each) => (
              <option key={each} value={each}>
                {each} ×
              </option>
            ))}
          </select>
        )}
      </Field>
    </div>
  );
}
