import type { Template } from './assembly.ts'

export const ACCOUNT = '000000000000'
export const REGION = 'us-east-1'

export interface Created {
  readonly ref: string
  readonly attributes?: Readonly<Record<string, string>>
}

export interface ResolverOptions {
  readonly template: Template
  readonly stackName: string
  /** Parameters by name. Missing ones take the template’s defaults. */
  readonly parameters: Readonly<Record<string, string>>
  /** Creates a resource. Called once for each referenced resource. */
  readonly create: (logicalId: string) => Created
}

/**
 * Creates a function that resolves CloudFormation’s intrinsic functions in a value.
 * @throws Error at once for a parameter that the template does not have; the function throws for what it cannot resolve
 */
export function createResolver({ template, stackName, parameters, create }: ResolverOptions) {
  const defined = template.Parameters ?? {}
  const extra = Object.keys(parameters).find((name) => !Object.hasOwn(defined, name))
  if (extra) throw new Error(`The template has no parameter ${extra}.`)

  const created = new Map<string, Created>()
  const resource = (logicalId: string) => {
    const known = created.get(logicalId)
    if (known) return known
    if (!Object.hasOwn(template.Resources, logicalId))
      throw new Error(`The template refers to ${logicalId}, which it does not define.`)
    const made = create(logicalId)
    created.set(logicalId, made)
    return made
  }
  const parameter = (name: string): unknown => {
    const { Type: type = 'String', Default: initial } = defined[name] ?? {}
    if (type !== 'String')
      throw new Error(`The parameter ${name} is of type ${type}. Only String is supported locally.`)
    const value = parameters[name] ?? initial
    if (value === undefined) throw new Error(`The parameter ${name} has neither a value nor a default.`)
    return value
  }
  const pseudo = new Map([
    ['AWS::AccountId', ACCOUNT],
    ['AWS::Region', REGION],
    ['AWS::Partition', 'aws'],
    ['AWS::URLSuffix', 'amazonaws.com'],
    ['AWS::StackName', stackName],
  ])

  const condition = (name: string): boolean => {
    const { Conditions: conditions = {} } = template
    if (!Object.hasOwn(conditions, name)) throw new Error(`The template has no condition ${name}.`)
    return resolve(conditions[name]) === true
  }
  const ref = (name: string): unknown =>
    pseudo.get(name) ?? (Object.hasOwn(defined, name) ? parameter(name) : resource(name).ref)
  const attribute = (logicalId: string, name: string): string => {
    const value = resource(logicalId).attributes?.[name]
    if (value !== undefined) return value
    const type = template.Resources[logicalId]?.Type
    throw new Error(`The attribute ${name} of ${logicalId} (${type}) is not supported locally.`)
  }
  const substitute = (text: string, values: Readonly<Record<string, unknown>>) =>
    text.replace(/\$\{(!?)([^}]+)\}/g, (_, literal: string, name: string) => {
      if (literal) return `\${${name}}`
      if (Object.hasOwn(values, name)) return String(resolve(values[name]))
      const dot = name.indexOf('.')
      return dot < 0 ? String(ref(name)) : attribute(name.slice(0, dot), name.slice(dot + 1))
    })
  const functions: Readonly<Record<string, (argument: never) => unknown>> = {
    Ref: ref,
    'Fn::GetAtt': ([logicalId, name]: [string, string]) => attribute(logicalId, name),
    'Fn::Join': ([separator, parts]: [string, unknown]) => (resolve(parts) as string[]).join(separator),
    'Fn::Select': ([index, list]: [number, unknown]) => select(resolve(list) as unknown[], Number(index)),
    'Fn::Split': ([separator, text]: [string, unknown]) => String(resolve(text)).split(separator),
    'Fn::Sub': (argument: string | [string, Record<string, unknown>]) =>
      typeof argument === 'string' ? substitute(argument, {}) : substitute(...argument),
    'Fn::If': ([name, yes, no]: [string, unknown, unknown]) => resolve(condition(name) ? yes : no),
    'Fn::Equals': ([one, other]: [unknown, unknown]) => resolve(one) === resolve(other),
  }

  function resolve(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(resolve)
    if (value === null || typeof value !== 'object') return value
    const entries = Object.entries(value)
    const [name = '', argument] = entries[0] ?? []
    if (entries.length === 1 && Object.hasOwn(functions, name)) return functions[name]?.(argument as never)
    if (entries.length === 1 && name.startsWith('Fn::')) throw new Error(`${name} is not supported locally.`)
    return Object.fromEntries(entries.map(([key, item]) => [key, resolve(item)]))
  }
  return resolve
}

function select(list: unknown[], index: number): unknown {
  if (index in list) return list[index]
  throw new Error(`Fn::Select asks for member ${index} of a list of ${list.length}.`)
}
