import { Square, Volume2 } from 'lucide-react';
import { ApiError } from '../../api/problem';
import controls from '../../ui/controls.module.css';
import { faultOf } from './use-conversation';
import { useListen } from './use-listen';
import { useSpeechChoice, useVoices } from './use-voices';

/** Reads an answer aloud, with the voice and speed that were chosen. */
export function ListenButton({ text }: { readonly text: string }) {
  const { listen, stop, isPlaying, isPending, error } = useListen();
  const { voice, speed } = useSpeechChoice();
  if (useVoices().data === undefined) return null;
  return (
    <>
      {isPlaying ? (
        <button type="button" className={controls.button} onClick={stop}>
          <Square size={14} aria-hidden /> Stop
        </button>
      ) : (
        <button
          type="button"
          className={controls.button}
          disabled={isPending}
          onClick={() => listen({ text, voice, speed })}
        >
          <Volume2 size={14} aria-hidden /> {isPending ? 'Preparing …' : 'Listen'}
        </button>
      )}
      {error !== null && (
        <span className={controls.fault} role="alert">
          {error instanceof ApiError ? faultOf(error) : error.message}
        </span>
      )}
    </>
  );
}
