/** The part of the package's API that we use; it has no types of its own. */
declare module '@echogarden/espeak-ng-emscripten' {
  export interface EspeakWorker {
    readonly samplerate: number;
    /** 0 if the voice exists. */
    set_voice(id: string): number;
    set_rate(wordsPerMinute: number): void;
    /** Calls back for each block of samples, which is valid during the callback only. Null marks the end. */
    synthesize(text: string, onSound: (samples: Int16Array | null) => boolean): void;
  }

  export default function load(): Promise<{ readonly eSpeakNGWorker: new () => EspeakWorker }>;
}
