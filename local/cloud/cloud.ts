import type { Assembly } from './assembly.ts'
import type { Events } from './events/events.ts'
import type { FunctionSpec } from './functions/function.ts'
import type { AccessKey } from './iam/access-keys.ts'
import { isCustomResource } from './stack/custom-resource.ts'
import type { StepFunctions } from './states/step-functions.ts'
import { type CloudOptions, wireCloud } from './wire-cloud.ts'

export type { CloudOptions } from './wire-cloud.ts'

/** AWS on a laptop: runs one synthesized assembly, with no socket of its own. */
export interface Cloud {
  /** The endpoint of every AWS service: what `AWS_ENDPOINT_URL` names. */
  aws(request: Request): Promise<Response>
  /** The stack's HTTP API. */
  api(request: Request): Promise<Response>
  readonly stepFunctions: StepFunctions
  readonly events: Events
  /** As they were deployed last. */
  readonly functions: readonly FunctionSpec[]
  /** The stack's outputs by name. */
  readonly outputs: Readonly<Record<string, string>>
  /** A key with which the AWS SDK is let in. */
  readonly credentials: AccessKey
  /**
   * Deploys other functions and state machines. Executions under way keep their definition and the versions it names, with
   * their bundles, as long as the former assembly's folder is there; whatever starts from now on is new.
   * @throws Error naming what of the assembly cannot be run, or changes what cannot change while the cloud runs
   */
  deploy(assembly: Assembly): void
  /** Resolves once no event is being delivered and no secret rotated. */
  settled(): Promise<void>
  /** Aborts what runs and closes the stores; functions under way are not waited for. */
  close(): Promise<void>
}

/** @throws Error naming what of the assembly cannot be run on a laptop */
export function createCloud(options: CloudOptions): Cloud {
  const { assembly, customResources = {} } = options
  for (const [id, { Type: type }] of Object.entries(assembly.template.Resources))
    if (isCustomResource(type) && !Object.hasOwn(customResources, id))
      throw new Error(`What the custom resource ${id} has become is not known: deploy it before the rest.`)
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
