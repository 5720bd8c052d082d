// Prints the bill of materials of a release as CycloneDX: what it contains of others, with versions and licences. The same
// tree gives the same text.
//
// Usage: node scripts/sbom.mjs UNIX_SECONDS > alinea.cdx.json, after `npm ci` in web/.
import { readFileSync } from 'node:fs';

import { crates, npmPackages } from './third-party.mjs';

const toml = readFileSync(new URL('../Cargo.toml', import.meta.url), 'utf8');
const seconds = Number(process.argv[2]);
if (!Number.isInteger(seconds))
  throw new Error(`the time of the release is missing: node scripts/sbom.mjs UNIX_SECONDS`);

/** Older crates write MIT/Apache-2.0 for what SPDX writes MIT OR Apache-2.0. */
const licences = (license) => (license ? [{ expression: license.replace(/\s*\/\s*/g, ' OR ') }] : undefined);
const component = (kind, { name, version, license }) => {
  const purl = `pkg:${kind}/${name.replace('@', '%40')}@${version.replace('+', '%2B')}`;
  return { type: 'library', 'bom-ref': purl, name, version, licenses: licences(license), purl };
};
const found = [
  ...crates().map((found) => component('cargo', found)),
  ...npmPackages().map((found) => component('npm', found)),
];
// A package that lies in two folders is one component.
const components = [...new Map(found.map((one) => [one.purl, one])).values()].sort((a, b) =>
  a.purl < b.purl ? -1 : 1,
);
const bom = {
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  version: 1,
  metadata: {
    timestamp: new Date(1000 * seconds).toISOString(),
    component: {
      type: 'application',
      name: 'alinea',
      version: /^version = "(.*)"/m.exec(toml)[1],
      licenses: licences('MIT OR Apache-2.0'),
    },
  },
  components,
};
process.stdout.write(`${JSON.stringify(bom, null, 2)}\n`);
