import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A resource of a CloudFormation template. */
export interface TemplateResource {
  readonly Type: string
  readonly Properties?: Readonly<Record<string, unknown>>
}

export interface Template {
  readonly Parameters?: Readonly<Record<string, { readonly Default?: unknown }>>
  readonly Resources: Readonly<Record<string, TemplateResource>>
  readonly Outputs?: Readonly<Record<string, { readonly Value: unknown }>>
}

/** What `cdk synth` wrote, for the one stack in it. */
export interface Assembly {
  readonly stackName: string
  readonly template: Template
  /** Folder of an asset, by the object key under which a deployment would store it. */
  assetFolder(objectKey: string): string
}

interface Manifest {
  artifacts: Record<string, { type: string; properties?: { templateFile?: string; file?: string } }>
}

/** @throws Error when the folder holds no assembly, or one of several stacks */
export function readAssembly(directory: string): Assembly {
  const read = (file: string) => JSON.parse(readFileSync(join(directory, file), 'utf8'))
  const { artifacts } = read('manifest.json') as Manifest
  const stacks = Object.entries(artifacts).filter(([, { type }]) => type === 'aws:cloudformation:stack')
  const [stack] = stacks
  if (!stack || stacks.length > 1)
    throw new Error(`${directory} holds ${stacks.length} stacks; exactly one can be run.`)
  const assetsFile = Object.values(artifacts).find(({ type }) => type === 'cdk:asset-manifest')?.properties?.file
  const { files } = read(assetsFile ?? '') as { files: Record<string, { source: { path: string } }> }
  return {
    stackName: stack[0],
    template: read(stack[1].properties?.templateFile ?? '') as Template,
    assetFolder(objectKey) {
      const file = files[objectKey.replace(/\.zip$/, '')]
      if (!file) throw new Error(`The assembly has no asset ${objectKey}.`)
      return join(directory, file.source.path)
    },
  }
}
