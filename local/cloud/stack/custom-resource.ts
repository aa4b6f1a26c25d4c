import { ACCOUNT, REGION } from '../intrinsics.ts'

/** A custom resource of the template, with every reference resolved. */
export interface CustomResourceSpec {
  readonly id: string
  readonly type: string
  /** ARN of the function that makes it. */
  readonly functionArn: string
  /** Seconds that the function has to respond. */
  readonly timeout: number
  /** All of its properties, with numbers and booleans as text, as CloudFormation hands them on. */
  readonly properties: Readonly<Record<string, unknown>>
}

/** What a custom resource became. */
export interface CustomResource {
  readonly physicalId: string
  /** What `Fn::GetAtt` finds. */
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

/** Scalars as text, at any depth. */
export function asText(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asText)
  if (value === null || typeof value !== 'object') return String(value)
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, asText(item)]))
}
