import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { BlockList } from 'node:net';
import { join } from 'node:path';
import { readSettings, SETTINGS } from '../../../src/config/settings.js';
import { parseNatsUrl } from '../../../src/streams/live/nats/nats-server-address.js';
import { parseServerAddress } from '../../../src/streams/adapters/eventstoredb/eventstoredb-address.js';
import {
  composed,
  read,
  ROOT,
  variablesIn,
  variablesOf,
  written,
  type Composed,
  type ComposeService,
} from './compose-files.js';

const KNOWN: ReadonlySet<string> = new Set(Object.values(SETTINGS).map(({ name }) => name));
const ENVIRONMENT = variablesOf(execFileSync('sh', [join(ROOT, 'deploy/cluster/new-env.sh')], { encoding: 'utf8' }));

/** They do something once and end: nobody asks for their health. */
const JOBS: ReadonlySet<string> = new Set(['mongo-replica-set', 'nats-folders']);
/** Their images name a user that is not root. */
const IMAGES_WITH_USER = /^(hindsight|hindsight-demo|docker\.kurrent\.io\/kurrent-lts\/kurrentdb:.*)$/;

const ONE = ['docker-compose.yml'];
const THREE = [...ONE, 'deploy/docker-compose.three.yml'];
const WITH_TLS = [...ONE, 'deploy/docker-compose.cluster-tls.yml'];
const COMPOSITIONS: readonly (readonly [string, readonly string[]])[] = [
  ['one of each engine', ONE],
  ['three of each engine', THREE],
  ['TLS at the proxy', WITH_TLS],
];

const cluster = (files: readonly string[]): Composed => composed(files, { ...ENVIRONMENT, TLS_FOLDER: '/etc/tls' });
const named = ({ services }: Composed, start: string): string[] =>
  Object.keys(services)
    .filter((name) => name.startsWith(start) && !JOBS.has(name))
    .sort();
const isMember = ({ environment = {} }: ComposeService): boolean => 'ROLES' in environment;
const membersOf = ({ services }: Composed): [string, ComposeService][] =>
  Object.entries(services).filter(([, service]) => isMember(service));
const networksOf = ({ networks = [] }: ComposeService): string[] =>
  (Array.isArray(networks) ? [...(networks as string[])] : Object.keys(networks)).sort();
const settingsOf = ({ environment = {} }: ComposeService) =>
  readSettings(Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, String(value)])));

