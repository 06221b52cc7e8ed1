import { areReadModelsEmbedded } from '../engines/engine-settings.js';
import type { Parts } from '../composition.js';
import { readinessOf } from './readiness.js';

/** Tells Prometheus how the components are, and of which cluster the process is where others belong to it. */
export function measureHealth(parts: Parts): void {
  const { metrics, settings } = parts;
  metrics.healthFrom(() => readinessOf(parts));
  if (!areReadModelsEmbedded(settings)) metrics.belongsTo(settings.clusterName);
}
