/** How far a long work is, in events of the log. */
export interface Progress {
  readonly projection: string;
  readonly done: number;
  readonly total: number;
}

export interface Rebuilt {
  readonly projection: string;
  readonly events: number;
  readonly seconds: number;
}

/** Whether a live read model says the same as a fresh replay of the log up to the same position. */
export interface Verified {
  readonly projection: string;
  readonly equal: boolean;
  readonly live: string;
  readonly replayed: string;
}

/** What an operator can have a service do, running or not. */
export interface Operations {
  /** Names of the projections that can be replayed. */
  projections(): Promise<readonly string[]>;
  /** Builds the projection anew beside the old one and swaps. */
  replay(projection: string, onProgress: (progress: Progress) => void): Promise<Rebuilt>;
  verify(projection: string): Promise<Verified>;
}
