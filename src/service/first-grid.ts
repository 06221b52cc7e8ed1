import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { givenApiKey, mintApiKey } from '../auth/api-keys.js';
import { developmentMembers } from '../auth/development-identity.js';
import { writePrivateFile } from '../auth/private-file.js';
import { bootstrap, bootstrapNotice, type BootstrapRecord } from '../commands/bootstrap.js';
import type { Parts } from '../composition.js';

/** How long a first start waits until the new Grid's key is known to the gate. */
const SHOWN_MS = 10_000;

/** Engines of a cluster that are not there yet are tried again after so long. */
const RETRY_MS = 2_000;

/** Makes the first Grid of an empty log, where this process keeps the administration. */
export class FirstGrid {
  /** Address for telemetry, while the Grid waits for this process to keep the administration. */
  private waitingWith: string | undefined;

  /** `notice` is given what the operator has to read once. */
  constructor(
    private readonly parts: Parts,
    private readonly notice: (text: string) => void,
  ) {}

  /** Makes it now where the administration is kept here already; else `look` does, once it is. */
  async make(otlpUrl: string): Promise<void> {
    if (this.parts.holdings.hasAdministration) await firstGrid(this.parts, otlpUrl, this.notice);
    else this.waitingWith = otlpUrl;
  }

  /** To be called whenever what the process keeps has changed. */
  look(): void {
    const { holdings, log } = this.parts;
    const otlpUrl = this.waitingWith;
    if (otlpUrl === undefined || !holdings.hasAdministration) return;
    this.waitingWith = undefined;
    firstGrid(this.parts, otlpUrl, this.notice).catch((error: unknown) => {
      log.warn('the first Grid could not be made and will be tried again', { error });
      this.waitingWith = otlpUrl;
      setTimeout(() => this.look(), RETRY_MS).unref();
    });
  }
}

async function firstGrid(parts: Parts, otlpUrl: string, notice: (text: string) => void): Promise<void> {
  const { settings, eventStore, handleGrid, standings, developmentIdentity } = parts;
  const file = join(settings.dataDir, 'bootstrap.json');
  const keep = (record: BootstrapRecord): Promise<void> => writePrivateFile(file, `${JSON.stringify(record, null, 2)}\n`);
  const made = await bootstrap({
    log: eventStore,
    handle: handleGrid,
    mintApiKey,
    keep,
    discard: () => rm(file, { force: true }),
    gridId: settings.bootstrapGridId ?? randomUUID(),
    gridName: settings.bootstrapGridName,
    apiKey: settings.bootstrapApiKey && givenApiKey(settings.bootstrapApiKey.reveal()),
    owner: settings.bootstrapOwner,
    members: developmentIdentity === undefined ? [] : developmentMembers(),
    otlpUrl,
    now: Date.now(),
  });
  if (made === undefined) return;
  await standings.whenAt('access', made.position, SHOWN_MS);
  parts.access.drop();
  notice(bootstrapNotice(made.record, file));
}
