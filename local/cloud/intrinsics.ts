import type { Template } from './assembly.ts'

/** Where the stack pretends to be deployed. */
export const ACCOUNT = '000000000000'
export const REGION = 'us-east-1'

/** What CloudFormation would know of a created resource: the value of its Ref and of its attributes. */
export interface Created {
  readonly ref: string
  readonly attributes?: Readonly<Record<string, string>>
}

export interface ResolverOptions {
  readonly template: Template
  readonly stackName: string
  readonly parameters: Readonly<Record<string, string>>
  /** Called once for each resource that is referred to. */
  readonly create: (logicalId: string) => Created
}

/**
 * Makes a function that replaces CloudFormation's intrinsic functions in a value of the template.
 * @throws Error naming what cannot be resolved
 */
export function createResolver({ template, stackName, parameters, create }: ResolverOptions) {
  const created = new Map<string, Created>()
  const resource = (logicalId: string) => {
    const known = created.get(logicalId)
    if (known) return known
    if (!template.Resources[logicalId])
      throw new Error(`The template refers to ${logicalId}, which it does not define.`)
    const made = create(logicalId)
    created.set(logicalId, made)
    return made
  }
  const pseudo: Readonly<Record<string, string>> = {
    'AWS::AccountId': ACCOUNT,
    'AWS::Region': REGION,
    'AWS::Partition': 'aws',
    'AWS::URLSuffix': 'amazonaws.com',
    'AWS::StackName': stackName,
  }

  const ref = (name: string): unknown => {
    if (name in pseudo) return pseudo[name]
    const parameter = template.Parameters?.[name]
    if (parameter) return parameters[name] ?? parameter.Default
    return resource(name).ref
  }
  const attribute = (logicalId: string, name: string): string => {
    const value = resource(logicalId).attributes?.[name]
    if (value === undefined) {
      const type = template.Resources[logicalId]?.Type
      throw new Error(`The attribute ${name} of ${logicalId} (${type}) is not known on a laptop.`)
    }
    return value
  }
  const functions: Readonly<Record<string, (argument: never) => unknown>> = {
    Ref: ref,
    'Fn::GetAtt': ([logicalId, name]: [string, string]) => attribute(logicalId, name),
    'Fn::Join': ([separator, parts]: [string, unknown[]]) => (resolve(parts) as string[]).join(separator),
    'Fn::Select': ([index, list]: [number, unknown]) => (resolve(list) as unknown[])[Number(index)],
    'Fn::Split': ([separator, text]: [string, unknown]) => String(resolve(text)).split(separator),
    'Fn::Sub': (text: string) =>
      text.replace(/\$\{([^}]+)\}/g, (_, name: string) => {
        const [logicalId = '', attributeName] = name.split('.')
        return attributeName ? attribute(logicalId, attributeName) : String(ref(logicalId))
      }),
  }

  function resolve(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(resolve)
    if (value === null || typeof value !== 'object') return value
    const entries = Object.entries(value)
    const [name = '', argument] = entries[0] ?? []
    const intrinsic = entries.length === 1 ? functions[name] : undefined
    if (intrinsic) return intrinsic(argument as never)
    if (entries.length === 1 && name.startsWith('Fn::')) throw new Error(`${name} is not known on a laptop.`)
    return Object.fromEntries(entries.map(([key, item]) => [key, resolve(item)]))
  }
  return resolve
}
