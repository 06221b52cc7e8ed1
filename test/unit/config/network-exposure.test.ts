import assert from 'node:assert/strict';
import {
  findDevelopmentSignInFault,
  findProxiedSignInWarning,
  isLoopbackAddress,
} from '../../../src/config/network-exposure.js';
import { readSettings, type Environment } from '../../../src/config/settings.js';

const LOOPBACK = ['127.0.0.1', '127.255.0.3', '::1', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1', 'localhost', 'LOCALHOST'];
const REACHABLE = [
  '0.0.0.0',
  '::',
  '0:0:0:0:0:0:0:0',
  '::ffff:0.0.0.0',
  '::ffff:10.0.0.5',
  '10.0.0.5',
  '192.168.1.2',
  '169.254.1.1',
  'fe80::1',
  'fd00::1',
  '126.255.255.255',
  '128.0.0.1',
  '0',
  'localhost.example',
  'notlocalhost',
  'hindsight.example',
];

const faultOf = (env: Environment): string | undefined => findDevelopmentSignInFault(readSettings(env));

describe('network exposure', () => {
  for (const address of LOOPBACK)
    it(`of ${address}: this machine only`, () => {
      assert.equal(isLoopbackAddress(address), true);
      assert.equal(faultOf({ BIND_ADDRESS: address }), undefined);
    });

  for (const address of REACHABLE)
    it(`of ${address}: others may connect, so the development provider must not run there`, () => {
      assert.equal(isLoopbackAddress(address), false);
      const fault = faultOf({ BIND_ADDRESS: address }) ?? assert.fail('no fault');
      assert.ok(fault.startsWith(`must be a loopback address, not "${address}"`), fault);
      for (const remedy of ['AUTH_URL', 'NODE_ENV=production', 'AUTH_DEVELOPMENT=everybody'])
        assert.ok(fault.includes(remedy), fault);
    });

  it('is no fault by default', () => assert.equal(faultOf({}), undefined));

  for (const [what, env] of [
    ['a directory signs users in', { AUTH_URL: 'https://login.example' }],
    ['it runs in production', { NODE_ENV: 'production' }],
    ['the operator allows everybody', { AUTH_DEVELOPMENT: 'everybody' }],
    [
      'the process does not serve the API',
      { ROLES: 'ingest', EVENT_STORE_URL: 'esdb://log:2113', READ_STORE_URL: 'mongodb://db:27017/h' },
    ],
  ] as const)
    it(`is no fault where ${what}`, () => {
      assert.equal(faultOf({ BIND_ADDRESS: '0.0.0.0', ...env }), undefined);
    });

  it('remains a fault where AUTH_DEVELOPMENT is empty or says loopback', () => {
    for (const text of ['', 'loopback', 'LOOPBACK'])
      assert.ok(faultOf({ BIND_ADDRESS: '::', AUTH_DEVELOPMENT: text }) !== undefined);
  });

  describe('behind a proxy on the same machine', () => {
    const warningOf = (env: Environment): string | undefined => findProxiedSignInWarning(readSettings(env));
    const proxied = { PUBLIC_URL: 'https://hindsight.example' };

    it('is warned of where PUBLIC_URL leads beyond this machine', () => {
      assert.match(warningOf(proxied) ?? '', /behind PUBLIC_URL https:\/\/hindsight\.example: anyone who can reach/);
      assert.ok(warningOf({ PUBLIC_URL: 'http://[2001:db8::1]:8080' }) !== undefined);
    });

    it('is not warned of on this machine, with a directory, in production, and where everybody may', () => {
      for (const env of [
        {},
        { PUBLIC_URL: 'http://localhost:8080' },
        { PUBLIC_URL: 'http://[::1]:8080' },
        { ...proxied, AUTH_URL: 'https://login.example' },
        { ...proxied, NODE_ENV: 'production' },
        { ...proxied, AUTH_DEVELOPMENT: 'everybody' },
      ])
        assert.equal(warningOf(env), undefined, JSON.stringify(env));
    });
  });
});
