import type { Assembly } from '../../cloud/assembly.ts'
import { type CustomResource, isCustomResource } from '../../cloud/stack/custom-resource.ts'

/**
 * Returns placeholders for an assembly’s custom resources, which a simulated deployment creates later.
 * @param apiKey the key of the platform project, to which other resources refer
 */
export const provisionedResources = (
  { template }: Assembly,
  apiKey: string,
): Readonly<Record<string, CustomResource>> =>
  Object.fromEntries(
    Object.keys(template.Resources)
      .filter((id) => isCustomResource(template.Resources[id]?.Type ?? ''))
      .map((id) => [id, { physicalId: id, data: { ApiKey: apiKey } }]),
  )
