// @vitest-environment node
// What `make dist` writes beside the programs: the bill of materials, and the same bytes each time.

import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

interface Component {
  name: string;
  version: string;
  purl: string;
  licenses?: { expression: string }[];
}

const root = resolve('..');
const run = (command: string, args: string[], cwd = root): string =>
  execFileSync(command, args, { cwd, encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'pipe'] });
const sbom = (...args: string[]): string => run('node', ['scripts/sbom.mjs', ...args]);

describe('the bill of materials', () => {
  const text = sbom('1700000000');
  const { metadata, components } = JSON.parse(text) as {
    metadata: { timestamp: string; component: { version: string } };
    components: Component[];
  };

  it('is the same each time, with the time that it is given', () => {
    expect(sbom('1700000000')).toBe(text);
    expect(metadata.timestamp).toBe('2023-11-14T22:13:20.000Z');
    expect(() => sbom()).toThrow('the time of the release is missing');
  });

  it('names what the release contains of others, once, and nothing else', () => {
    const purls = components.map(({ purl }) => purl);
    expect(purls).toEqual([...new Set(purls)].sort());
    const names = components.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['tokio', 'tungstenite', 'svelte', 'socket.io-client']));
    // Ours, what only builds or tests, and procedural macros.
    for (const other of ['alinea-rules', 'vite', 'vitest', 'tempfile', 'serde_derive'])
      expect(names).not.toContain(other);
  });

  it('has the versions of the lock files, and licences as SPDX writes them', () => {
    const locked = readFileSync(join(root, 'Cargo.lock'), 'utf8');
    for (const { name, version, purl, licenses } of components) {
      if (purl.startsWith('pkg:cargo/')) expect(locked).toContain(`name = "${name}"\nversion = "${version}"\n`);
      expect(licenses?.[0]?.expression, purl).toMatch(
        /^\(?[A-Z0-9][\w.+-]*( (AND|OR|WITH) \(?[A-Z0-9][\w.+-]*\)?)*\)?$/i,
      );
    }
  });

  it('agrees with the licences beside the program', () => {
    const licences = run('node', ['scripts/third-party-licenses.mjs']);
    for (const { name, version } of components) expect(licences).toContain(`${name} ${version}`);
  });
});

/** The commands of a workflow: after `run:`, on the same line or indented below it. */
const commandsOf = (workflow: string): string[] =>
  [...workflow.matchAll(/^( *)(?:- )?run: (?:([|>])\n((?:\1 {2,}.*\n|\n)+)|(?!\{)(.+)$)/gm)].map(
    ([, , kind, block, line]) =>
      (kind === '>' ? block!.replace(/\n\s*/g, ' ') : (block ?? line!)).replace(/\$\{\{.*?\}\}/g, 'value'),
  );

it.each(readdirSync(join(root, '.github/workflows')))('workflow %s runs what the tree has', (file) => {
  const workflow = readFileSync(join(root, '.github/workflows', file), 'utf8');
  const commands = commandsOf(workflow);
  expect(commands.length).toBe([...workflow.matchAll(/\brun: (?!\{)/g)].length);
  for (const command of commands) run('bash', ['-n', '-c', command]);
  const all = commands.join('\n');
  const named = (pattern: RegExp): string[] =>
    [...all.matchAll(pattern)].flatMap(([, names]) => names!.trim().split(/\s+/));
  const makefile = readFileSync(join(root, 'Makefile'), 'utf8');
  for (const target of named(/\bmake ([a-z -]+)$/gm)) expect(makefile).toMatch(new RegExp(`^${target}:`, 'm'));
  for (const crate of named(/ -p (\S+)/g))
    expect(existsSync(join(root, 'crates', crate.replace('alinea-', ''))), crate).toBe(true);
  const cargo = readFileSync(join(root, 'Cargo.toml'), 'utf8');
  for (const profile of named(/--profile (\S+)/g)) expect(cargo).toContain(`[profile.${profile}]`);
  for (const path of named(/(?<![\w./-])((?:tests|python|crates)\/[\w./-]+)/g))
    expect(existsSync(join(root, path)), path).toBe(true);
  for (const [, action] of workflow.matchAll(/uses: (.*)/g)) expect(action).toMatch(/^[\w-]+\/[\w-]+@v\d+$/);
});

// A clone with a program, a page and crates of a few bytes: the rest of the recipe is as in a release.
it.skipIf(!process.env['ALINEA_TEST_ALL'])(
  'make dist writes the same bytes twice, and true checksums',
  () => {
    const clone = mkdtempSync(join(tmpdir(), 'alinea-dist-'));
    onTestFinished(() => rmSync(clone, { recursive: true, force: true }));
    run('git', ['clone', '--quiet', '--shared', root, clone]);
    symlinkSync(join(root, 'web/node_modules'), join(clone, 'web/node_modules'));
    for (const file of ['alinea.wasm', 'book.bin', 'weights.bin'])
      copyFileSync(join(root, 'js', file), join(clone, 'js', file));
    const dist = (): Record<string, string> => {
      mkdirSync(join(clone, 'target/site'), { recursive: true });
      writeFileSync(join(clone, 'target/site/index.html'), '<!doctype html>');
      const built = ['wheel', 'package', 'site'].flatMap((part) => ['--old-file', part]);
      run('make', ['dist', 'BINARY=/bin/true', 'CRATES=', ...built], clone);
      run('sha256sum', ['--check', '--strict', 'SHA256SUMS'], join(clone, 'target/dist'));
      const files = readdirSync(join(clone, 'target/dist'));
      return Object.fromEntries(
        files.map((file) => [file, readFileSync(join(clone, 'target/dist', file)).toString('base64')]),
      );
    };
    const first = dist();
    expect(Object.keys(first).map((file) => file.replace(/\d+\.\d+\.\d+/, 'N'))).toEqual(
      expect.arrayContaining([
        'SHA256SUMS',
        'Containerfile',
        'alinea-N.cdx.json',
        'alinea-N-site.tar.gz',
        'alinea-N.tgz',
      ]),
    );
    rmSync(join(clone, 'target/dist'), { recursive: true });
    expect(dist()).toEqual(first);
  },
  120_000,
);
