import { randomUUID } from 'node:crypto';
import type { DependencyContainer } from 'tsyringe';
import { mintApiKey } from '../auth/api-key-secret.js';
import { createAlertRuleCommands } from '../commands/alert-rules/alert-rule-commands.js';
import { alertRulesDecider } from '../commands/alert-rules/alert-rule-decider.js';
import { alertsDecider } from '../commands/alerts/alert-decider.js';
import { createAssistantCommands } from '../commands/assistant/assistant-commands.js';
import { eventCountDecider } from '../commands/slos/event-count-decider.js';
import { createSloCommands } from '../commands/slos/slo-commands.js';
import { slosDecider } from '../commands/slos/slo-decider.js';
import { createErrorGroupCommands } from '../commands/error-groups/error-group-commands.js';
import { errorGroupDecider } from '../commands/error-groups/error-group-decider.js';
import { createViewCommands } from '../commands/views/view-commands.js';
import { viewsDecider } from '../commands/views/view-decider.js';
import { createChartCommands } from '../commands/charts/chart-commands.js';
import { chartsDecider } from '../commands/charts/chart-decider.js';
import { createGridCommands } from '../commands/grids/grid-commands.js';
import { gridDecider } from '../commands/grids/grid-decider.js';
import { createCommandHandler, type CommandQueue } from '../commands/handle-command.js';
import type { Settings } from '../config/settings.js';
import { ApiKeyUsageCompactor } from '../policies/api-key-usage-compactor.js';
import { ApiKeyUsagePolicy } from '../policies/api-key-usage-policy.js';
import { withUnprojectedUse } from '../queries/administration/api-key-queries.js';
import type { Logger } from '../self-telemetry/logger.js';
import { createVisibilityWaiter } from './command-visibility.js';
import { registerIncidentCommands } from './compose-incidents.js';
import { registerNotificationCommands } from './compose-notifications.js';
import { PARTS, type RegisterPart } from './service-parts.js';

/** Alert streams whose state is cached between two commands; each takes as much memory as it has open alerts. */
const CACHED_ALERT_STREAMS = 1_000;

/** Streams of counted events whose state is cached; each takes as much memory as its Grid has objectives. */
const CACHED_COUNT_STREAMS = 1_000;

/** Streams of error groups whose state is cached; each takes as much memory as its Grid has resolved groups. */
const CACHED_ERROR_GROUP_STREAMS = 100;

/** Grids whose charts are cached between two commands; without a cache, each command would read the whole Grid stream. */
const CACHED_CHART_GRIDS = 100;

/** Registers the command handlers. Those that append to the Grid stream share one queue for each Grid. */
export function registerCommands(register: RegisterPart, { keysPerGrid }: Settings): void {
  const gridQueues: CommandQueue = new Map();
  register(PARTS.handleGridCommand, (parts) =>
    createCommandHandler(parts.resolve(PARTS.eventStore), gridDecider, 0, gridQueues),
  );
  register(PARTS.gridCommands, (parts) =>
    createGridCommands({
      handle: parts.resolve(PARTS.handleGridCommand),
      mintApiKey,
      keysPerGrid: keysPerGrid === 0 ? undefined : keysPerGrid,
      newId: randomUUID,
      now: Date.now,
    }),
  );
  register(PARTS.alertRuleCommands, (parts) =>
    createAlertRuleCommands({
      handle: createCommandHandler(parts.resolve(PARTS.eventStore), alertRulesDecider, 0, gridQueues),
      newId: randomUUID,
      now: Date.now,
    }),
  );
  register(PARTS.chartCommands, (parts) =>
    createChartCommands({
      handle: createCommandHandler(parts.resolve(PARTS.eventStore), chartsDecider, CACHED_CHART_GRIDS, gridQueues),
      newId: randomUUID,
      now: Date.now,
    }),
  );
  register(PARTS.viewCommands, (parts) =>
    createViewCommands({
      handle: createCommandHandler(parts.resolve(PARTS.eventStore), viewsDecider, 0, gridQueues),
      newId: randomUUID,
      now: Date.now,
    }),
  );
  register(PARTS.errorGroupCommands, (parts) =>
    createErrorGroupCommands({
      handle: createCommandHandler(parts.resolve(PARTS.eventStore), errorGroupDecider, CACHED_ERROR_GROUP_STREAMS),
      now: Date.now,
    }),
  );
  register(PARTS.sloCommands, (parts) =>
    createSloCommands({
      handle: createCommandHandler(parts.resolve(PARTS.eventStore), slosDecider, 0, gridQueues),
      newId: randomUUID,
      now: Date.now,
    }),
  );
  register(PARTS.handleEventCounts, (parts) =>
    createCommandHandler(parts.resolve(PARTS.eventStore), eventCountDecider, CACHED_COUNT_STREAMS),
  );
  register(PARTS.assistantCommands, (parts) =>
    createAssistantCommands({
      log: parts.resolve(PARTS.eventStore),
      newId: randomUUID,
      now: Date.now,
      gridCommandQueue: gridQueues,
    }),
  );
  registerNotificationCommands(register, gridQueues);
  registerIncidentCommands(register);
  register(PARTS.handleAlertCommand, (parts) =>
    createCommandHandler(parts.resolve(PARTS.eventStore), alertsDecider, CACHED_ALERT_STREAMS),
  );
}

/**
 * Registers administration and API key usage.
 */
export function registerAdministration(register: RegisterPart, log: Logger): void {
  register(
    PARTS.keyUsage,
    (parts) =>
      new ApiKeyUsagePolicy({
        log: parts.resolve(PARTS.eventStore),
        compactor: createKeyUsageCompactor(parts),
        logger: log,
        newId: randomUUID,
        now: Date.now,
      }),
  );
  register(PARTS.administration, (parts) =>
    withUnprojectedUse(parts.resolve(PARTS.accessThread).api, (gridId) =>
      parts.resolve(PARTS.keyUsage).usageByKey(gridId),
    ),
  );
  register(PARTS.grids, (parts) => ({
    ...parts.resolve(PARTS.gridCommands),
    ...createVisibilityWaiter(parts.resolve(PARTS.progress), 'access', 'audit'),
  }));
}

/** Only the process that owns the administration shard compacts, for all Grids. */
function createKeyUsageCompactor(parts: DependencyContainer): ApiKeyUsageCompactor {
  const { api: accessQueries } = parts.resolve(PARTS.accessThread);
  const visibility = createVisibilityWaiter(parts.resolve(PARTS.progress), 'key-use');
  return new ApiKeyUsageCompactor({
    log: parts.resolve(PARTS.eventStore),
    listGrids: async () => (parts.resolve(PARTS.ownedShards).hasAdministration ? accessQueries.allGrids() : []),
    readStoredUsage: (gridId) => accessQueries.keyUses(gridId),
    waitForPosition: (position) => visibility.waitForPosition(position),
    newId: randomUUID,
  });
}
