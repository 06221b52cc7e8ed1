import type { ChartRenderer, Look } from '../charts/look.js';
import type { Component, Health } from '../component.js';
import { HindsightError } from '../errors.js';
import type { ChartPicture } from '../queries/charts/questions.js';

export interface ChartPoolOptions {
  readonly threads: number;
  /** Pictures that may wait for a thread. */
  readonly maxWaiting: number;
}

/** Draws charts on threads of their own, which start with the first picture. */
export class ChartPool implements ChartRenderer, Component {
  constructor(readonly options: ChartPoolOptions) {}

  render(_picture: ChartPicture, _look: Look): Promise<Uint8Array> {
    return Promise.reject(new HindsightError('unavailable', 'Pictures are being built.'));
  }

  check(): Promise<Health> {
    return Promise.resolve({ ok: true });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
