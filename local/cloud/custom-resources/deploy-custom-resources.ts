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

/** A custom resource as it is kept. */
export interface Kept extends CustomResource {
  readonly properties: CustomResourceSpec['properties']
}

/** What of the cloud functions reach while custom resources are made. */
export type Provisional = Pick<WiredCloud, 'aws' | 'credentials'>

/**
 * Creates the template's custom resources, or updates those whose properties have changed, as CloudFormation does before
 * what refers to them: each on a cloud that has just what it needs. What they became is kept in the directory. They are not
 * deleted with the stack (`deleteStack`), but neither when the template no longer has them nor when another takes their place.
 * @param serve told where functions are to reach AWS
 * @throws Error naming the resource that could not be made, with the reason its function gave
 */
export async function deployCustomResources(
  options: CloudOptions,
  serve: (provisional: Provisional) => void,
): Promise<Readonly<Record<string, CustomResource>>> {
  const { assembly, directory, randomHex, awsUrl = DEFAULT_AWS_URL } = options
  const ids = inOrder(assembly.template)
  if (ids.length === 0) return {}
  refuseUnknown(assembly.template) // before anything is made
  if (!directory) throw new Error('Custom resources are kept in a directory: give the cloud one.')
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
      throw new Error(`${id} could not be made: ${(error as Error).message}.`, { cause: error })
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

/** Calls the function and waits until it has responded, has failed, or its time is up. */
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
  // CloudFormation waits for its time to be up when a function fails; there is nothing to wait for.
  parts.invocations.invoke(functionArn, { ...request, ResponseURL }).catch(failed.reject)
  try {
    return await Promise.race([response, failed.promise])
  } finally {
    timer.cancel()
  }
}

/** Returns the assembly with one custom resource and what it needs. */
export function narrow({ assembly }: CloudOptions, id: string): CloudOptions['assembly'] {
  const { Outputs: _, ...template } = assembly.template
  const needed = withNeeded(template, [id])
  const Resources = Object.fromEntries(Object.entries(template.Resources).filter(([name]) => needed.has(name)))
  return { ...assembly, template: { ...template, Resources } }
}

/** Returns the custom resources, each after those that it needs. @throws Error when two need each other */
export function inOrder(template: Template): string[] {
  const ids = Object.keys(template.Resources).filter((id) => isCustomResource(template.Resources[id]?.Type ?? ''))
  const needs = new Map(ids.map((id) => [id, ids.filter((one) => one !== id && withNeeded(template, [id]).has(one))]))
  const ordered: string[] = []
  while (ordered.length < ids.length) {
    const next = ids.filter((id) => !ordered.includes(id) && needs.get(id)?.every((one) => ordered.includes(one)))
    if (next.length === 0) throw new Error('There are custom resources that need each other.')
    ordered.push(...next)
  }
  return ordered
}
