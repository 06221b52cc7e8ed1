import { useEffect, useRef, useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import { bytesOf } from '../../api/client';
import { useUsageAnew } from '../usage/use-usage';
import { useConversation } from './use-conversation';

interface Said {
  readonly text: string;
  readonly voice: string | null;
  readonly speed: number;
}

/** Stops what is read aloud now, in whichever answer: one voice at a time. */
let hush = (): void => undefined;

/** Reads a text aloud, and stops. */
export function useListen() {
  const { inSession } = useConversation();
  const usageAnew = useUsageAnew();
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
    mutationFn: (said: Said) =>
      inSession((instance) =>
        bytesOf(`/assistant/speech/${encodeURIComponent(instance)}/synthesize`, {
          method: 'POST',
          body: JSON.stringify(said),
          headers: { 'Content-Type': 'application/json' },
        }),
      ),
    onSuccess: async (sound) => {
      void usageAnew();
      if (hasLeft.current) return;
      hush();
      hush = stop;
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
