import type { Assembly } from '../../cloud/assembly.ts'
import { type CustomResource, isCustomResource } from '../../cloud/stack/custom-resource.ts'

/** Returns what the custom resources of an assembly have become: they belong to deployments, which are not simulated. */
export const madeBefore = ({ template }: Assembly): Record<string, CustomResource> =>
  Object.fromEntries(
    Object.keys(template.Resources)
      .filter((id) => isCustomResource(template.Resources[id]?.Type ?? ''))
      .map((id) => [id, { physicalId: id, data: {} }]),
  )
