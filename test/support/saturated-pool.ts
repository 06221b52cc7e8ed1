/** An OTLP/JSON export request of a database connection pool with 19 of 20 connections in use, in semantic conventions. */
export function saturatedPoolRequest(service: string, atMs: number): object {
  const point = (value: number, state?: string): object => ({
    timeUnixNano: `${atMs}000000`,
    asInt: String(value),
    attributes: [
      attribute('db.client.connection.pool.name', 'orders'),
      ...(state === undefined ? [] : [attribute('db.client.connection.state', state)]),
    ],
  });
  const sum = (name: string, ...dataPoints: object[]): object => ({
    name,
    unit: '{connection}',
    sum: { aggregationTemporality: 2, isMonotonic: false, dataPoints },
  });
  const metrics = [
    sum('db.client.connection.count', point(19, 'used'), point(1, 'idle')),
    sum('db.client.connection.max', point(20)),
  ];
  return {
    resourceMetrics: [{ resource: { attributes: [attribute('service.name', service)] }, scopeMetrics: [{ metrics }] }],
  };
}

function attribute(key: string, value: string): object {
  return { key, value: { stringValue: value } };
}
