/** Entry file of the threads of chart-pool.ts. */
import { move } from 'piscina';
import type { Look } from '../charts/look.js';
import type { Renderer } from '../charts/renderer.js';
import type { ChartPicture } from '../queries/charts/questions.js';

export interface PictureOrder {
  readonly picture: ChartPicture;
  readonly look: Look;
}

let renderer: Promise<Renderer> | undefined;

/** The bytes of the PNG leave by transfer. */
export default async function run({ picture, look }: PictureOrder): Promise<unknown> {
  renderer ??= start();
  const render = await renderer;
  return move(render(picture, look));
}

/** Loaded with the first picture and not with this file, so that a canvas or a font that cannot be loaded fails pictures by its own words. */
async function start(): Promise<Renderer> {
  const { createRenderer } = await import('../charts/renderer.js');
  return createRenderer();
}
