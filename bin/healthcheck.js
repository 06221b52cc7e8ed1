#!/usr/bin/env node
/**
 * Exits 0 while the service of this container or machine is alive, else 1: asks /live on the loopback interface.
 * Starts nothing and loads nothing of the program, so that it may run every few seconds.
 */
import { request as plain } from 'node:http';
import { request as secure } from 'node:https';

const { HTTP_PORT: port = '8080', BIND_ADDRESS: bound = '127.0.0.1', TLS_CERT_FILE: certificate } = process.env;
const host = ['0.0.0.0', '::'].includes(bound) ? '127.0.0.1' : bound;
const ask = certificate ? secure : plain;

// The certificate names the service as clients know it, not this loopback address; nothing secret is sent.
const asked = ask(
  { host, port, path: '/live', timeout: 4_000, rejectUnauthorized: false, agent: false },
  (response) => {
    response.resume();
    process.exitCode = response.statusCode === 200 ? 0 : 1;
  },
);
asked.on('timeout', () => asked.destroy(new Error('no answer within 4 s')));
asked.on('error', (error) => {
  console.error(`not alive: ${error.message}`);
  process.exitCode = 1;
});
asked.end();
