import { useMutation } from '@tanstack/react-query';
import { Mic } from 'lucide-react';
import { useState, type KeyboardEvent } from 'react';
import { bytesOf, type Schemas } from '../../api/client';
import { percentText } from '../../format/quantities';
import { useUsageAnew } from '../usage/use-usage';
import controls from '../../ui/controls.module.css';
import { faultOf, useConversation } from './use-conversation';
import { useRecorder } from './use-recorder';
import styles from './assistant.module.css';

/** Speak while the button, or the space bar on it, is held. What was understood is told before it is sent. */
export function PushToTalk({ onUnderstood }: { readonly onUnderstood: (text: string) => void }) {
  const [told, setTold] = useState('');
  const recognition = useRecognition();
  const recorded = (wav: Blob): void =>
    recognition.mutate(wav, {
      onSuccess: ({ text, confidence }) => {
        if (text !== '') onUnderstood(text);
        setTold(
          text === ''
            ? 'Nothing was understood. Speak a little longer, nearer to the microphone.'
            : `Understood, ${percentText(Math.round(confidence * 100))} sure. Look at it, then send.`,
        );
      },
      onError: (error) => setTold(faultOf(error)),
    });
  const { start, stop, level } = useRecorder(recorded, setTold);
  const isHolding = (event: KeyboardEvent): boolean => event.key === ' ' || event.key === 'Enter';
  const press = (event: KeyboardEvent): void => {
    if (!isHolding(event)) return;
    event.preventDefault();
    if (!event.repeat) void start();
  };
  return (
    <>
      <button
        type="button"
        className={`${controls.button} ${styles.push}`}
        aria-pressed={level !== undefined}
        disabled={recognition.isPending}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          void start();
        }}
        onPointerUp={stop}
        onPointerCancel={stop}
        onKeyDown={press}
        onKeyUp={(event) => {
          if (isHolding(event)) stop();
        }}
        onBlur={stop}
      >
        <Mic size={14} aria-hidden />{' '}
        {level !== undefined ? 'Listening …' : recognition.isPending ? 'Understanding …' : 'Hold to talk'}
      </button>
      {level !== undefined && (
        <div className={styles.level} aria-hidden>
          <span style={{ transform: `scaleX(${level})` }} />
        </div>
      )}
      <span className={styles.quiet} role="status">
        {told}
      </span>
    </>
  );
}

function useRecognition() {
  const { inSession } = useConversation();
  const usageAnew = useUsageAnew();
  return useMutation({
    mutationFn: (wav: Blob) =>
      inSession(async (instance) => {
        const body = new FormData();
        body.append('audio', wav, 'question.wav');
        const answer = await bytesOf(`/assistant/speech/${encodeURIComponent(instance)}/recognize`, {
          method: 'POST',
          body,
        });
        return JSON.parse(await answer.text()) as Schemas['Transcript'];
      }),
    onSettled: usageAnew,
  });
}
