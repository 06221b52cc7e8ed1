import assert from 'node:assert/strict';
import {
  toConnectionOptions,
  parseServerAddress,
} from '../../../../../src/streams/adapters/eventstoredb/eventstoredb-address.js';

describe('EventStoreDB address', () => {
  it('contains hosts, credentials and TLS options', () => {
    const address = parseServerAddress(
      'esdb://some%20one:p%40ss:word@a.example:1113,b.example?tls=true&nodePreference=leader&keepAliveInterval=-1&connectionName=hindsight',
    );
    assert.deepEqual(address.endpoints, [
      { address: 'a.example', port: 1113 },
      { address: 'b.example', port: 2113 },
    ]);
    assert.deepEqual(address.credentials, { username: 'some one', password: 'p@ss:word' });
    assert.deepEqual([address.tls, address.tlsVerifyCert, address.discover], [true, true, false]);
    assert.deepEqual(address.tuning, { keepAliveInterval: -1, connectionName: 'hindsight' });
  });

  it("accepts KurrentDB's schemes", () => {
    for (const scheme of ['kurrentdb', 'kurrent', 'esdb']) {
      assert.deepEqual(parseServerAddress(`${scheme}://db:2114`).endpoints, [{ address: 'db', port: 2114 }]);
      assert.equal(parseServerAddress(`${scheme}+discover://cluster.example`).discover, true);
    }
  });

  it('selects a single node, a cluster, or discovery', () => {
    const settings = (url: string): string[] =>
      Object.keys(toConnectionOptions(parseServerAddress(url)).settings).sort();
    assert.deepEqual(settings('esdb://a?tls=false'), ['endpoint']);
    assert.deepEqual(settings('esdb://a,b?tls=false'), ['endpoints', 'nodePreference']);
    assert.deepEqual(settings('esdb+discover://a?tls=false'), ['discover', 'nodePreference']);
  });

  it('turns TLS on, unless it says otherwise, and sends credentials over TLS alone', () => {
    const secure = toConnectionOptions(parseServerAddress('esdb://user:word@a'));
    assert.deepEqual([secure.channel.insecure, secure.credentials?.username], [false, 'user']);
    const open = toConnectionOptions(parseServerAddress('esdb://user:word@a?tls=false'));
    assert.deepEqual([open.channel.insecure, open.credentials], [true, undefined]);
    assert.equal(
      toConnectionOptions(parseServerAddress('esdb://a?tlsVerifyCert=false')).channel.verifyOptions?.rejectUnauthorized,
      false,
    );
  });

  it('is rejected if invalid, without showing the password', () => {
    const bad = [
      '',
      'http://user:hunter2@a',
      'esdb://',
      'esdb://user:hunter2@',
      'esdb://user:hunter2@a:b',
      'esdb://user:hunter2@a?tls=maybe',
      'esdb://hunter2@a',
      'esdb://user:hunter2@a?unknown=1',
      'esdb://user:hunter2@a?nodePreference=best',
      'esdb://user:hunter2@a?nodePreference=follower',
      'esdb://user:hunter2@a?keepAliveTimeout=long',
      'esdb://user:hunter2@a?userCertFile=x.pem',
      'esdb://user:hunter2@a,,b',
      'esdb://user:hunter2%@a',
    ];
    for (const url of bad) {
      assert.throws(
        () => parseServerAddress(url),
        (error: Error) => !error.message.includes('hunter2'),
        url,
      );
    }
  });
});
