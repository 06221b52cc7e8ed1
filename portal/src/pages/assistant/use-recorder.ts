import { useEffect, useRef, useState } from 'react';
import { levelOfSound, SAMPLE_RATE, wavOf } from './wav';

/** At most 1 MB is heard: a little more than this at the rate of recording. */
const LONGEST_MS = 30_000;

interface Recording {
  readonly recorder: MediaRecorder;
  /** Ends it unheard. */
  readonly drop: () => void;
}

/** Records while a button is held. What browsers record is no format that the service takes, so it becomes a WAV file here. */
export function useRecorder(onRecorded: (wav: Blob) => void, tell: (told: string) => void) {
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
      recording.current = begin(stream, setLevel, async (heard) => {
        recording.current = undefined;
        setLevel(undefined);
        try {
          onRecorded(await asWav(heard));
        } catch {
          tell('Nothing was recorded. Hold the button while you speak.');
        }
      });
    } catch (error) {
      isHeld.current = false;
      tell(microphoneFault(error));
    }
  };
  return { start, stop, level };
}

function begin(
  stream: MediaStream,
  onLevel: (level: number) => void,
  onEnd: (heard: Blob) => Promise<void>,
): Recording {
  const [recorder, context, parts] = [new MediaRecorder(stream), new AudioContext(), [] as Blob[]];
  const analyser = context.createAnalyser();
  context.createMediaStreamSource(stream).connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  const limit = setTimeout(() => recorder.stop(), LONGEST_MS);
  const timer = setInterval(() => {
    analyser.getFloatTimeDomainData(samples);
    onLevel(levelOfSound(samples));
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
async function asWav(heard: Blob): Promise<Blob> {
  const reader = new OfflineAudioContext(1, 1, SAMPLE_RATE);
  const sound = await reader.decodeAudioData(await heard.arrayBuffer());
  const mixer = new OfflineAudioContext(1, Math.max(1, Math.ceil(sound.duration * SAMPLE_RATE)), SAMPLE_RATE);
  const source = new AudioBufferSourceNode(mixer, { buffer: sound });
  source.connect(mixer.destination);
  source.start();
  return new Blob([wavOf((await mixer.startRendering()).getChannelData(0))], { type: 'audio/wav' });
}

function microphoneFault(error: unknown): string {
  if (!window.isSecureContext) return 'A browser gives the microphone only to pages over HTTPS or of this machine.';
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'NotAllowedError')
    return 'The browser does not let this page use the microphone. Allow it at the left of the address, then try again.';
  return name === 'NotFoundError'
    ? 'No microphone was found.'
    : 'The microphone cannot be used. Another program may have it.';
}
