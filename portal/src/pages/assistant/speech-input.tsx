import { useMutation } from '@tanstack/react-query';
import { Mic } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { fetchBlob, type Schemas } from '../../api/api-client';
import { formatPercent } from '../../format/number-format';
import { useInvalidateUsage } from '../usage/usage-queries';
import { toErrorMessage, useConversation } from './use-conversation';
import { computeSoundLevel, encodeWav, SAMPLE_RATE } from './wav-encoder';
import controls from '../../ui/controls.module.css';
import styles from './assistant.module.css';

/** Records while the button is held by pointer or keyboard, and adds the recognized text to the question, to be checked before sending. */
export function PushToTalkButton({ onRecognized }: { readonly onRecognized: (text: string) => void }) {
  const [message, setMessage] = useState('');
  const recognition = useSpeechRecognition();
  const handleRecorded = (wav: Blob): void =>
    recognition.mutate(wav, {
      onSuccess: ({ text, confidence }) => {
        if (text !== '') onRecognized(text);
        setMessage(
          text === ''
            ? 'No speech was recognized. Speak longer and closer to the microphone.'
            : `Recognized with ${formatPercent(Math.round(confidence * 100))} confidence. Check the text, then send it.`,
        );
      },
      onError: (error) => setMessage(toErrorMessage(error)),
    });
  const { start, stop, level } = useWavRecorder(handleRecorded, setMessage);
  const isHolding = (event: KeyboardEvent): boolean => event.key === ' ' || event.key === 'Enter';
  const handleKeyDown = (event: KeyboardEvent): void => {
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
        onKeyDown={handleKeyDown}
        onKeyUp={(event) => {
          if (isHolding(event)) stop();
        }}
        onBlur={stop}
      >
        <Mic size={14} aria-hidden />{' '}
        {level !== undefined ? 'Listening …' : recognition.isPending ? 'Recognizing …' : 'Hold to talk'}
      </button>
      {level !== undefined && (
        <div className={styles.level} aria-hidden>
          <span style={{ transform: `scaleX(${level})` }} />
        </div>
      )}
      <span className={styles.quiet} role="status">
        {message}
      </span>
    </>
  );
}

function useSpeechRecognition() {
  const { inSession } = useConversation();
  const invalidateUsage = useInvalidateUsage();
  return useMutation({
    mutationFn: (wav: Blob) =>
      inSession(async (instance) => {
        const body = new FormData();
        body.append('audio', wav, 'question.wav');
        const response = await fetchBlob(`/assistant/speech/${encodeURIComponent(instance)}/recognize`, {
          method: 'POST',
          body,
        });
        return JSON.parse(await response.text()) as Schemas['Transcript'];
      }),
    onSettled: invalidateUsage,
  });
}

/** The service accepts at most 1 MB, slightly more than this duration (ms) at the recording's sample rate. */
const MAX_RECORDING_MS = 30_000;

interface Recording {
  readonly recorder: MediaRecorder;
  /** Stops the recording and discards it. */
  readonly discard: () => void;
}

/** Records while a button is held. Converts the recording to WAV, since the service does not accept the formats that browsers record. */
function useWavRecorder(onRecorded: (wav: Blob) => void, onMessage: (message: string) => void) {
  const [level, setLevel] = useState<number>();
  const recording = useRef<Recording>(undefined);
  const isHeld = useRef(false);
  const stop = (): void => {
    isHeld.current = false;
    if (recording.current?.recorder.state === 'recording') recording.current.recorder.stop();
  };
  useEffect(
    () => () => {
      isHeld.current = false;
      recording.current?.discard();
    },
    [],
  );

  const start = async (): Promise<void> => {
    if (isHeld.current) return;
    isHeld.current = true;
    onMessage('');
    try {
      const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
      // The button was released while the browser asked for permission.
      if (!isHeld.current) {
        stream.getTracks().forEach((track) => track.stop());
        return onMessage('The microphone is ready. Hold the button while you speak.');
      }
      recording.current = startRecording(stream, setLevel, async (recorded) => {
        recording.current = undefined;
        setLevel(undefined);
        try {
          onRecorded(await convertToWav(recorded));
        } catch {
          onMessage('Nothing was recorded. Hold the button while you speak.');
        }
      });
    } catch (error) {
      isHeld.current = false;
      onMessage(describeMicrophoneError(error));
    }
  };
  return { start, stop, level };
}

function startRecording(
  stream: MediaStream,
  onLevel: (level: number) => void,
  onEnd: (recorded: Blob) => Promise<void>,
): Recording {
  const [recorder, context, parts] = [new MediaRecorder(stream), new AudioContext(), [] as Blob[]];
  const analyser = context.createAnalyser();
  context.createMediaStreamSource(stream).connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  const limit = setTimeout(() => recorder.stop(), MAX_RECORDING_MS);
  const timer = setInterval(() => {
    analyser.getFloatTimeDomainData(samples);
    onLevel(computeSoundLevel(samples));
  }, 80);
  const close = (): void => {
    clearTimeout(limit);
    clearInterval(timer);
    stream.getTracks().forEach((track) => track.stop());
    if (context.state !== 'closed') void context.close();
  };
  recorder.ondataavailable = ({ data }) => parts.push(data);
  recorder.onstop = () => {
    close();
    void onEnd(new Blob(parts));
  };
  recorder.start();
  onLevel(0);
  const drop = (): void => {
    recorder.onstop = null;
    close();
  };
  return { recorder, discard: drop };
}

/** Mono, at the sample rate of speech recognition. Rejects if the recording contains no audio. */
async function convertToWav(recorded: Blob): Promise<Blob> {
  const reader = new OfflineAudioContext(1, 1, SAMPLE_RATE);
  const sound = await reader.decodeAudioData(await recorded.arrayBuffer());
  const mixer = new OfflineAudioContext(1, Math.max(1, Math.ceil(sound.duration * SAMPLE_RATE)), SAMPLE_RATE);
  const source = new AudioBufferSourceNode(mixer, { buffer: sound });
  source.connect(mixer.destination);
  source.start();
  return new Blob([encodeWav((await mixer.startRendering()).getChannelData(0))], { type: 'audio/wav' });
}

function describeMicrophoneError(error: unknown): string {
  if (!window.isSecureContext) return 'Browsers allow the microphone only over HTTPS or on localhost.';
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'NotAllowedError')
    return 'The browser blocks the microphone for this page. Allow it in the address bar, then try again.';
  return name === 'NotFoundError'
    ? 'No microphone was found.'
    : 'The microphone is not available. Another program may be using it.';
}
