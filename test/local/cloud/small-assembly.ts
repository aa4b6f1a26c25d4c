import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Assembly, readAssembly, type Template } from '../../../local/cloud/assembly.ts'

type Resources = Record<string, { Type: string; Properties?: object; [attribute: string]: unknown }>

/** A template by its sections; resources come first, since most tests have nothing else. */
export interface SmallTemplate {
  Resources: Resources
  [section: string]: unknown
}

/** A private folder, removed when `using` leaves it. */
export function temporaryFolder(): { path: string; [Symbol.dispose](): void } {
  const path = mkdtempSync(join(tmpdir(), 'cloud-test-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

/** Writes what `cdk synth` would for this template; bundles are the text of `index.mjs` by asset. */
export function writeAssembly(
  directory: string,
  template: SmallTemplate,
  bundles: Readonly<Record<string, string>> = {},
): Assembly {
  const write = (file: string, content: unknown) => writeFileSync(join(directory, file), JSON.stringify(content))
  write('manifest.json', {
    artifacts: {
      'Small.assets': { type: 'cdk:asset-manifest', properties: { file: 'Small.assets.json' } },
      Small: { type: 'aws:cloudformation:stack', properties: { templateFile: 'Small.template.json' } },
    },
  })
  write('Small.template.json', template)
  const assets = Object.keys(bundles).map((asset) => [asset, { source: { path: `asset.${asset}` } }])
  write('Small.assets.json', { files: Object.fromEntries(assets) })
  for (const [asset, text] of Object.entries(bundles)) {
    mkdirSync(join(directory, `asset.${asset}`))
    writeFileSync(join(directory, `asset.${asset}`, 'index.mjs'), text)
  }
  return readAssembly(directory)
}

/** Returns an assembly without files: the folders of its assets do not exist. */
export const assemblyOf = (template: SmallTemplate): Assembly => ({
  stackName: 'Small',
  template: template as unknown as Template, // as free as what is read from a file
  assetFolder: (key) => join('/nowhere', key),
})

export const lambda = (asset: string, more: object = {}) => ({
  Type: 'AWS::Lambda::Function',
  Properties: {
    Runtime: 'nodejs24.x',
    Handler: 'index.handler',
    Code: { S3Bucket: 'assets', S3Key: `${asset}.zip` },
    ...more,
  },
})
