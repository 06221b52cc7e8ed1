import { availableParallelism } from 'node:os';
import type { Settings } from '../config/settings.js';
import { ClosedConnectionLog } from '../http/connection/closed-connection-log.js';
import { ClientResolver } from '../http/connection/client-resolver.js';
import type { ReloadingCertificate } from '../http/connection/reloading-certificate.js';
import { CredentialGuard } from '../http/limits/credential-guard.js';
import { ExportValidatorPool } from '../http/otlp/export-validator-pool.js';
import { IngestBacklog, NO_BACKPRESSURE } from '../http/otlp/ingest-backlog.js';
import { DEFAULT_OTLP_LIMITS } from '../http/otlp/otlp-limits.js';
import { createOtlpServer } from '../http/otlp/otlp-server.js';
import type { Logger } from '../self-telemetry/logger.js';
import { areReadModelsEmbedded } from './engines/engine-settings.js';
import { planConnectionLimits, readOpenFileLimit } from './connection-limits.js';
import { planMemory } from './engines/memory-plan.js';
import { PARTS, type RegisterPart } from './service-parts.js';

/** Registers the OTLP server and what it checks requests with. Without a certificate it serves plain text. */
export function registerIngestion(
  register: RegisterPart,
  settings: Settings,
  log: Logger,
  certificate: ReloadingCertificate | undefined,
): void {
  register(PARTS.clientResolver, () => new ClientResolver(settings.trustedProxies));
  register(PARTS.closedConnections, (parts) => new ClosedConnectionLog(log, parts.resolve(PARTS.metrics)));
  register(
    PARTS.credentialGuard,
    () => new CredentialGuard({ failuresPerMinute: settings.failedCredentialsPerMinute }),
  );
  register(PARTS.backlog, () => (areReadModelsEmbedded(settings) ? new IngestBacklog() : undefined));
  register(
    PARTS.validatorPool,
    () => new ExportValidatorPool({ threads: Math.max(1, availableParallelism() - 1), maxWaiting: 1024 }),
  );
  register(PARTS.otlpServer, (parts) =>
    createOtlpServer({
      store: parts.resolve(PARTS.eventStore),
      access: parts.resolve(PARTS.access),
      keyUses: parts.resolve(PARTS.keyUsage),
      validator: parts.resolve(PARTS.validatorPool),
      backlog: parts.resolve(PARTS.backlog) ?? NO_BACKPRESSURE,
      meters: parts.resolve(PARTS.metrics),
      log,
      now: Date.now,
      possibleNow: () => parts.resolve(PARTS.retentionClock).possibleNow(),
      bindAddress: settings.bindAddress,
      ports: { http: settings.otlpHttpPort, grpc: settings.otlpGrpcPort },
      allowedOrigins: settings.otlpAllowedOrigins,
      certificate,
      clients: parts.resolve(PARTS.clientResolver),
      limits: {
        ...planConnectionLimits(readOpenFileLimit(), settings.connectionsPerAddress).otlp,
        memoryBytes: planMemory(settings.memoryLimit, settings.roles).requestBytes,
        maxResponseMs: Math.max(DEFAULT_OTLP_LIMITS.maxResponseMs, settings.storeTimeoutMs),
      },
      closures: parts.resolve(PARTS.closedConnections),
      guard: parts.resolve(PARTS.credentialGuard),
    }),
  );
}
