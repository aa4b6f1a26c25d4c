import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** A resource of a CloudFormation template. */
export interface TemplateResource {
  readonly Type: string
  readonly Properties?: Readonly<Record<string, unknown>>
  /** Its treatment when the template no longer has it, and when another replaces it. */
  readonly DeletionPolicy?: string
  readonly UpdateReplacePolicy?: string
}

export interface Template {
  readonly Parameters?: Readonly<Record<string, { readonly Type?: string; readonly Default?: unknown }>>
  readonly Conditions?: Readonly<Record<string, unknown>>
  readonly Resources: Readonly<Record<string, TemplateResource>>
  readonly Outputs?: Readonly<Record<string, { readonly Value: unknown }>>
}

/** The output of `cdk synth` for its one stack. */
export interface Assembly {
  readonly stackName: string
  readonly template: Template
  /**
   * Returns the folder of an asset, by the object key under which a deployment would store it.
   * @throws Error when there is no such asset
   */
  assetFolder(objectKey: string): string
}

interface Manifest {
  artifacts?: Record<string, { type: string; properties?: { templateFile?: string; file?: string } }>
}

interface Assets {
  files: Record<string, { source: { path: string } }>
}

/** @throws Error when the folder has no assembly, or not exactly one stack */
export function readAssembly(directory: string): Assembly {
  const read = (file: string): unknown => {
    try {
      return JSON.parse(readFileSync(join(directory, file), 'utf8'))
    } catch (cause) {
      throw new Error(`${directory} has no assembly: ${file} cannot be read. Run cdk synth.`, { cause })
    }
  }
  const artifacts = Object.entries((read('manifest.json') as Manifest).artifacts ?? {})
  const stacks = artifacts.filter(([, { type }]) => type === 'aws:cloudformation:stack')
  const [stack] = stacks
  if (!stack || stacks.length > 1) throw new Error(`${directory} has ${stacks.length} stacks. Exactly one can be run.`)
  const [stackName, { properties }] = stack
  const assetsFile = artifacts.find(([, { type }]) => type === 'cdk:asset-manifest')?.[1].properties?.file
  const { files } = (assetsFile ? read(assetsFile) : { files: {} }) as Assets
  return {
    stackName,
    template: read(properties?.templateFile ?? `${stackName}.template.json`) as Template,
    assetFolder(objectKey) {
      const file = files[objectKey.replace(/\.zip$/, '')]
      if (!file) throw new Error(`The assembly has no asset ${objectKey}.`)
      return resolve(directory, file.source.path) // absolute for an asset that is not copied
    },
  }
}
