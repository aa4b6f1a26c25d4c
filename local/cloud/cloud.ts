import type { FunctionSpec } from './functions/function.ts'
import { type CustomResourceSpec, isCustomResource } from './stack/custom-resource.ts'
import { type CloudOptions, type WiredCloud, wireCloud } from './wire-cloud.ts'

export type { CloudOptions } from './wire-cloud.ts'

/** AWS in this process: runs one synthesized assembly without a socket. */
export interface Cloud
  extends Pick<
    WiredCloud,
    | 'aws'
    | 'api'
    | 's3'
    | 'secrets'
    | 'stepFunctions'
    | 'events'
    | 'scheduler'
    | 'credentials'
    | 'invocations'
    | 'deploy'
    | 'settled'
    | 'close'
  > {
  /** The functions of the last deployment. */
  readonly functions: readonly FunctionSpec[]
  /** The template's custom resources, for those who call their functions. */
  readonly customResources: readonly CustomResourceSpec[]
  /** The stack's outputs by name. */
  readonly outputs: Readonly<Record<string, string>>
}

/**
 * Creates a cloud and starts its schedules and rotations.
 * @throws Error naming what of the assembly is not supported
 */
export function createCloud(options: CloudOptions): Cloud {
  const { assembly, customResources = {} } = options
  for (const [id, { Type: type }] of Object.entries(assembly.template.Resources))
    if (isCustomResource(type) && !Object.hasOwn(customResources, id))
      throw new Error(`The custom resource ${id} is not deployed. Deploy it before the rest.`)
  const parts = wireCloud(options)
  const { aws, api, s3, secrets, stepFunctions, events, scheduler, credentials, invocations } = parts
  const { deploy, settled, close } = parts
  const { outputs, customResources: specs } = parts.stack
  parts.start()
  return {
    ...{ aws, api, s3, secrets, stepFunctions, events, scheduler, outputs, credentials, invocations },
    ...{ customResources: specs, deploy, settled, close },
    get functions() {
      return parts.stack.functions
    },
  }
}
