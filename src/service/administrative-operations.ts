import type { AdministrativeOperations } from '../cli/operations.js';
import type { GridCommands } from '../commands/grid-commands.js';
import { shown, type Showing } from '../commands/shown.js';
import type { AdministrationQueries } from '../queries/administration/questions.js';

/** Commands whose work shows once they have answered, and the queries in which it shows; each is a property of its own. */
export function administrativeOperations(commands: GridCommands, showing: Showing, queries: AdministrationQueries): AdministrativeOperations {
  return {
    createGrid: (...given) => shown(showing, commands.createGrid(...given)),
    changeSettings: (...given) => shown(showing, commands.changeSettings(...given)),
    setMember: (...given) => shown(showing, commands.setMember(...given)),
    removeMember: (...given) => shown(showing, commands.removeMember(...given)),
    issueApiKey: (...given) => shown(showing, commands.issueApiKey(...given)),
    regenerateApiKey: (...given) => shown(showing, commands.regenerateApiKey(...given)),
    revokeApiKey: (...given) => shown(showing, commands.revokeApiKey(...given)),
    gridRecord: (gridId) => queries.gridRecord(gridId),
    gridRecordsOf: (memberId, kind) => queries.gridRecordsOf(memberId, kind),
    allGrids: () => queries.allGrids(),
    members: (gridId) => queries.members(gridId),
    apiKeys: (gridId) => queries.apiKeys(gridId),
    audit: (gridId, page, pageSize) => queries.audit(gridId, page, pageSize),
  };
}
