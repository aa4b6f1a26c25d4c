import type { Template } from '../assembly.ts'
import type { FunctionSpec } from '../functions/function.ts'
import { ACCOUNT, REGION } from '../intrinsics.ts'

/** A custom resource of the template, with every reference resolved. */
export interface CustomResourceSpec {
  readonly id: string
  readonly type: string
  readonly functionArn: string
  /** Seconds within which the function has to respond. */
  readonly timeout: number
  /** Its properties. Numbers and booleans are text, as in CloudFormation. */
  readonly properties: Readonly<Record<string, unknown>>
}

export interface CustomResource {
  readonly physicalId: string
  /** Attributes of `Fn::GetAtt`. */
  readonly data: Readonly<Record<string, unknown>>
}

export const isCustomResource = (type: string): boolean =>
  type.startsWith('Custom::') || type === 'AWS::CloudFormation::CustomResource'

/** CloudFormation user guide, "Custom resource request objects". */
export interface CustomResourceRequest {
  readonly RequestType: 'Create' | 'Update' | 'Delete'
  readonly ResponseURL: string
  readonly StackId: string
  readonly RequestId: string
  readonly ResourceType: string
  readonly LogicalResourceId: string
  readonly PhysicalResourceId?: string
  readonly ResourceProperties: Readonly<Record<string, unknown>>
  readonly OldResourceProperties?: Readonly<Record<string, unknown>>
}

export const stackId = (stackName: string) =>
  `arn:aws:cloudformation:${REGION}:${ACCOUNT}:stack/${stackName}/00000000-0000-0000-0000-000000000000`

/** Converts scalars to text at any depth. */
function asText(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asText)
  if (value === null || typeof value !== 'object') return String(value)
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, asText(item)]))
}

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
