/** Entry file of the threads of chart-pool.ts. */
import { move } from 'piscina';
import type { BoardLook, Look } from '../charts/look.js';
import type { Renderer } from '../charts/renderer.js';
import type { DashboardPicture, SealedChart } from '../queries/charts/questions.js';
import { openPicture } from '../queries/charts/sealed-picture.js';

export type PictureOrder =
  | { readonly kind: 'chart'; readonly picture: SealedChart; readonly look: Look }
  | { readonly kind: 'dashboard'; readonly picture: DashboardPicture; readonly look: BoardLook };

let renderer: Promise<Renderer> | undefined;

/** The bytes of the PNG leave by transfer. */
export default async function run(order: PictureOrder): Promise<unknown> {
  renderer ??= start();
  return move(draw(await renderer, order));
}

function draw(renderer: Renderer, order: PictureOrder): Uint8Array {
  if (order.kind === 'chart') return renderer.chart(openPicture(order.picture, order.picture.frame), order.look);
  const { title, frame, charts } = order.picture;
  return renderer.board({ title, frame, charts: charts.map(({ position, ...sealed }) => ({ position, picture: openPicture(sealed, frame) })) }, order.look);
}

/** Loaded with the first picture and not with this file, so that a canvas or a font that cannot be loaded fails pictures by its own words. */
async function start(): Promise<Renderer> {
  const { createRenderer } = await import('../charts/renderer.js');
  return createRenderer();
}