for (const [title, files] of COMPOSITIONS) {
  describe(`the cluster of docker-compose.yml, with ${title}`, () => {
    const whole = cluster(files);
    const services = Object.entries(whole.services);

    it('gives Hindsight settings that exist, and values that it starts with', () => {
      const ours = services.filter(([, { image = '' }]) => image.startsWith('hindsight'));
      assert.ok(ours.length > 6);
      for (const [name, service] of ours) {
        assert.deepEqual(
          Object.keys(service.environment ?? {}).filter((each) => !KNOWN.has(each)),
          [],
          name,
        );
        assert.doesNotThrow(() => settingsOf(service), name);
      }
    });

    it('has two processes of each role, which differ in their roles alone', () => {
      const roles = membersOf(whole).map(([, service]) => [...settingsOf(service).roles].join());
      assert.deepEqual(roles.sort(), ['api', 'api', 'ingest', 'ingest', 'project', 'project']);
      const others = membersOf(whole).map(([, { environment }]) => JSON.stringify({ ...environment, ROLES: '' }));
      assert.equal(new Set(others).size, 1);
    });

    it('reaches every server of every engine, and none that is not there', () => {
      const [, member] = membersOf(whole)[0];
      const { eventStoreUrl, readStoreUrl, natsUrl } = settingsOf(member);
      const log = parseServerAddress(eventStoreUrl);
      assert.deepEqual(
        log.endpoints.map(({ address, port }) => `${address}:${port}`),
        named(whole, 'events-').map((name) => `${name}:2113`),
      );
      const nats = parseNatsUrl(natsUrl ?? '');
      assert.deepEqual(
        [nats.servers, nats.user, nats.pass],
        [named(whole, 'nats-').map((name) => `${name}:4222`), 'hindsight', ENVIRONMENT.NATS_PASSWORD],
      );
      const [, password, hosts] =
        /^mongodb:\/\/hindsight:(\w+)@([^/]+)\/hindsight\?replicaSet=rs0&authSource=admin$/.exec(readStoreUrl) ?? [];
      assert.deepEqual(
        [password, hosts?.split(',')],
        [ENVIRONMENT.MONGO_PASSWORD, named(whole, 'mongo-').map((name) => `${name}:27017`)],
      );
    });

    it('asks every service for its health, except jobs, which end', () => {
      for (const [name, { healthcheck, restart }] of services) {
        assert.equal((healthcheck?.test.length ?? 0) > 1, !JOBS.has(name), name);
        assert.equal(restart, JOBS.has(name) ? 'no' : 'unless-stopped', name);
      }
    });

    it('starts what others need before them, and in the same profile', () => {
      for (const [name, { depends_on: needs = {}, profiles = [] }] of services) {
        for (const [needed, { condition }] of Object.entries(needs)) {
          assert.ok(needed in whole.services, `${name} needs ${needed}`);
          assert.equal(
            condition,
            JOBS.has(needed) ? 'service_completed_successfully' : 'service_healthy',
            `${name} needs ${needed}`,
          );
          const offered = whole.services[needed].profiles ?? [];
          assert.ok(
            profiles.every((profile) => profile === 'demo' || offered.includes(profile)),
            `${needed} is there when ${name} is`,
          );
        }
      }
      for (const [name, { depends_on: needs = {} }] of membersOf(whole)) {
        const engines = [...named(whole, 'events-'), ...named(whole, 'nats-'), 'mongo-replica-set'].sort();
        assert.deepEqual(Object.keys(needs).sort(), engines, name);
      }
    });

    it('keeps what is to last in volumes that it declares, and mounts files that exist', () => {
      const used = new Set<string>();
      for (const volume of services.flatMap(([, { volumes = [] }]) => volumes)) {
        const [source, target] = volume.split(':');
        if (source.startsWith('./')) assert.ok(existsSync(join(ROOT, source)), volume);
        else if (target !== undefined && !source.startsWith('/')) used.add(source);
      }
      assert.deepEqual([...used].sort(), Object.keys(whole.volumes).sort());
    });

    it('pins images to a version, and builds its own', () => {
      for (const [name, { image = '', build }] of services)
        assert.ok(build !== undefined || /:\d+\.\d+\.\d+(-[a-z]+)?$/.test(image), name);
    });

    it('gives no service more rights than it needs', () => {
      for (const [name, service] of services) {
        assert.deepEqual([service.cap_drop, service.security_opt], [['ALL'], ['no-new-privileges:true']], name);
        assert.ok(service.mem_limit !== undefined, name);
        assert.equal(service.read_only === true, !name.startsWith('events-'), name);
        const isRoot =
          service.user === 'root' || (service.user === undefined && !IMAGES_WITH_USER.test(service.image ?? ''));
        assert.equal(isRoot, name === 'nats-folders', name);
      }
      assert.equal(whole.services['nats-folders'].network_mode, 'none');
    });

    it('lets only the proxy be reached, and the engines by Hindsight alone', () => {
      assert.equal(whole.networks.engines?.internal, true);
      for (const [name, service] of services.filter(([each]) => each !== 'hindsight')) {
        if (name !== 'proxy') assert.equal(service.ports, undefined, name);
        const expected =
          name === 'nats-folders'
            ? []
            : isMember(service) && !name.startsWith('projector')
              ? ['engines', 'front']
              : ['proxy', 'shop'].includes(name)
                ? ['front']
                : ['engines'];
        assert.deepEqual(networksOf(service), expected, name);
      }
    });

    it('opens ports to the network with TLS alone', () => {
      const { ports = [], environment = {} } = whole.services.proxy;
      assert.deepEqual(
        ports.map((port) => port.replace('127.0.0.1:', '')),
        ['8080:8080', '4317:4317', '4318:4318'],
      );
      assert.equal(
        ports.every((port) => port.startsWith('127.0.0.1:')),
        !('TLS' in environment),
      );
    });
  });
}

