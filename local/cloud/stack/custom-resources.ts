import type { Template } from '../assembly.ts'
import type { FunctionSpec } from '../functions/function.ts'
import { asText, type CustomResourceSpec, isCustomResource } from './custom-resource.ts'

export interface CustomResourcesOptions {
  readonly template: Template
  readonly resolve: (value: unknown) => unknown
  readonly functions: readonly FunctionSpec[]
  /** Returns the ARN of a function of the stack. @throws Error naming the user of any other ARN */
  readonly requireFunction: (user: string, arn: unknown) => string
}

/** CloudFormation user guide, "AWS::CloudFormation::CustomResource", "ServiceTimeout". */
const MAX_S = 3600

/** @throws Error naming the resource that no function of the stack creates */
export function readCustomResources(options: CustomResourcesOptions): CustomResourceSpec[] {
  const { template, resolve, functions, requireFunction } = options
  return Object.entries(template.Resources).flatMap(([id, { Type: type, Properties = {} }]) => {
    if (!isCustomResource(type)) return []
    const { ServiceTimeout: timeout = MAX_S, ...properties } = resolve(Properties) as Record<string, unknown>
    const functionArn = requireFunction(id, properties.ServiceToken)
    const maker = functions.find(({ arn }) => functionArn.startsWith(arn))
    if (maker && 'USER_ON_EVENT_FUNCTION_ARN' in maker.environment)
      throw new Error(
        `${id}: CDK’s provider framework is not supported locally: name the function itself as the serviceToken.`,
      )
    return { id, type, functionArn, timeout: Number(timeout), properties: asText(properties) as typeof properties }
  })
}
