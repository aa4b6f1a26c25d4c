import type { AccessKeys } from './access-keys.ts'
import type { Assembly } from './assembly.ts'
import type { FunctionSpec } from './functions/function.ts'
import { type GenerateOptions, generateSecret } from './generated-secret.ts'
import { ACCOUNT, type Created, createResolver, REGION } from './intrinsics.ts'
import { type RuleProperties, type RuleSpec, readRule } from './rules.ts'
import type { Secrets } from './secrets.ts'

/** What a template says is to be run, with every reference resolved. */
export interface Stack {
  readonly functions: readonly FunctionSpec[]
  readonly machines: readonly { arn: string; name: string; definition: string }[]
  /** `announces`: whether its objects become events on the bus. */
  readonly buckets: readonly { name: string; announces: boolean }[]
  readonly rules: readonly RuleSpec[]
  readonly scheduleGroups: readonly string[]
  /** Whether the stack has this function, or version of one. */
  isFunction(arn: unknown): boolean
  readonly routes: readonly {
    key: string
    functionArn: string
    authorizer?: { issuer: string; audience: readonly string[] }
  }[]
  readonly outputs: Readonly<Record<string, string>>
}

export interface StackSurroundings {
  readonly secrets: Pick<Secrets, 'create'>
  readonly keys: Pick<AccessKeys, 'make'>
  readonly randomHex: (digits: number) => string
  /** Where the stack's HTTP API is reached. */
  readonly apiUrl: string
}

type Properties = Record<string, unknown>

/**
 * Reads the template's resources into what the laptop runs.
 * @throws Error naming what refers to something that is not there
 */
export function loadStack(
  { template, stackName, assetFolder }: Assembly,
  parameters: Readonly<Record<string, string>>,
  { secrets, keys, randomHex, apiUrl }: StackSurroundings,
): Stack {
  const typeOf = (id: string) => template.Resources[id]?.Type ?? ''
  const raw = (id: string) => (template.Resources[id]?.Properties ?? {}) as Properties
  const nameOf = (id: string, property: string) =>
    String(resolve(raw(id)[property]) ?? `${stackName}-${id}`.toLowerCase())

  const creators: Readonly<Record<string, (id: string) => Created>> = {
    'AWS::Lambda::Function': (id) => ({ ref: id, attributes: { Arn: functionArn(id) } }),
    'AWS::Lambda::Version': (id) => {
      const arn = `${functionArn(String(resolve(raw(id).FunctionName)))}:1`
      return { ref: arn, attributes: { FunctionArn: arn, Version: '1' } }
    },
    'AWS::StepFunctions::StateMachine': (id) => {
      const name = nameOf(id, 'StateMachineName')
      const arn = `arn:aws:states:${REGION}:${ACCOUNT}:stateMachine:${name}`
      return { ref: arn, attributes: { Arn: arn, Name: name } }
    },
    'AWS::S3::Bucket': (id) => {
      const name = nameOf(id, 'BucketName')
      return { ref: name, attributes: { Arn: `arn:aws:s3:::${name}` } }
    },
    'AWS::SecretsManager::Secret': (id) => {
      const { SecretString: text, GenerateSecretString: options = {} } = raw(id)
      const initial = () =>
        text ? String(resolve(text)) : generateSecret(resolve(options) as GenerateOptions, randomHex)
      return { ref: secrets.create(nameOf(id, 'Name'), within(id, initial)) }
    },
    'AWS::IAM::AccessKey': (id) => {
      const { accessKeyId, secretAccessKey } = keys.make(id)
      return { ref: accessKeyId, attributes: { SecretAccessKey: secretAccessKey } }
    },
    'AWS::IAM::Role': (id) => ({ ref: id, attributes: { Arn: `arn:aws:iam::${ACCOUNT}:role/${id}` } }),
    'AWS::Events::Rule': (id) => {
      const name = nameOf(id, 'Name')
      return { ref: name, attributes: { Arn: `arn:aws:events:${REGION}:${ACCOUNT}:rule/${name}` } }
    },
    'AWS::Scheduler::ScheduleGroup': (id) => {
      const name = nameOf(id, 'Name')
      return { ref: name, attributes: { Arn: `arn:aws:scheduler:${REGION}:${ACCOUNT}:schedule-group/${name}` } }
    },
    'AWS::ApiGatewayV2::Api': (id) => ({ ref: id, attributes: { ApiEndpoint: apiUrl } }),
  }
  const create = (id: string): Created => creators[typeOf(id)]?.(id) ?? { ref: id }
  const resolve = createResolver({ template, stackName, parameters, create })
  const attribute = (id: string, name: string) => resolve({ 'Fn::GetAtt': [id, name] }) as string
  const all: AllOf = (type) =>
    Object.keys(template.Resources)
      .filter((id) => typeOf(id) === type)
      .map((id) => ({ id, ref: resolve({ Ref: id }) as string, properties: resolve(raw(id)) as never }))

  all('AWS::SecretsManager::Secret') // those nobody refers to exist as well
  const functions = all<FunctionProperties>('AWS::Lambda::Function').map(({ id, properties }) => ({
    logicalId: id,
    name: id,
    arn: functionArn(id),
    folder: assetFolder(assetKey(id, properties)),
    handler: properties.Handler,
    environment: properties.Environment?.Variables ?? {},
    timeout: properties.Timeout ?? 3,
    memory: properties.MemorySize ?? 128,
  }))
  const isFunction = (arn: unknown) => functions.some((one) => arn === one.arn || arn === `${one.arn}:1`)
  const requireFunction = (user: string, arn: unknown): string => {
    if (!isFunction(arn))
      throw new Error(`${user}: ${String(arn)} is no function of the stack, and only those can be called.`)
    return String(arn)
  }

  const machines = all<MachineProperties>('AWS::StepFunctions::StateMachine').map(({ ref, properties }) => ({
    arn: ref,
    name: ref.split(':').at(-1) ?? '',
    definition: substitute(properties.DefinitionString, properties.DefinitionSubstitutions ?? {}),
  }))
  const kindOf = (arn: unknown) => {
    if (machines.some((one) => one.arn === arn)) return 'machine'
    return isFunction(arn) ? 'function' : undefined
  }

  return {
    functions,
    isFunction,
    machines,
    buckets: all<BucketProperties>('AWS::S3::Bucket').map(({ ref, properties }) => ({
      name: ref,
      announces: properties.NotificationConfiguration !== undefined, // the known resources allow just one
    })),
    rules: all<RuleProperties>('AWS::Events::Rule')
      .filter(({ properties }) => properties.State !== 'DISABLED')
      .map(({ id, properties }) => readRule({ id, arn: attribute(id, 'Arn'), properties }, kindOf)),
    scheduleGroups: all('AWS::Scheduler::ScheduleGroup').map(({ ref }) => ref),
    routes: readRoutes(all, requireFunction),
    outputs: Object.fromEntries(
      Object.entries(template.Outputs ?? {}).map(([name, { Value }]) => [name, String(resolve(Value))]),
    ),
  }
}

