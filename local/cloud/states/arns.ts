import { AwsError } from '../endpoint/aws-json.ts'

export interface MachineArn {
  /** ARN without the version. */
  readonly unqualified: string
  readonly name: string
  readonly version: string | undefined
}

/** @throws AwsError InvalidArn */
export function parseMachineArn(arn: unknown): MachineArn {
  const parts = typeof arn === 'string' ? arn.split(':') : []
  const [prefix, , service, region, account, kind, name, version] = parts
  const isWhole = prefix === 'arn' && service === 'states' && region && account && kind === 'stateMachine' && name
  if (!isWhole || parts.length > 8 || version === '') throw invalidArn(arn)
  return { unqualified: parts.slice(0, 7).join(':'), name, version }
}

export const executionArn = (machine: MachineArn, name: string): string =>
  `${machine.unqualified.replace(':stateMachine:', ':execution:')}:${name}`

/** Checks and returns an execution’s ARN. @throws AwsError InvalidArn */
export function parseExecutionArn(arn: unknown): string {
  const parts = typeof arn === 'string' ? arn.split(':') : []
  if (parts.length !== 8 || parts[0] !== 'arn' || parts[2] !== 'states' || parts[5] !== 'execution')
    throw invalidArn(arn)
  return arn as string
}

const FUNCTION_ARN =
  /^arn:[\w-]+:lambda:[a-z0-9-]+:\d{12}:function:[A-Za-z0-9_-]{1,140}(:(\$LATEST|[A-Za-z0-9_-]{1,128}))?$/

export const isFunctionArn = (text: string): boolean => FUNCTION_ARN.test(text)

/** Returns the version or alias of an ARN; `$LATEST` without one. */
export const functionVersion = (arn: string): string => arn.split(':')[7] ?? '$LATEST'

const invalidArn = (arn: unknown) => new AwsError('InvalidArn', `Invalid Arn: 'Invalid ARN prefix: ${String(arn)}'`)
