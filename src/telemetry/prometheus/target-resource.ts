import type { Label } from './remote-write.js';

/** The labels of a series, divided into what describes its target and what describes its values. */
export interface DividedLabels {
  /** `__name__`, "" if absent. */
  readonly name: string;
  readonly resource: readonly Label[];
  readonly attributes: readonly Label[];
}

/**
 * `job` and `instance` become attributes of the resource: the reverse of how OpenTelemetry makes them (specification,
 * compatibility/prometheus_and_openmetrics.md, "Resource Attributes"), where `job` is `service.namespace/service.name`.
 */
export function divideLabels(labels: readonly Label[]): DividedLabels {
  let [name, job, instance] = ['', '', ''];
  const attributes: Label[] = [];
  for (const label of labels) {
    if (label[0] === '__name__') name = label[1];
    else if (label[0] === 'job') job = label[1];
    else if (label[0] === 'instance') instance = label[1];
    else attributes.push(label);
  }
  return { name, resource: toResource(job, instance), attributes };
}

function toResource(job: string, instance: string): readonly Label[] {
  const slash = job.indexOf('/');
  const hasNamespace = slash > 0 && slash < job.length - 1;
  const resource: readonly Label[] = [
    ['service.namespace', hasNamespace ? job.slice(0, slash) : ''],
    ['service.name', hasNamespace ? job.slice(slash + 1) : job],
    ['service.instance.id', instance],
  ];
  return resource.filter(([, value]) => value !== '');
}
