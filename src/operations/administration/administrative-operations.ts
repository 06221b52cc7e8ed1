import type { AdministrativeOperations } from '../operations-port.js';
import type { GridCommands } from '../../commands/grids/grid-commands.js';
import { waitUntilVisible, type VisibilityWaiter } from '../../commands/read-your-writes.js';
import type { AdministrationQueries } from '../../queries/administration/administration-query-types.js';

/**
 * Combines commands that resolve once their effect is visible with the queries that show it. Every method is an own
 * property, so that a control socket can serve it by name.
 */
export function createAdministrativeOperations(
  commands: GridCommands,
  visibility: VisibilityWaiter,
  queries: AdministrationQueries,
): AdministrativeOperations {
  return {
    createGrid: (...args) => waitUntilVisible(visibility, commands.createGrid(...args)),
    changeSettings: (...args) => waitUntilVisible(visibility, commands.changeSettings(...args)),
    setMember: (...args) => waitUntilVisible(visibility, commands.setMember(...args)),
    removeMember: (...args) => waitUntilVisible(visibility, commands.removeMember(...args)),
    issueApiKey: (...args) => waitUntilVisible(visibility, commands.issueApiKey(...args)),
    regenerateApiKey: (...args) => waitUntilVisible(visibility, commands.regenerateApiKey(...args)),
    revokeApiKey: (...args) => waitUntilVisible(visibility, commands.revokeApiKey(...args)),
    gridRecord: (gridId) => queries.gridRecord(gridId),
    gridRecordsForMember: (memberId, kind) => queries.gridRecordsForMember(memberId, kind),
    allGrids: () => queries.allGrids(),
    gridsCreatedBy: (userId) => queries.gridsCreatedBy(userId),
    members: (gridId) => queries.members(gridId),
    apiKeys: (gridId) => queries.apiKeys(gridId),
    audit: (gridId, page, pageSize) => queries.audit(gridId, page, pageSize),
  };
}
