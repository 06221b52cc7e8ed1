import assert from 'node:assert/strict';
import { runInNewContext } from 'node:vm';
import { read } from './compose-files.js';

interface Member {
  readonly _id: number;
  readonly host: string;
}

/** As much of a replica set as the job of docker-compose.yml speaks with. Its calls throw as those of mongosh do. */
class ReplicaSet {
  config: { version: number; members: readonly Member[] } | undefined;
  readonly users = new Map<string, { readonly pwd: string; readonly roles: readonly unknown[] }>();
  readonly changes: string[] = [];
  readonly addresses: string[] = [];

  runCommand(command: Readonly<Record<string, unknown>>): object {
    const [name] = Object.keys(command);
    if (name.startsWith('replSet') && name !== 'replSetInitiate' && this.config === undefined)
      throw Object.assign(new Error('no replset config has been received'), { code: 94 });
    if (!name.startsWith('replSetGet') && name !== 'usersInfo') this.changes.push(name);
    if (name === 'replSetInitiate')
      this.config = { version: 1, members: (command.replSetInitiate as { members: Member[] }).members };
    if (name === 'replSetReconfig') this.reconfigure(command.replSetReconfig as { version: number; members: Member[] });
    if (name === 'createUser' || name === 'updateUser') this.users.set(command[name] as string, command as never);
    return { ok: 1, config: this.config, users: this.users.has(command.usersInfo as string) ? [{}] : [] };
  }

  private reconfigure(next: { version: number; members: Member[] }): void {
    assert.equal(next.version, this.config!.version + 1);
    assert.equal(next.members.length, this.config!.members.length + 1, 'the server takes one voting member at a time');
    this.config = next;
  }

  get hosts(): string[] {
    return Array.from(this.config?.members ?? [], ({ host }) => host);
  }
}

function run(set: ReplicaSet, members: string, password = 'user-password'): void {
  class Mongo {
    constructor(address: string) {
      set.addresses.push(address);
    }
    getDB = (): ReplicaSet => set;
  }
  runInNewContext(read('deploy/cluster/replica-set.js'), {
    Mongo,
    Error,
    print: () => undefined,
    process: { env: { MEMBERS: members, ROOT_PASSWORD: 'a/b', USER_PASSWORD: password } },
  });
}

describe('the job that keeps the replica set', () => {
  it('initiates it once, with one member, and makes a user who has one database', () => {
    const set = new ReplicaSet();
    run(set, 'mongo-1:27017');
    assert.deepEqual(set.hosts, ['mongo-1:27017']);
    assert.deepEqual(JSON.parse(JSON.stringify(set.users.get('hindsight')?.roles)), [
      { role: 'readWrite', db: 'hindsight' },
    ]);
    assert.deepEqual(set.changes, ['replSetInitiate', 'createUser']);
  });

  it('changes nothing at the next start but the password, which may be a new one', () => {
    const set = new ReplicaSet();
    run(set, 'mongo-1:27017');
    run(set, 'mongo-1:27017', 'another');
    assert.deepEqual(set.changes, ['replSetInitiate', 'createUser', 'updateUser']);
    assert.equal(set.users.get('hindsight')?.pwd, 'another');
  });

  it('begins with three, or adds two to one that is there', () => {
    const [three, grown] = [new ReplicaSet(), new ReplicaSet()];
    run(three, 'a:27017,b:27017,c:27017');
    run(grown, 'a:27017');
    run(grown, 'a:27017,b:27017,c:27017');
    for (const set of [three, grown]) {
      assert.deepEqual(set.hosts, ['a:27017', 'b:27017', 'c:27017']);
      assert.deepEqual(
        Array.from(set.config!.members, ({ _id }) => _id),
        [0, 1, 2],
      );
    }
    assert.equal(three.changes.filter((name) => name === 'replSetReconfig').length, 0);
  });

  it('asks the first member itself before there is a set, then whoever is primary', () => {
    const set = new ReplicaSet();
    run(set, 'a:27017,b:27017');
    assert.match(set.addresses[0], /^mongodb:\/\/root:a%2Fb@a:27017\/admin\?directConnection=true&/);
    assert.match(set.addresses[1], /^mongodb:\/\/root:a%2Fb@a:27017,b:27017\/admin\?replicaSet=rs0&/);
  });

  it('fails where a password is missing, or the server refuses', () => {
    assert.throws(() => run(new ReplicaSet(), 'a:27017', ''), /MONGO_PASSWORD/);
    const refusing = new ReplicaSet();
    refusing.runCommand = () => {
      throw Object.assign(new Error('Authentication failed'), { code: 18 });
    };
    assert.throws(() => run(refusing, 'a:27017'), /Authentication failed/);
  });
});