describe('the proxy of the cluster', () => {
  const caddyfile = read('deploy/cluster/Caddyfile');
  const whole = cluster(ONE);

  it('asks services that are there and do what they are asked for, on the ports that they listen on', () => {
    const members = (variable: string): string[] =>
      new RegExp(`\\{\\$${variable}:([^}]+)\\}`).exec(caddyfile)![1].split(' ');
    const expected = (role: string, port: string, scheme = ''): string[] =>
      named(whole, role).map((name) => `${scheme}${name}:${port}`);
    assert.deepEqual(members('API_MEMBERS'), expected('api-', SETTINGS.httpPort.fallback));
    assert.deepEqual(members('OTLP_HTTP_MEMBERS'), expected('ingest-', SETTINGS.otlpHttpPort.fallback));
    assert.deepEqual(members('OTLP_GRPC_MEMBERS'), expected('ingest-', SETTINGS.otlpGrpcPort.fallback, 'h2c://'));
  });

  it('is the one that the members believe, at an address that nobody else is given', () => {
    const { networks } = whole.services.proxy as { networks: { front: { ipv4_address: string } } };
    const { ipam } = whole.networks.front as { ipam: { config: [{ subnet: string; ip_range: string }] } };
    const [{ subnet, ip_range: range }] = ipam.config;
    const holds = (network: string): boolean => {
      const list = new BlockList();
      list.addSubnet(network.split('/')[0], Number(network.split('/')[1]));
      return list.check(networks.front.ipv4_address);
    };
    assert.deepEqual([holds(subnet), holds(range)], [true, false]);
    for (const [, { environment }] of membersOf(whole))
      assert.equal(environment?.TRUSTED_PROXIES, networks.front.ipv4_address);
  });

  it('replaces its ports where it speaks TLS, instead of adding to them', () => {
    for (const file of ['deploy/docker-compose.cluster-tls.yml', 'deploy/docker-compose.tls.yml'])
      assert.match(read(file), /ports: !override\n/, file);
    const { environment = {} } = written('deploy/docker-compose.cluster-tls.yml').services!.proxy;
    for (const name of Object.keys(environment)) assert.ok(caddyfile.includes(`{$${name}`), name);
  });
});

describe('three of each engine', () => {
  const whole = cluster(THREE);
  const environmentOf = (name: string): Readonly<Record<string, string | number>> =>
    whole.services[name].environment ?? {};

  it('are three nodes of KurrentDB that know each other by name', () => {
    const nodes = named(whole, 'events-');
    assert.equal(nodes.length, 3);
    for (const name of nodes) {
      const settings = environmentOf(name);
      assert.equal(settings.KURRENTDB_CLUSTER_SIZE, nodes.length, name);
      assert.equal(
        settings.KURRENTDB_GOSSIP_SEED,
        nodes
          .filter((each) => each !== name)
          .map((each) => `${each}:2113`)
          .join(),
        name,
      );
      for (const each of ['NODE_HOST_ADVERTISE_AS', 'REPLICATION_HOST_ADVERTISE_AS', 'ADVERTISE_HOST_TO_CLIENT_AS'])
        assert.equal(settings[`KURRENTDB_${each}`], name);
      assert.deepEqual(whole.services[name].volumes, [`${name}:/var/lib/kurrentdb`]);
      // One that waits for another to be healthy waits for ever: that takes two of them.
      assert.equal(whole.services[name].depends_on, undefined);
    }
  });

  it('are three members of the replica set, of which the first alone makes users', () => {
    const members = named(whole, 'mongo-');
    assert.equal(environmentOf('mongo-replica-set').MEMBERS, members.map((name) => `${name}:27017`).join());
    assert.deepEqual(Object.keys(whole.services['mongo-replica-set'].depends_on ?? {}).sort(), members);
    for (const name of members) {
      assert.equal(
        environmentOf(name).MONGO_INITDB_ROOT_PASSWORD,
        name === 'mongo-1' ? ENVIRONMENT.MONGO_ROOT_PASSWORD : '',
      );
      assert.equal(environmentOf(name).MONGO_REPLICA_KEY, ENVIRONMENT.MONGO_REPLICA_KEY);
      assert.deepEqual(whole.services[name].volumes, [`${name}:/data/db`]);
    }
  });

  it('are three servers of NATS with routes to each other, and as many replicas of the leases', () => {
    const servers = named(whole, 'nats-');
    for (const [, { environment }] of membersOf(whole)) assert.equal(environment?.NATS_REPLICAS, servers.length);
    for (const name of servers) {
      assert.equal(environmentOf(name).NATS_NAME, name);
      const routes = [1, 2, 3].map((number) => environmentOf(name)[`NATS_ROUTE_${number}`]);
      assert.deepEqual(
        routes,
        servers.map((each) => `"nats-route://route:${ENVIRONMENT.NATS_PASSWORD}@${each}:6222"`),
      );
      assert.deepEqual(whole.services[name].command?.at(-1), '/etc/nats/routes.conf');
      assert.ok(whole.services[name].volumes?.includes(`${name}:/data`));
    }
    const { volumes, entrypoint = [] } = whole.services['nats-folders'];
    assert.deepEqual(
      volumes?.map((volume) => volume.split(':')[1]),
      entrypoint.slice(2),
    );
    assert.deepEqual(
      volumes?.map((volume) => volume.split(':')[0]),
      servers,
    );
  });
});