/** Every resource of a type, with its references resolved. */
type AllOf = <Shape = Properties>(type: string) => { id: string; ref: string; properties: Shape }[]

const functionArn = (logicalId: string) => `arn:aws:lambda:${REGION}:${ACCOUNT}:function:${logicalId}`

/** Definitions are substituted as CloudFormation does it: the text is replaced where it stands. */
const substitute = (definition: string, substitutions: Record<string, string>) =>
  definition.replace(/\$\{(\w+)\}/g, (whole, name: string) => substitutions[name] ?? whole)

function assetKey(id: string, { Code: { S3Key: key } }: FunctionProperties): string {
  if (typeof key === 'string') return key
  throw new Error(`${id}: only code that is an asset is known on a laptop.`)
}

/** Adds the resource to what is wrong with its properties. */
const within =
  <T>(id: string, act: () => T) =>
  (): T => {
    try {
      return act()
    } catch (error) {
      throw new Error(`${id}: ${(error as Error).message}`, { cause: error })
    }
  }

function readRoutes(all: AllOf, requireFunction: (user: string, arn: unknown) => string): Stack['routes'] {
  const integrations = all<IntegrationProperties>('AWS::ApiGatewayV2::Integration')
  const authorizers = all<AuthorizerProperties>('AWS::ApiGatewayV2::Authorizer')
  return all<RouteProperties>('AWS::ApiGatewayV2::Route').map(({ properties }) => {
    const { RouteKey: key, Target: target, AuthorizationType: authorization = 'NONE', AuthorizerId: id } = properties
    const integration = integrations.find(({ ref }) => target === `integrations/${ref}`)?.properties
    const route = { key, functionArn: requireFunction(key, integration?.IntegrationUri) }
    if (authorization === 'NONE') return route
    const jwt = authorizers.find(({ ref }) => ref === id)?.properties.JwtConfiguration
    if (!jwt?.Issuer || !jwt.Audience?.length)
      throw new Error(`${key}: a JWT authorizer needs an issuer and an audience.`)
    return { ...route, authorizer: { issuer: jwt.Issuer, audience: jwt.Audience } }
  })
}

interface FunctionProperties {
  Code: { S3Key?: unknown }
  Handler: string
  Timeout?: number
  MemorySize?: number
  Environment?: { Variables: Record<string, string> }
}
interface MachineProperties {
  DefinitionString: string
  DefinitionSubstitutions?: Record<string, string>
}
interface BucketProperties {
  NotificationConfiguration?: unknown
}
interface RouteProperties {
  RouteKey: string
  Target: string
  AuthorizationType?: string
  AuthorizerId?: string
}
interface IntegrationProperties {
  IntegrationUri: string
}
interface AuthorizerProperties {
  JwtConfiguration?: { Issuer?: string; Audience?: string[] }
}
