import type { Assembly } from './assembly.ts'
import type { Events } from './events/events.ts'
import type { FunctionSpec } from './functions/function.ts'
import type { AccessKey } from './iam/access-keys.ts'
import { isCustomResource } from './stack/custom-resource.ts'
import type { StepFunctions } from './states/step-functions.ts'
import { type CloudOptions, wireCloud } from './wire-cloud.ts'

export type { CloudOptions } from './wire-cloud.ts'

/** AWS in this process: runs one synthesized assembly without a socket. */
export interface Cloud {
  /** Handles requests to any AWS service, as the server behind `AWS_ENDPOINT_URL`. */
  aws(request: Request): Promise<Response>
  /** Handles requests to the stack’s HTTP API. */
  api(request: Request): Promise<Response>
  readonly stepFunctions: StepFunctions
  readonly events: Events
  /** The functions of the last deployment. */
  readonly functions: readonly FunctionSpec[]
  /** The stack's outputs by name. */
  readonly outputs: Readonly<Record<string, string>>
  /** An access key that the cloud accepts. */
  readonly credentials: AccessKey
  /**
   * Deploys changed functions and state machines. Running executions keep their definition and its versions, with their
   * bundles, as long as the folder of the former assembly exists. New executions use the new ones.
   * @throws Error naming what of the assembly is not supported, or cannot change while the cloud runs
   */
  deploy(assembly: Assembly): void
  /** Resolves when no event is being delivered and no secret rotated. */
  settled(): Promise<void>
  /** Aborts executions and closes the stores. Running functions are not awaited. */
  close(): Promise<void>
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
  const { aws, api, stepFunctions, events, credentials, deploy, settled, close } = parts
  const { outputs } = parts.stack
  parts.start()
  return {
    ...{ aws, api, stepFunctions, events, outputs, credentials, deploy, settled, close },
    get functions() {
      return parts.stack.functions
    },
  }
}
