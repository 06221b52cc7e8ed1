import { useMutation, useQuery } from '@tanstack/react-query';
import { Square, Volume2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { api, fetchBlob, unwrapResponse } from '../../api/api-client';
import { ApiError } from '../../api/api-error';
import { useUrlParameters } from '../../time/use-url-parameters';
import { FormField } from '../../ui/form-field';
import { StatusBadge } from '../../ui/status-badge';
import { useInvalidateUsage } from '../usage/usage-queries';
import { toErrorMessage, useConversation } from './use-conversation';
import controls from '../../ui/controls.module.css';

/** Reads an answer aloud with the selected voice and speed. Not rendered if the service has no speech engine. */
export function ReadAloudButton({ text }: { readonly text: string }) {
  const { listen, stop, isPlaying, isPending, error } = useReadAloud();
  const { voice, speed } = useSpeechSettings();
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
        <span className={controls.error} role="alert">
          {error instanceof ApiError ? toErrorMessage(error) : error.message}
        </span>
      )}
    </>
  );
}

/** Selects voice and speed, or says why speech is not available. */
export function SpeechSettings() {
  const voices = useVoices();
  const { voice, speed, choose } = useSpeechSettings();
  if (voices.error !== null)
    return (
      <p>
        <StatusBadge level="unknown">Speech is not available</StatusBadge> {voices.error.message}
      </p>
    );
  if (voices.data === undefined) return null;
  const known = voices.data.voices;
  return (
    <div className={controls.row}>
      <FormField label="Voice">
        {(controlProps) => (
          <select
            {...controlProps}
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
      </FormField>
      <FormField label="Speed">
        {(controlProps) => (
          <select
            {...controlProps}
            className={controls.select}
            value={String(speed)}
            onChange={(event) => choose({ speed: event.target.value }, true)}
          >
            {SPEECH_SPEEDS.map((each) => (
              <option key={each} value={each}>
                {each} ×
              </option>
            ))}
          </select>
        )}
      </FormField>
    </div>
  );
}

interface SpeechRequest {
  readonly text: string;
  readonly voice: string | null;
  readonly speed: number;
}

/** Stops the current playback of any answer: only one plays at a time. */
let stopCurrentPlayback = (): void => undefined;

/** Synthesizes and plays a text. */
function useReadAloud() {
  const { inSession } = useConversation();
  const invalidateUsage = useInvalidateUsage();
  const [isPlaying, setPlaying] = useState(false);
  const playing = useRef<{ readonly audio: HTMLAudioElement; readonly address: string }>(undefined);
  const isUnmounted = useRef(false);
  const stop = (): void => {
    playing.current?.audio.pause();
    if (playing.current !== undefined) URL.revokeObjectURL(playing.current.address);
    playing.current = undefined;
    setPlaying(false);
  };
  // Leaving the page stops playback and discards a pending synthesis.
  useEffect(() => {
    isUnmounted.current = false;
    return () => {
      isUnmounted.current = true;
      stop();
    };
  }, []);
  const synthesis = useMutation({
    mutationFn: (request: SpeechRequest) =>
      inSession((instance) =>
        fetchBlob(`/assistant/speech/${encodeURIComponent(instance)}/synthesize`, {
          method: 'POST',
          body: JSON.stringify(request),
          headers: { 'Content-Type': 'application/json' },
        }),
      ),
    onSuccess: async (sound) => {
      void invalidateUsage();
      if (isUnmounted.current) return;
      stopCurrentPlayback();
      stopCurrentPlayback = stop;
      const address = URL.createObjectURL(sound);
      const audio = new Audio(address);
      playing.current = { audio, address };
      audio.onended = stop;
      setPlaying(true);
      await audio.play().catch((error: unknown) => {
        // Playback that was stopped before it started is not an error.
        if (playing.current?.audio !== audio) return;
        stop();
        throw error;
      });
    },
  });
  return { listen: synthesis.mutate, stop, isPlaying, isPending: synthesis.isPending, error: synthesis.error };
}

const SPEECH_SPEEDS = ['0.75', '1', '1.25', '1.5', '2'] as const;

/** Available voices. Fails without a speech engine, with a message that says what the operator has to install. */
export function useVoices() {
  return useQuery({
    queryKey: ['voices'],
    queryFn: ({ signal }) => unwrapResponse(api.GET('/assistant/voices', { signal })),
    staleTime: Infinity,
    retry: false,
  });
}

/** Voice (null for the first one) and speed, kept in the URL. */
function useSpeechSettings() {
  const [parameters, change] = useUrlParameters();
  const speed = SPEECH_SPEEDS.find((each) => each === parameters.get('speed')) ?? '1';
  return { voice: parameters.get('voice'), speed: Number(speed), choose: change };
}
