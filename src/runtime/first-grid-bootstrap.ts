import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { toOperatorApiKey, mintApiKey } from '../auth/api-key-secret.js';
import { developmentMembers } from '../auth/development/development-identity-provider.js';
import { writePrivateFile } from '../auth/private-file.js';
import { bootstrapFirstGrid, formatBootstrapNotice, type BootstrapRecord } from '../commands/grids/grid-bootstrap.js';
import type { ServiceParts } from './service-parts.js';

/** Time (ms) that a first start waits until the API key of the new Grid is usable. */
const VISIBILITY_TIMEOUT_MS = 10_000;

/** Pause (ms) before the first Grid is tried again, such as while engines of a cluster are still starting. */
const RETRY_MS = 2_000;

/** Creates the first Grid in an empty event log, in the process that owns the administration shard. */
export class FirstGridBootstrap {
  /** OTLP URL; set while creation waits for this process to own the administration shard. */
  private pendingOtlpUrl: string | undefined;

  /** `notice` receives the text with the Grid and its API key. */
  constructor(
    private readonly parts: ServiceParts,
    private readonly notice: (text: string) => void,
  ) {}

  /** Creates the Grid now if this process owns the administration shard; otherwise `createOnceOwned` does later. */
  async create(otlpUrl: string): Promise<void> {
    if (this.parts.ownedShards.hasAdministration) await createFirstGrid(this.parts, otlpUrl, this.notice);
    else this.pendingOtlpUrl = otlpUrl;
  }

  /** Must be called after every change of the owned shards. */
  createOnceOwned(): void {
    const { ownedShards, log } = this.parts;
    const otlpUrl = this.pendingOtlpUrl;
    if (otlpUrl === undefined || !ownedShards.hasAdministration) return;
    this.pendingOtlpUrl = undefined;
    createFirstGrid(this.parts, otlpUrl, this.notice).catch((error: unknown) => {
      log.warn('Cannot create the first Grid; retrying', { error });
      this.pendingOtlpUrl = otlpUrl;
      setTimeout(() => this.createOnceOwned(), RETRY_MS).unref();
    });
  }
}

async function createFirstGrid(parts: ServiceParts, otlpUrl: string, notice: (text: string) => void): Promise<void> {
  const { settings, eventStore, handleGridCommand, progress, developmentIdentity } = parts;
  const file = join(settings.dataDir, 'bootstrap.json');
  const saveRecord = (record: BootstrapRecord): Promise<void> =>
    writePrivateFile(file, `${JSON.stringify(record, null, 2)}\n`);
  const created = await bootstrapFirstGrid({
    log: eventStore,
    handle: handleGridCommand,
    mintApiKey,
    saveRecord,
    deleteRecord: () => rm(file, { force: true }),
    gridId: settings.bootstrapGridId ?? randomUUID(),
    gridName: settings.bootstrapGridName,
    apiKey: settings.bootstrapApiKey && toOperatorApiKey(settings.bootstrapApiKey.reveal()),
    owner: settings.bootstrapOwner,
    members: developmentIdentity === undefined ? [] : developmentMembers(),
    otlpUrl,
    now: Date.now(),
  });
  if (created === undefined) return;
  await progress.waitForPosition('access', created.position, VISIBILITY_TIMEOUT_MS);
  notice(formatBootstrapNotice(created.record, file));
}
