// `node api.mjs [examples] [seed]`: asks the HTTP interface what its document allows and much that it does not, one by
// one and in sequences, by schemathesis (`SCHEMATHESIS` names the program): no answer is an error of the server's, all are
// as the document says, whatever it does not allow is refused, and nothing is told to those who are not signed in.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
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

const server = await startAlinea(join(folder(), 'data.db'));
const { cookie } = await account(server.url);
const { token } = await post(`${server.url}/api/tokens`, { cookie }, { label: 'schemathesis' });
const asking = spawn(
  process.env.SCHEMATHESIS ?? 'schemathesis',
  [
    ...['run', `${server.url}/api/openapi.json`],
    ...['--header', `Origin: ${server.url}`, '--header', `Authorization: Bearer ${token}`],
    // The first never ends, and the second ends when a game is found.
    ...['--exclude-path', '/api/bot/events', '--exclude-path', '/api/bot/seek'],
    ...['--checks', CHECKS.join(), '--max-examples', examples, '--seed', seed, '--continue-on-failure'],
    ...['--warnings', 'off'],
  ],
  // It writes down what it found in the folder where it is.
  { stdio: 'inherit', cwd: folder() },
);
const [code] = await once(asking, 'exit').catch(({ message }) => {
  console.error(message);
  return [1];
});
if (server.child.exitCode !== null) console.error('the server has ended');
await server.kill('SIGTERM');
process.exit(code ?? 1);
