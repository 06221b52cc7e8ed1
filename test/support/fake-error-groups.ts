import type { CommandReceipt } from '../../src/commands/grids/grid-commands.js';
import type { Resolution } from '../../src/commands/error-groups/error-group-commands.js';
import { HindsightError } from '../../src/errors.js';
import type { ErrorGroupPort } from '../../src/http/api-call.js';
import type { Position } from '../../src/streams/event-store.js';
import { ERROR_GROUP_ID } from './fake-telemetry.js';

/** One resolved group in every Grid; records calls. */
export class FakeErrorGroups implements ErrorGroupPort {
  readonly calls: unknown[][] = [];

  async resolveErrorGroup(...of: readonly [string, string, string, Resolution]): Promise<CommandReceipt> {
    return this.record('resolve', ...of);
  }

  async reopenErrorGroup(...of: readonly [string, string, string]): Promise<CommandReceipt> {
    return this.record('reopen', ...of);
  }

  async waitForPosition(): Promise<boolean> {
    return true;
  }

  private record(name: string, actor: string, gridId: string, groupId: string, ...more: readonly unknown[]) {
    this.calls.push([name, actor, gridId, groupId, ...more]);
    if (groupId !== ERROR_GROUP_ID) throw new HindsightError('not-found', 'The Grid has no resolved error group.');
    return { position: '7' as Position };
  }
}