describe('the settings of a cluster', () => {
  const example = read('deploy/cluster.env.example');
  const FILES = ['docker-compose.yml', 'deploy/docker-compose.three.yml'];

  it('name every variable that compose asks for, and nothing else', () => {
    const asked = new Set(FILES.flatMap((file) => [...variablesIn(read(file))]));
    const reported = new Set(Array.from(example.matchAll(/^(?:# )?([A-Z_]+)=/gm), ([, name]) => name));
    const own = ['COMPOSE_PROFILES', 'COMPOSE_PROJECT_NAME'];
    assert.deepEqual([...reported].sort(), [...asked, ...own].sort());
  });

  it('hold no secret in the example, and one of its own each time in what is made of it', () => {
    const secrets = Object.keys(ENVIRONMENT).filter((name) => /PASSWORD|_KEY$|_SECRET$/.test(name));
    assert.equal(secrets.length, 6);
    const again = variablesOf(execFileSync('sh', [join(ROOT, 'deploy/cluster/new-env.sh')], { encoding: 'utf8' }));
    for (const name of secrets) {
      assert.equal(variablesOf(example)[name], '', name);
      assert.match(ENVIRONMENT[name], /^\w{32,}$/, name);
      assert.notEqual(ENVIRONMENT[name], again[name], name);
    }
    assert.match(ENVIRONMENT.BOOTSTRAP_GRID_ID, /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/);
    assert.ok(read('.gitignore').split('\n').includes('deploy/cluster.env'));
  });

  it('are the only place of passwords', () => {
    for (const file of [...FILES, 'deploy/docker-compose.cluster-tls.yml']) {
      for (const { environment = {} } of Object.values(written(file).services ?? {})) {
        for (const [name, value] of Object.entries(environment)) {
          if (/PASSWORD|_KEY$|SECRET/.test(name)) assert.match(String(value), /^("?\$\{[A-Z_]+:-\}"?)?$/, name);
          for (const [, password] of String(value).matchAll(/:\/\/\w+:([^@]*)@/g))
            assert.match(password, /^\$\{[A-Z_]+:-\}$/, name);
        }
      }
    }
  });

  it('stand for a cluster without the one process, which is there without them', () => {
    assert.equal(cluster(ONE).services.hindsight.scale, '0');
    assert.equal(composed(ONE).services.hindsight.scale, '1');
    const alone = Object.entries(composed(ONE).services).filter(([, { profiles }]) => profiles === undefined);
    assert.deepEqual(
      alone.map(([name]) => name),
      ['hindsight'],
    );
    assert.deepEqual(
      [ENVIRONMENT.COMPOSE_PROFILES, ENVIRONMENT.COMPOSE_PROJECT_NAME],
      ['cluster', 'hindsight-cluster'],
    );
  });
});
