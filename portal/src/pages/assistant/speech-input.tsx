import { useMutation } from '@tanstack/react-query';
import { Mic } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { fetchBlob, type Schemas } from '../../api/api-client';
import { formatPercent } from '../../format/number-format';
import { useInvalidateUsage } from '../usage/usage-queries';
import controls from '../../ui/controls.module.css';
import { toErrorMessage, useConversation } from './use-conversation';
import styles from './assistant.module.css';
import { computeSoundLevel, encodeWav, SAMPLE_RATE } from './wav-encoder';

/** Speak while the button, or the space bar on it, is held. What was understood is told before it is sent. */
export function PushToTalkButton({ onUnderstood }: { readonly onUnderstood: (text: string) => void }) {
  const [told, setTold] = useState('');
  const recognition = useSpeechRecognition();
  const recorded = (wav: Blob): void =>
    recognition.mutate(wav, {
      onSuccess: ({ text, confidence }) => {
        if (text !== '') onUnderstood(text);
        setTold(
          text === ''
            ? 'Nothing was understood. Speak a little longer, nearer to the microphone.'
            : `Understood, ${formatPercent(Math.round(confidence * 100))} sure. Look at it, then send.`,
        );
      },
      onError: (error) => setTold(toErrorMessage(error)),
    });
  const { start, stop, level } = useWavRecorder(recorded, setTold);
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

function useSpeechRecognition() {
  const { inSession } = useConversation();
  const usageAnew = useInvalidateUsage();
  return useMutation({
    mutationFn: (wav: Blob) =>
      inSession(async (instance) => {
        const body = new FormData();
        body.append('audio', wav, 'question.wav');
        const answer = await fetchBlob(`/assistant/speech/${encodeURIComponent(instance)}/recognize`, {
          method: 'POST',
          body,
        });
        return JSON.parse(await answer.text()) as Schemas['Transcript'];
      }),
    onSettled: usageAnew,
  });
}

/** At most 1 MB is heard: a little more than this at the rate of recording. */
const MAX_RECORDING_MS = 30_000;

interface Recording {
  readonly recorder: MediaRecorder;
  /** Ends it unheard. */
  readonly drop: () => void;
}

/** Records while a button is held. What browsers record is no format that the service takes, so it becomes a WAV file here. */
function useWavRecorder(onRecorded: (wav: Blob) => void, tell: (told: string) => void) {
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
      recording.current?.drop();
    },
    [],
  );

  const start = async (): Promise<void> => {
    if (isHeld.current) return;
    isHeld.current = true;
    tell('');
    try {
      const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
      // Let go of while the browser asked for permission: nothing is recorded unheard of.
      if (!isHeld.current) {
        stream.getTracks().forEach((track) => track.stop());
        return tell('The microphone is ready. Hold the button while you speak.');
      }
      recording.current = startRecording(stream, setLevel, async (heard) => {
        recording.current = undefined;
        setLevel(undefined);
        try {
          onRecorded(await convertToWav(heard));
        } catch {
          tell('Nothing was recorded. Hold the button while you speak.');
        }
      });
    } catch (error) {
      isHeld.current = false;
      tell(describeMicrophoneError(error));
    }
  };
  return { start, stop, level };
}

function startRecording(
  stream: MediaStream,
  onLevel: (level: number) => void,
  onEnd: (heard: Blob) => Promise<void>,
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
  return { recorder, drop };
}

/** One channel, at the rate of recognition. Rejects where there is no sound in it. */
async function convertToWav(heard: Blob): Promise<Blob> {
  const reader = new OfflineAudioContext(1, 1, SAMPLE_RATE);
  const sound = await reader.decodeAudioData(await heard.arrayBuffer());
  const mixer = new OfflineAudioContext(1, Math.max(1, Math.ceil(sound.duration * SAMPLE_RATE)), SAMPLE_RATE);
  const source = new AudioBufferSourceNode(mixer, { buffer: sound });
  source.connect(mixer.destination);
  source.start();
  return new Blob([encodeWav((await mixer.startRendering()).getChannelData(0))], { type: 'audio/wav' });
}

function describeMicrophoneError(error: unknown): string {
  if (!window.isSecureContext) return 'A browser gives the microphone only to pages over HTTPS or of this machine.';
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'NotAllowedError')
    return 'The browser does not let this page use the microphone. Allow it at the left of the address, then try again.';
  return name === 'NotFoundError'
    ? 'No microphone was found.'
    : 'The microphone cannot be used. Another program may have it.';
}
