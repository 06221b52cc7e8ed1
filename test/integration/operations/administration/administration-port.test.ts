import type { OfflineOperations } from '../../../../src/operations/operations-port.js';
import { connectControlSocket, controlSocketPath } from '../../../../src/operations/control-socket.js';
import { createLocalAdministration } from '../../../../src/operations/administration/local-administration.js';
import { createRemoteAdministration } from '../../../../src/operations/administration/remote-administration.js';
import { ServiceApiClient } from '../../../../src/operations/administration/service-api-client.js';
import { readSettings } from '../../../../src/config/settings.js';
import { openOfflineOperations } from '../../../../src/runtime/offline/offline-operations.js';
import { administrationContract } from '../../../contracts/administration.contract.js';
import { ServiceProcess } from '../../../support/service.js';
import { tokenOf } from '../../../support/sign-in.js';

describe('administration port', function () {
  this.timeout(60_000);
  let service: ServiceProcess;
  before(async () => void (service = await ServiceProcess.start()));
  after(() => service.dispose());

  administrationContract('through the control socket', async () => {
    const running = await connectControlSocket(controlSocketPath(service.dataDir));
    if (running === undefined) throw new Error('the service does not listen for its operator');
    return {
      administration: createLocalAdministration(running, 'operator:test'),
      actor: 'operator:test',
      unknownGrid: 'not-found',
    };
  });

  administrationContract('through the API of a service', () => {
    const api = new ServiceApiClient(service.apiUrl, () => tokenOf(service.apiUrl, 'owner'));
    return { administration: createRemoteAdministration(api), actor: 'owner', unknownGrid: 'forbidden' };
  });

  describe('without a running service', () => {
    let stores: OfflineOperations;
    before(async () => {
      await service.signal('SIGTERM');
      stores = await openOfflineOperations(readSettings({ DATA_DIR: service.dataDir }));
    });
    after(() => stores.close());

    administrationContract('on the data folder', () => ({
      administration: createLocalAdministration(stores, 'operator:test'),
      actor: 'operator:test',
      unknownGrid: 'not-found',
    }));
  });
});
