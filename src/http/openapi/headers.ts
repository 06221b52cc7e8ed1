const text = { type: 'string' };

/** Headers of answers. */
export const HEADERS = {
  'X-Request-Id': { required: true, description: 'Correlation id: tell it to the operator of the service, whose log has it too.', schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,64}$' } },
  'WWW-Authenticate': { required: true, description: 'How to authenticate (RFC 6750).', schema: text },
  'Retry-After': { required: true, description: 'Seconds after which the same request may succeed.', schema: { type: 'integer', minimum: 1 } },
  'ETag': { required: true, description: 'Stands for exactly these bytes; send it as If-None-Match.', schema: text },
  'Record-ETag': { required: true, description: 'Stands for exactly this record; send it as If-Match to change or delete this one and no other.', schema: text },
  'Cache-Control': { required: true, description: 'For how long the answer may be kept.', schema: text },
  'Content-Disposition': { required: true, description: 'Shown in place, with a file name.', schema: text },
  'Vary': { required: true, description: 'Answers differ by who asks.', schema: text },
} as const;
