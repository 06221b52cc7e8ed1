import Type from 'typebox';
import { ROLES } from '../../streams/events/grid-events.js';
import { SIGNALS, type Signal } from '../../telemetry/signals.js';
import { gridSecondaryId } from './assistant-schemas.js';
import { page, pageSize } from './trace-schemas.js';
import { choice, count, flag, instant, listing, listOf, nullable, number, record, text } from './schema-builders.js';

export const Grid = record('Grid', 'A Grid: telemetry, members and keys that belong together.', {
  gridSecondaryId,
  name: text('Name of the Grid.', 'shop'),
  apdexThresholdMs: count(
    'Requests within it satisfy, within four times it they are tolerated. Counts for what arrives from now on. Milliseconds.',
    500,
  ),
  errorRateThreshold: number('From this error rate on a service is degraded. Percent.', 5),
  apdexHealthThreshold: number('Below this Apdex a service is degraded.', 0.7),
  retentionDays: count(
    'Days for which telemetry is kept, by the Grid or, where it does not say, by RETENTION_DAYS of the service; 0: for ever.',
    30,
  ),
  subscriptionActive: flag(
    'While it is not, nothing but this record can be read or changed, and nothing is taken in.',
    true,
  ),
  createdAt: instant('When it was created.'),
});

export const Grids = listing('Grids', "The caller's Grids.", {
  grids: listOf(Grid, 'By name, then id; those without subscription, too.'),
});

export const Member = record('Member', 'A user or an application that may use a Grid.', {
  userId: text(
    'Id of the user (`oid`, else `sub` of the token), or client id of the application.',
    '8c1f0b6e-0a5d-4f27-9d0e-6a1b2c3d4e5f',
  ),
  role: choice(ROLES, 'What it may do.', 'Member'),
  addedAt: instant('When it was added; a change of its role leaves that.'),
  addedBy: text('Who added it.', 'owner'),
});

export const Members = listing('Members', 'The members of a Grid.', {
  members: listOf(Member, 'By when they were added.'),
});
const signal = choice<Signal>(SIGNALS, 'Kind of telemetry.', 'traces');
const keyId = text('Id of the key; stays when the key is regenerated.', 'Xb3kP9fQ2mL7tR4w');
const keyName = text('Name of the key.', 'checkout, production');

const LastSent = record('LastSent', 'The last request of one kind of telemetry that was taken.', {
  signal,
  at: instant('When it came.'),
  accepted: count('Records of it that were taken.', 120),
  rejected: count('Records of it that were rejected, each of which could never be taken.', 1),
  message: text('Why records were rejected; empty where none was.', 'span 3: the trace id is all zero'),
});

const LastRefused = record('LastRefused', 'The last request that was turned away whole, for a fault of its sender.', {
  signal: Type.Optional(signal),
  at: instant('When it came.'),
  reason: text('Why.', 'content-encoding may be gzip, deflate, zstd or identity, once'),
});

export const ApiKey = record('ApiKey', 'An API key without its secret.', {
  keyId,
  name: keyName,
  prefix: text('What the key begins with.', 'hs_Xb3kP9fQ2mL7tR4w_'),
  role: choice(['Member'] as const, 'What it may do in the Grid.'),
  createdAt: instant('When it was issued.'),
  createdBy: text('Who issued it.', 'owner'),
  lastUsedAt: nullable(
    instant('When it was used last.'),
    'When it was used last, by the API or by ingestion; null before the first use.',
  ),
  lastSent: listOf(LastSent, 'What it sent last: one entry for each kind of telemetry that it ever sent.'),
  lastRefused: Type.Optional(LastRefused),
});

export const ApiKeys = listing('ApiKeys', 'The API keys of a Grid.', {
  apiKeys: listOf(ApiKey, 'By when they were issued.'),
});

export const IssuedApiKey = record('IssuedApiKey', 'An API key with its secret, which is shown this once.', {
  keyId,
  name: keyName,
  apiKey: text('The key itself. Nobody can show it again.', 'hs_Xb3kP9fQ2mL7tR4w_<43 characters>'),
  createdAt: instant('When it was issued.'),
});

const AuditEntry = record('AuditEntry', 'What somebody did to the Grid.', {
  at: instant('When.'),
  actor: text(
    'Who: the id of a user or an application, `operator:<name>` on the machine itself, `system` for the first Grid.',
    'owner',
  ),
  action: text('What was done.', 'grid.settings-changed'),
  target: text('Id of what it was done to.', '7f0c1d52-6f0e-4b6b-9a53-2a1f0f2f6a10'),
  details: Type.Unsafe<Readonly<Record<string, unknown>>>({
    type: 'object',
    additionalProperties: true,
    description:
      'Of what came or went its values; of what was changed `from` and `to` of each value that differs. Never a secret.',
    examples: [{ apdexThresholdMs: { from: 500, to: 300 } }],
  }),
});

export const Audit = record('Audit', 'One page of what was done to the Grid.', {
  entries: listOf(AuditEntry, 'The newest first.'),
  totalCount: count('Entries on all pages together; exact.', 1),
  page,
  pageSize,
});
