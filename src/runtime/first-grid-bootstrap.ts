import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { toOperatorApiKey, mintApiKey } from '../auth/api-key-format.js';
import { developmentMembers } from '../auth/development/development-identity-provider.js';
import { writePrivateFile } from '../auth/private-file.js';
import { bootstrapFirstGrid, formatBootstrapNotice, type BootstrapRecord } from '../commands/grids/grid-bootstrap.js';
import type { ServiceParts } from './composition.js';

/** How long a first start waits until the new Grid's key is known to the gate. */
const VISIBILITY_TIMEOUT_MS = 10_000;

/** Engines of a cluster that are not there yet are tried again after so long. */
const RETRY_MS = 2_000;

/** Makes the first Grid of an empty log, where this process keeps the administration. */
export class FirstGridBootstrap {
  /** Address for telemetry, while the Grid waits for this process to keep the administration. */
  private waitingWith: string | undefined;

  /** `notice` is given what the operator has to read once. */
  constructor(
    private readonly parts: ServiceParts,
    private readonly notice: (text: string) => void,
  ) {}

  /** Makes it now where the administration is kept here already; else `look` does, once it is. */
  async create(otlpUrl: string): Promise<void> {
    if (this.parts.holdings.hasAdministration) await createFirstGrid(this.parts, otlpUrl, this.notice);
    else this.waitingWith = otlpUrl;
  }

  /** To be called whenever what the process keeps has changed. */
  createOnceOwned(): void {
    const { holdings, log } = this.parts;
    const otlpUrl = this.waitingWith;
    if (otlpUrl === undefined || !holdings.hasAdministration) return;
    this.waitingWith = undefined;
    createFirstGrid(this.parts, otlpUrl, this.notice).catch((error: unknown) => {
      log.warn('the first Grid could not be made and will be tried again', { error });
      this.waitingWith = otlpUrl;
      setTimeout(() => this.createOnceOwned(), RETRY_MS).unref();
    });
  }
}

async function createFirstGrid(parts: ServiceParts, otlpUrl: string, notice: (text: string) => void): Promise<void> {
  const { settings, eventStore, handleGrid, standings, developmentIdentity } = parts;
  const file = join(settings.dataDir, 'bootstrap.json');
  const keep = (record: BootstrapRecord): Promise<void> =>
    writePrivateFile(file, `${JSON.stringify(record, null, 2)}\n`);
  const made = await bootstrapFirstGrid({
    log: eventStore,
    handle: handleGrid,
    mintApiKey,
    saveRecord: keep,
    discard: () => rm(file, { force: true }),
    gridId: settings.bootstrapGridId ?? randomUUID(),
    gridName: settings.bootstrapGridName,
    apiKey: settings.bootstrapApiKey && toOperatorApiKey(settings.bootstrapApiKey.reveal()),
    owner: settings.bootstrapOwner,
    members: developmentIdentity === undefined ? [] : developmentMembers(),
    otlpUrl,
    now: Date.now(),
  });
  if (made === undefined) return;
  await standings.waitForPosition('access', made.position, VISIBILITY_TIMEOUT_MS);
  parts.access.invalidate();
  notice(formatBootstrapNotice(made.record, file));
}
