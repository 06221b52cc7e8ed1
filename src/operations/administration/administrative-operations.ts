import type { AdministrativeOperations } from '../operations-port.js';
import type { GridCommands } from '../../commands/grids/grid-commands.js';
import { waitUntilVisible, type VisibilityWaiter } from '../../commands/read-your-writes.js';
import type { AdministrationQueries } from '../../queries/administration/administration-query-types.js';

/** Commands whose work shows once they have answered, and the queries in which it shows; each is a property of its own. */
export function createAdministrativeOperations(
  commands: GridCommands,
  showing: VisibilityWaiter,
  queries: AdministrationQueries,
): AdministrativeOperations {
  return {
    createGrid: (...given) => waitUntilVisible(showing, commands.createGrid(...given)),
    changeSettings: (...given) => waitUntilVisible(showing, commands.changeSettings(...given)),
    setMember: (...given) => waitUntilVisible(showing, commands.setMember(...given)),
    removeMember: (...given) => waitUntilVisible(showing, commands.removeMember(...given)),
    issueApiKey: (...given) => waitUntilVisible(showing, commands.issueApiKey(...given)),
    regenerateApiKey: (...given) => waitUntilVisible(showing, commands.regenerateApiKey(...given)),
    revokeApiKey: (...given) => waitUntilVisible(showing, commands.revokeApiKey(...given)),
    gridRecord: (gridId) => queries.gridRecord(gridId),
    gridRecordsForMember: (memberId, kind) => queries.gridRecordsForMember(memberId, kind),
    allGrids: () => queries.allGrids(),
    members: (gridId) => queries.members(gridId),
    apiKeys: (gridId) => queries.apiKeys(gridId),
    audit: (gridId, page, pageSize) => queries.audit(gridId, page, pageSize),
  };
}
