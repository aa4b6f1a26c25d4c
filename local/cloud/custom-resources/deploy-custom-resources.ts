import { isDeepStrictEqual } from 'node:util'
import type { Template } from '../assembly.ts'
import { openPrivateFile } from '../endpoint/private-file.ts'
import {
  type CustomResource,
  type CustomResourceRequest,
  type CustomResourceSpec,
  isCustomResource,
  stackId,
} from '../stack/custom-resource.ts'
import { withNeeded } from '../stack/references.ts'
import { refuseUnknown } from '../stack/refuse-unknown.ts'
import { type CloudOptions, DEFAULT_AWS_URL, type WiredCloud, wireCloud } from '../wire-cloud.ts'
import { createResponses, type Responses } from './responses.ts'

export interface Kept extends CustomResource {
  readonly properties: CustomResourceSpec['properties']
}

/** The part of the cloud that functions call while custom resources are created. */
export type Provisional = Pick<WiredCloud, 'aws' | 'credentials'>

/**
 * Creates the template’s custom resources, or updates changed ones, before the resources that refer to them. Each runs
 * on a cloud with its dependencies only. The results are stored in the directory. Only `deleteStack` deletes them: a
 * deployment without them, or with a replacement, does not.
 * @param serve receives the server of AWS for the functions
 * @throws Error naming the resource that could not be created, with the function’s reason
 */
export async function deployCustomResources(
  options: CloudOptions,
  serve: (provisional: Provisional) => void,
): Promise<Readonly<Record<string, CustomResource>>> {
  const { assembly, directory, randomHex, awsUrl = DEFAULT_AWS_URL } = options
  const ids = inOrder(assembly.template)
  if (ids.length === 0) return {}
  refuseUnknown(assembly.template) // before anything is created
  if (!directory) throw new Error('Custom resources need a directory. Give the cloud one.')
  const { content: kept, save } = openKept(directory)
  const responses = createResponses(awsUrl, () => randomHex(64))
  const made: Record<string, CustomResource> = {}

  for (const id of ids) {
    const parts = wireCloud({ ...options, assembly: narrow(options, id), customResources: made })
    serve({ ...parts, aws: (request) => responses.take(request) ?? parts.aws(request) })
    try {
      const spec = parts.stack.customResources.find((one) => one.id === id) as CustomResourceSpec
      const former = Object.hasOwn(kept, id) ? kept[id] : undefined
      if (!former || !isDeepStrictEqual(former.properties, spec.properties)) {
        const request = former ? updateOf(former) : ({ RequestType: 'Create' } as const)
        kept[id] = { ...(await ask(spec, request, { options, parts, responses })), properties: spec.properties }
        save()
      }
      made[id] = kept[id] as Kept
    } catch (error) {
      throw new Error(`${id} could not be created: ${(error as Error).message}.`, { cause: error })
    } finally {
      await parts.close()
    }
  }
  return made
}

export const openKept = (directory: string) =>
  openPrivateFile<Record<string, Kept>>(directory, 'custom-resources.json', {})

const updateOf = ({ physicalId, properties }: Kept) => ({
  ...{ RequestType: 'Update' as const, PhysicalResourceId: physicalId, OldResourceProperties: properties },
})

interface Surroundings {
  readonly options: CloudOptions
  readonly parts: WiredCloud
  readonly responses: Responses
}

/** Calls the function, and waits until it responds, fails or times out. */
export async function ask(
  { id, type, functionArn, timeout, properties }: CustomResourceSpec,
  asked: Pick<CustomResourceRequest, 'RequestType' | 'PhysicalResourceId' | 'OldResourceProperties'>,
  { options: { assembly, clock, randomHex }, parts, responses }: Surroundings,
): Promise<CustomResource> {
  const request: Omit<CustomResourceRequest, 'ResponseURL'> = {
    ...asked,
    StackId: stackId(assembly.stackName),
    RequestId: randomHex(32),
    ResourceType: type,
    LogicalResourceId: id,
    ResourceProperties: properties,
  }
  const { url: ResponseURL, response } = responses.expect(request)
  const failed = Promise.withResolvers<never>()
  const timer = clock.at(clock.now() + timeout * 1000, () =>
    failed.reject(new Error(`its function did not respond within ${timeout} seconds`)),
  )
  // CloudFormation waits for the timeout of a failed function. Waiting would change nothing here.
  parts.invocations.invoke(functionArn, { ...request, ResponseURL }).catch(failed.reject)
  try {
    return await Promise.race([response, failed.promise])
  } finally {
    timer.cancel()
  }
}

/** Returns the assembly with one custom resource and its dependencies. */
export function narrow({ assembly }: CloudOptions, id: string): CloudOptions['assembly'] {
  const { Outputs: _, ...template } = assembly.template
  const needed = withNeeded(template, [id])
  const Resources = Object.fromEntries(Object.entries(template.Resources).filter(([name]) => needed.has(name)))
  return { ...assembly, template: { ...template, Resources } }
}

/** Returns the custom resources, each after its dependencies. @throws Error when two depend on each other */
export function inOrder(template: Template): string[] {
  const ids = Object.keys(template.Resources).filter((id) => isCustomResource(template.Resources[id]?.Type ?? ''))
  const needs = new Map(ids.map((id) => [id, ids.filter((one) => one !== id && withNeeded(template, [id]).has(one))]))
  const ordered: string[] = []
  while (ordered.length < ids.length) {
    const next = ids.filter((id) => !ordered.includes(id) && needs.get(id)?.every((one) => ordered.includes(one)))
    if (next.length === 0) throw new Error('Custom resources depend on each other.')
    ordered.push(...next)
  }
  return ordered
}
