import type { Assembly } from '../../cloud/assembly.ts'
import { type CustomResource, isCustomResource } from '../../cloud/stack/custom-resource.ts'

/** Returns placeholders for an assembly’s custom resources: they belong to deployments, which are not simulated. */
export const provisionedResources = ({ template }: Assembly): Record<string, CustomResource> =>
  Object.fromEntries(
    Object.keys(template.Resources)
      .filter((id) => isCustomResource(template.Resources[id]?.Type ?? ''))
      .map((id) => [id, { physicalId: id, data: {} }]),
  )
