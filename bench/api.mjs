// `node api.mjs [examples] [seed]`: tests the HTTP interface against its OpenAPI document with schemathesis
// (`SCHEMATHESIS` names the program), with valid and invalid requests, single and in sequences: no server errors, all
// answers match the document, invalid requests are rejected, and unauthenticated clients get no private data.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { account, folder, post, startAlinea } from './server.mjs';

const [examples, seed] = [50, 1].map((usual, i) => String(process.argv[i + 2] ?? usual));
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'negative_data_rejection',
  'missing_required_header',
  'unsupported_method',
  'ignored_auth',
];

const place = folder();
// Also 413, for long bodies that are wrong in another way, too.
writeFileSync(
  join(place, 'schemathesis.toml'),
  '[checks]\nnegative_data_rejection.expected-statuses = ["4xx", "5xx"]\n',
);
const server = await startAlinea(join(place, 'data.db'));
const { cookie } = await account(server.url);
const { token } = await post(`${server.url}/api/tokens`, { cookie }, { label: 'schemathesis' });
const outgoing = spawn(
  process.env.SCHEMATHESIS ?? 'schemathesis',
  [
    ...['run', `${server.url}/api/openapi.json`],
    ...['--header', `Origin: ${server.url}`, '--header', `Authorization: Bearer ${token}`],
    // Endless streams, and a request that waits until a game is found.
    ...['/api/bot/events', '/api/tables/{table}/events', '/api/bot/seek'].flatMap((path) => ['--exclude-path', path]),
    ...['--checks', CHECKS.join(), '--max-examples', examples, '--seed', seed, '--continue-on-failure'],
    ...['--warnings', 'off'],
  ],
  // It writes its findings into the current folder.
  { stdio: 'inherit', cwd: place },
);
const [code] = await once(outgoing, 'exit').catch(({ message }) => {
  console.error(message);
  return [1];
});
if (server.child.exitCode !== null) console.error('the server has ended');
await server.kill('SIGTERM');
process.exit(code ?? 1);
