// What a release contains of others: the Rust crates that `alinea` depends on, and the npm packages bundled into the page.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The crates of the binary: normal dependencies only, since build scripts and procedural macros are not part of it. */
export function crates() {
  const run = (command, ...args) => execFileSync(command, args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 });
  const host = run('rustc', '-vV').match(/^host: (.*)$/m)[1];
  const metadata = JSON.parse(run('cargo', 'metadata', '--format-version', '1', '--locked', '--filter-platform', host));
  const packages = new Map(metadata.packages.map((found) => [found.id, found]));
  const nodes = new Map(metadata.resolve.nodes.map((node) => [node.id, node]));
  const isMacro = ({ targets }) => targets.some(({ kind }) => kind.includes('proc-macro'));
  const reached = new Set();
  const waiting = metadata.packages.filter(({ name }) => name === 'alinea-cli').map(({ id }) => id);
  while (waiting.length) {
    const id = waiting.pop();
    if (reached.has(id) || isMacro(packages.get(id))) continue;
    reached.add(id);
    for (const { pkg, dep_kinds: kinds } of nodes.get(id).deps) {
      if (kinds.some(({ kind }) => kind === null)) waiting.push(pkg);
    }
  }
  const ours = new Set(metadata.workspace_members);
  return [...reached]
    .filter((id) => !ours.has(id))
    .map((id) => packages.get(id))
    .map(({ name, version, license, manifest_path: manifest }) => ({
      name,
      version,
      license,
      folder: dirname(manifest),
    }));
}

/** The licence of a package that lists several in the old way, which the lock file leaves out. */
const listed = (folder) =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    .licenses?.map(({ type }) => type)
    .join(' OR ');

/** The npm packages of the page, without those that only build or test it. */
export function npmPackages() {
  const lock = JSON.parse(readFileSync(join(root, 'web/package-lock.json'), 'utf8'));
  return Object.entries(lock.packages)
    .filter(([path, { dev, optional, peer }]) => path && !dev && !optional && !peer)
    .map(([path, { version, license }]) => ({
      name: path.replace(/^.*node_modules\//, ''),
      version,
      license,
      folder: join(root, 'web', path),
    }))
    .filter(({ folder }) => existsSync(folder))
    .map((found) => ({ ...found, license: found.license ?? listed(found.folder) }));
}
