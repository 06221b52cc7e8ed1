import { createHash } from 'node:crypto';
import type { ChartFrame } from '../../diagnostics/chart-series/answer.js';
import type { ChartPicture, SealedPicture } from './questions.js';

/** Without its frame, and whether it can change: so the digest tells of what is shown, and not of when that was asked for. */
export function sealPicture({ data: { frame: _, ...data }, closed, ...picture }: ChartPicture): SealedPicture {
  const sealed = JSON.stringify({ ...picture, data });
  return { sealed, digest: createHash('sha256').update(sealed).digest('base64url'), closed };
}

/** What was sealed, within the frame of its dashboard. */
export function openPicture({ sealed, closed }: SealedPicture, frame: ChartFrame): ChartPicture {
  const { data, ...picture } = JSON.parse(sealed) as ChartPicture;
  return { ...picture, data: { ...data, frame }, closed };
}
