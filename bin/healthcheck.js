#!/usr/bin/env node
/**
 * Exits 0 while the service of this container or machine responds to /live on the loopback interface, else 1. Loads no
 * code of the service, so that it can run every few seconds.
 */
import { request as plain } from 'node:http';
import { request as secure } from 'node:https';

const { HTTP_PORT: port = '8080', BIND_ADDRESS: bound = '127.0.0.1', TLS_CERT_FILE: certificate } = process.env;
const host = ['0.0.0.0', '::'].includes(bound) ? '127.0.0.1' : bound;
const request = certificate ? secure : plain;

// The certificate is for the public host name, not for the loopback address; nothing secret is sent.
const probe = request(
  { host, port, path: '/live', timeout: 4_000, rejectUnauthorized: false, agent: false },
  (response) => {
    response.resume();
    process.exitCode = response.statusCode === 200 ? 0 : 1;
  },
);
probe.on('timeout', () => probe.destroy(new Error('no response within 4 s')));
probe.on('error', (error) => {
  console.error(`Service does not respond: ${error.message}`);
  process.exitCode = 1;
});
probe.end();
