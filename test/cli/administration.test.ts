import { connectControl, controlPath } from '../../src/cli/control-socket.js';
import { localAdministration } from '../../src/cli/local-administration.js';
import { remoteAdministration } from '../../src/cli/remote/remote-administration.js';
import { ServiceApi } from '../../src/cli/remote/service-api.js';
import { readSettings } from '../../src/config.js';
import { openStores, type OfflineStores } from '../../src/offline.js';
import { administrationContract } from '../contracts/administration.contract.js';
import { ServiceProcess } from '../support/service.js';
import { tokenOf } from '../support/sign-in.js';

describe('administration from the command line', function () {
  this.timeout(60_000);
  let service: ServiceProcess;
  before(async () => void (service = await ServiceProcess.start()));
  after(() => service.dispose());

  administrationContract('through the control socket', async () => {
    const running = await connectControl(controlPath(service.dataDir));
    if (running === undefined) throw new Error('the service does not listen for its operator');
    return { administration: localAdministration(running, 'operator:test'), actor: 'operator:test', unknownGrid: 'not-found' };
  });

  administrationContract('through the API of a service', () => {
    const api = new ServiceApi(service.apiUrl, () => tokenOf(service.apiUrl, 'owner'));
    return { administration: remoteAdministration(api), actor: 'owner', unknownGrid: 'forbidden' };
  });

  describe('without a service', () => {
    let stores: OfflineStores;
    before(async () => {
      await service.signal('SIGTERM');
      stores = await openStores(readSettings({ DATA_DIR: service.dataDir }));
    });
    after(() => stores.close());

    administrationContract('on the data folder', () => ({ administration: localAdministration(stores, 'operator:test'), actor: 'operator:test', unknownGrid: 'not-found' }));
  });
});
