import { Square, Volume2 } from 'lucide-react';
import { ApiError } from '../../api/api-error';
import controls from '../../ui/controls.module.css';
import { toErrorMessage, useConversation } from './use-conversation';
import { FormField } from '../../ui/form-field';
import { StatusBadge } from '../../ui/status-badge';
import { useEffect, useRef, useState } from 'react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { api, fetchBlob, unwrapResponse } from '../../api/api-client';
import { useInvalidateUsage } from '../usage/usage-queries';
import { useUrlParameters } from '../../time/use-url-parameters';

/** Reads an answer aloud, with the voice and speed that were chosen. */
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
        <span className={controls.fault} role="alert">
          {error instanceof ApiError ? toErrorMessage(error) : error.message}
        </span>
      )}
    </>
  );
}

/** Which voice reads, and how fast; or why none does. */
export function SpeechSettings() {
  const voices = useVoices();
  const { voice, speed, choose } = useSpeechSettings();
  if (voices.error !== null)
    return (
      <p>
        <StatusBadge level="unknown">No speech</StatusBadge> {voices.error.message}
      </p>
    );
  if (voices.data === undefined) return null;
  const known = voices.data.voices;
  return (
    <div className={controls.row}>
      <FormField label="Voice">
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
      </FormField>
      <FormField label="Speed">
        {(told) => (
          <select
            {...told}
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

/** Stops what is read aloud now, in whichever answer: one voice at a time. */
let stopCurrentPlayback = (): void => undefined;

/** Reads a text aloud, and stops. */
function useReadAloud() {
  const { inSession } = useConversation();
  const usageAnew = useInvalidateUsage();
  const [isPlaying, setPlaying] = useState(false);
  const playing = useRef<{ readonly audio: HTMLAudioElement; readonly address: string }>(undefined);
  const hasLeft = useRef(false);
  const stop = (): void => {
    playing.current?.audio.pause();
    if (playing.current !== undefined) URL.revokeObjectURL(playing.current.address);
    playing.current = undefined;
    setPlaying(false);
  };
  // Whoever leaves the page wants to hear nothing more, nor what is still being prepared.
  useEffect(() => {
    hasLeft.current = false;
    return () => {
      hasLeft.current = true;
      stop();
    };
  }, []);
  const synthesis = useMutation({
    mutationFn: (said: SpeechRequest) =>
      inSession((instance) =>
        fetchBlob(`/assistant/speech/${encodeURIComponent(instance)}/synthesize`, {
          method: 'POST',
          body: JSON.stringify(said),
          headers: { 'Content-Type': 'application/json' },
        }),
      ),
    onSuccess: async (sound) => {
      void usageAnew();
      if (hasLeft.current) return;
      stopCurrentPlayback();
      stopCurrentPlayback = stop;
      const address = URL.createObjectURL(sound);
      const audio = new Audio(address);
      playing.current = { audio, address };
      audio.onended = stop;
      setPlaying(true);
      await audio.play().catch((error: unknown) => {
        // Stopped before it began, it is no fault.
        if (playing.current?.audio !== audio) return;
        stop();
        throw error;
      });
    },
  });
  return { listen: synthesis.mutate, stop, isPlaying, isPending: synthesis.isPending, error: synthesis.error };
}

const SPEECH_SPEEDS = ['0.75', '1', '1.25', '1.5', '2'] as const;

/** Without an engine for speech this is an error that says what its operator has to install. */
export function useVoices() {
  return useQuery({
    queryKey: ['voices'],
    queryFn: ({ signal }) => unwrapResponse(api.GET('/assistant/voices', { signal })),
    staleTime: Infinity,
    retry: false,
  });
}

/** How answers are read; null is the first voice. */
function useSpeechSettings() {
  const [parameters, change] = useUrlParameters();
  const speed = SPEECH_SPEEDS.find((each) => each === parameters.get('speed')) ?? '1';
  return { voice: parameters.get('voice'), speed: Number(speed), choose: change };
}
