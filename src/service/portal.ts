import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Settings } from '../config.js';

/** Beside the compiled sources, where the build puts it. */
export const PORTAL_FOLDER = fileURLToPath(new URL('../../web/', import.meta.url));

/** Where the portal is found; undefined where this process serves none. */
export function portalAddress({ roles, publicUrl }: Pick<Settings, 'roles' | 'publicUrl'>): string | undefined {
  return roles.has('api') && existsSync(join(PORTAL_FOLDER, 'index.html')) ? `${publicUrl}/portal/` : undefined;
}
