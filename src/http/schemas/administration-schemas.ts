import Type from 'typebox';
import { API_KEY_KINDS, ROLES } from '../../streams/events/grid-events.js';
import { SIGNALS, type Signal } from '../../telemetry/signals.js';
import { gridSecondaryId } from './assistant-schemas.js';
import { page, pageSize } from './trace-schemas.js';
import { choice, count, flag, instant, listing, listOf, nullable, number, record, text } from './schema-builders.js';

export const Grid = record('Grid', 'A Grid: a tenant with its own telemetry, members and API keys.', {
  gridSecondaryId,
  name: text('Name of the Grid.', 'shop'),
  apdexThresholdMs: count(
    'Apdex threshold: requests up to this duration are satisfied, up to four times as long tolerating. Changes apply to telemetry that arrives afterwards. Milliseconds.',
    500,
  ),
  errorRateThreshold: number('Error rate from which a service is degraded. Percent.', 5),
  apdexHealthThreshold: number('Apdex below which a service is degraded.', 0.7),
  retentionDays: count(
    'Days for which telemetry is retained: the setting of the Grid or, if it has none, RETENTION_DAYS of the service; 0: unlimited.',
    30,
  ),
  subscriptionActive: flag(
    'Whether the subscription is active. While it is inactive, only this record can be read or changed, and telemetry is rejected.',
    true,
  ),
  createdAt: instant('When it was created.'),
});

export const Grids = listing('Grids', "The caller's Grids.", {
  grids: listOf(Grid, 'Sorted by name, then id; includes Grids with an inactive subscription.'),
});

export const Member = record('Member', 'A user or an application with access to a Grid.', {
  userId: text(
    'Id of the user (`oid`, else `sub` of the token), or client id of the application.',
    '8c1f0b6e-0a5d-4f27-9d0e-6a1b2c3d4e5f',
  ),
  role: choice(ROLES, 'Role in the Grid.', 'Member'),
  addedAt: instant('When the member was added. Not affected by role changes.'),
  addedBy: text('Id of the user who added the member.', 'owner'),
});

export const Members = listing('Members', 'The members of a Grid.', {
  members: listOf(Member, 'Sorted by the time they were added.'),
});
const signal = choice<Signal>(SIGNALS, 'Kind of telemetry.', 'traces');
const keyId = text('Id of the key. Unchanged when the key is regenerated.', 'Xb3kP9fQ2mL7tR4w');
const keyName = text('Name of the key.', 'checkout, production');
const keyKind = choice(API_KEY_KINDS, 'What the key may do: send telemetry, read the API, or both (full).', 'send');

const LastSent = record('LastSent', 'The last accepted request for one kind of telemetry.', {
  signal,
  at: instant('When it was received.'),
  accepted: count('Number of accepted records.', 120),
  rejected: count('Number of rejected (invalid) records.', 1),
  message: text('Why records were rejected; empty if none were.', 'span 3: the trace id is all zero'),
});

const LastRefused = record(
  'LastRefused',
  'The last request that was rejected as a whole because of an error of the sender.',
  {
    signal: Type.Optional(signal),
    at: instant('When it was received.'),
    reason: text(
      'Reason of the rejection.',
      'content-encoding must be exactly one of gzip, deflate, zstd, snappy, lz4, identity',
    ),
  },
);

export const ApiKey = record('ApiKey', 'An API key without its secret.', {
  keyId,
  name: keyName,
  kind: keyKind,
  prefix: text('First characters of the key.', 'hs_Xb3kP9fQ2mL7tR4w_'),
  role: choice(['Member'] as const, 'Role in the Grid.'),
  createdAt: instant('When the key was issued.'),
  createdBy: text('Id of the user who issued the key.', 'owner'),
  lastUsedAt: nullable(
    instant('When the key was last used.'),
    'When the key was last used, with the API or for ingestion; null if never used.',
  ),
  lastSent: listOf(LastSent, 'The last accepted requests: one entry for each kind of telemetry sent with this key.'),
  lastRefused: Type.Optional(LastRefused),
});

export const ApiKeys = listing('ApiKeys', 'The API keys of a Grid.', {
  apiKeys: listOf(ApiKey, 'Sorted by the time they were issued.'),
});

export const IssuedApiKey = record('IssuedApiKey', 'An API key with its secret, which is shown only once.', {
  keyId,
  name: keyName,
  kind: keyKind,
  apiKey: text('The key with its secret. It cannot be displayed again.', 'hs_Xb3kP9fQ2mL7tR4w_<43 characters>'),
  createdAt: instant('When the key was issued.'),
});

const AuditEntry = record('AuditEntry', 'An audited action on the Grid.', {
  at: instant('When the action happened.'),
  actor: text(
    'Who performed the action: the id of a user or an application, `operator:<name>` for commands on the server, `system` for the initial Grid.',
    'owner',
  ),
  action: text('The action.', 'grid.settings-changed'),
  target: text('Id of the object of the action.', '7f0c1d52-6f0e-4b6b-9a53-2a1f0f2f6a10'),
  details: Type.Unsafe<Readonly<Record<string, unknown>>>({
    type: 'object',
    additionalProperties: true,
    description:
      'For created and deleted objects, their values; for changed objects, `from` and `to` of each changed value. Never contains secrets.',
    examples: [{ apdexThresholdMs: { from: 500, to: 300 } }],
  }),
});

export const Audit = record('Audit', 'One page of the audit log of the Grid.', {
  entries: listOf(AuditEntry, 'Sorted by time, newest first.'),
  totalCount: count('Exact number of entries on all pages.', 1),
  page,
  pageSize,
});
