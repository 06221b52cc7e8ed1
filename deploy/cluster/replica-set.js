// For mongosh --nodb: the replica set has the members of MEMBERS, and the user of Hindsight his password.
// Run at every start of the cluster. What is there already stays: members are added, never removed.
const { MEMBERS, ROOT_PASSWORD, USER_PASSWORD } = process.env;
const SET = 'rs0';
const USER = 'hindsight';
const NOT_YET_INITIATED = 94;
const WAIT_MS = 60_000;

const hosts = MEMBERS.split(',');
if (!ROOT_PASSWORD || !USER_PASSWORD) throw new Error('MONGO_ROOT_PASSWORD and MONGO_PASSWORD are needed');

/** The database `admin`, once a server of these answers. */
function admin(servers, options) {
  return new Mongo(
    `mongodb://root:${encodeURIComponent(ROOT_PASSWORD)}@${servers}/admin?${options}&serverSelectionTimeoutMS=${WAIT_MS}`,
  ).getDB('admin');
}

function isInitiated(server) {
  try {
    return server.runCommand({ replSetGetStatus: 1 }).ok === 1;
  } catch (error) {
    if (error.code === NOT_YET_INITIATED) return false;
    throw error;
  }
}

/** One at a time, as the server wants it. A new member has no vote until it has copied what the others hold. */
function addMissing(primary) {
  for (const host of hosts) {
    const { config } = primary.runCommand({ replSetGetConfig: 1 });
    if (config.members.some((member) => member.host === host)) continue;
    const members = [...config.members, { _id: Math.max(...config.members.map(({ _id }) => _id)) + 1, host }];
    primary.runCommand({ replSetReconfig: { ...config, version: config.version + 1, members }, maxTimeMS: WAIT_MS });
    print(`added ${host}`);
  }
}

/** May read and write the database of Hindsight, and nothing else. */
function keepUser(primary) {
  const found = primary.runCommand({ usersInfo: USER }).users.length > 0;
  const roles = [{ role: 'readWrite', db: 'hindsight' }];
  primary.runCommand({
    [found ? 'updateUser' : 'createUser']: USER,
    pwd: USER_PASSWORD,
    roles,
    writeConcern: { w: 'majority', wtimeout: WAIT_MS },
  });
}

const first = admin(hosts[0], 'directConnection=true');
if (!isInitiated(first)) {
  first.runCommand({ replSetInitiate: { _id: SET, members: hosts.map((host, _id) => ({ _id, host })) } });
  print(`initiated ${SET}`);
}
const primary = admin(MEMBERS, `replicaSet=${SET}`);
addMissing(primary);
keepUser(primary);
print(
  `${SET}: ${primary
    .runCommand({ replSetGetConfig: 1 })
    .config.members.map(({ host }) => host)
    .join(', ')}`,
);
