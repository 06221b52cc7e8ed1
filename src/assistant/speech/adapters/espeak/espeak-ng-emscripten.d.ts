/** What we use of the package: it comes without types. */
declare module '@echogarden/espeak-ng-emscripten' {
  export interface EspeakWorker {
    readonly samplerate: number;
    /** 0 where the voice is known. */
    set_voice(id: string): number;
    set_rate(wordsPerMinute: number): void;
    /** Calls back for each piece of sound; what is passed is valid during the call alone. Null ends the speech. */
    synthesize(text: string, onSound: (samples: Int16Array | null) => boolean): void;
  }

  export default function load(): Promise<{ readonly eSpeakNGWorker: new () => EspeakWorker }>;
}
