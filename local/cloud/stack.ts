import type { Assembly } from './assembly.ts'
import type { Pattern } from './events.ts'
import type { FunctionSpec } from './functions/function.ts'
import { ACCOUNT, type Created, createResolver, REGION } from './intrinsics.ts'
import type { Secrets } from './secrets.ts'

/** What a template says is to be run, with every reference resolved. */
export interface Stack {
  readonly functions: readonly FunctionSpec[]
  readonly machines: readonly { arn: string; name: string; definition: string }[]
  /** `announces`: whether its objects become events on the bus. */
  readonly buckets: readonly { name: string; announces: boolean }[]
  readonly rules: readonly { pattern: Pattern; functionArns: readonly string[] }[]
  readonly routes: readonly {
    key: string
    functionArn: string
    authorizer?: { issuer: string; audience: readonly string[] }
  }[]
  readonly outputs: Readonly<Record<string, string>>
}

export interface StackSurroundings {
  readonly secrets: Pick<Secrets, 'create'>
  readonly keys: { make(name: string): { accessKeyId: string; secretAccessKey: string } }
  readonly randomHex: (digits: number) => string
}

type Properties = Record<string, unknown>

/** Reads the template's resources into what the laptop runs. */
export function loadStack(
  { template, stackName, assetFolder }: Assembly,
  parameters: Readonly<Record<string, string>>,
  { secrets, keys, randomHex }: StackSurroundings,
): Stack {
  const typeOf = (id: string) => template.Resources[id]?.Type ?? ''
  const raw = (id: string) => (template.Resources[id]?.Properties ?? {}) as Properties
  const nameOf = (id: string, property: string) => String(raw(id)[property] ?? `${stackName}-${id}`.toLowerCase())

  const creators: Readonly<Record<string, (id: string) => Created>> = {
    'AWS::Lambda::Function': (id) => ({ ref: id, attributes: { Arn: functionArn(id) } }),
    'AWS::Lambda::Version': (id) => {
      const arn = `${functionArn((raw(id).FunctionName as { Ref: string }).Ref)}:1`
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
      const { SecretString, GenerateSecretString } = raw(id)
      if (GenerateSecretString && Object.keys(GenerateSecretString).length > 0)
        throw new Error(`${id}: options of GenerateSecretString are not known on a laptop.`)
      const initial = () => (SecretString === undefined ? randomHex(32) : String(resolve(SecretString)))
      return { ref: secrets.create(nameOf(id, 'Name'), initial) }
    },
    'AWS::IAM::AccessKey': (id) => {
      const { accessKeyId, secretAccessKey } = keys.make(id)
      return { ref: accessKeyId, attributes: { SecretAccessKey: secretAccessKey } }
    },
    'AWS::ApiGatewayV2::Api': (id) => ({ ref: id, attributes: { ApiEndpoint: parameters.ApiEndpoint ?? '' } }),
  }
  const create = (id: string): Created =>
    creators[typeOf(id)]?.(id) ?? { ref: id, attributes: { Arn: `arn:aws:local:::${id}` } }
  const resolve = createResolver({ template, stackName, parameters, create })
  const all = <Shape = Properties>(type: string) =>
    Object.keys(template.Resources)
      .filter((id) => typeOf(id) === type)
      .map((id) => ({ id, ref: resolve({ Ref: id }) as string, properties: resolve(raw(id)) as Shape }))

  all('AWS::SecretsManager::Secret') // those nobody refers to exist as well

  return {
    functions: all<LambdaProperties>('AWS::Lambda::Function').map(({ id, properties }) => ({
      logicalId: id,
      name: id,
      arn: functionArn(id),
      folder: assetFolder(properties.Code.S3Key),
      handler: properties.Handler,
      environment: properties.Environment?.Variables ?? {},
      timeout: properties.Timeout ?? 3,
      memory: properties.MemorySize ?? 128,
    })),
    machines: all<MachineProperties>('AWS::StepFunctions::StateMachine').map(({ ref, properties }) => ({
      arn: ref,
      name: ref.split(':').at(-1) ?? '',
      definition: substitute(properties.DefinitionString, properties.DefinitionSubstitutions ?? {}),
    })),
    buckets: all<BucketProperties>('AWS::S3::Bucket').map(({ ref, properties }) => ({
      name: ref,
      announces: properties.NotificationConfiguration?.EventBridgeConfiguration?.EventBridgeEnabled === true,
    })),
    rules: all<RuleProperties>('AWS::Events::Rule')
      .filter(({ properties }) => properties.State !== 'DISABLED')
      .map(({ id, properties: { EventPattern: pattern, Targets: targets } }) => ({
        pattern,
        functionArns: targets.map((target) => functionTarget(id, target)),
      })),
    routes: readRoutes(all),
    outputs: Object.fromEntries(
      Object.entries(template.Outputs ?? {}).map(([name, { Value }]) => [name, String(resolve(Value))]),
    ),
  }
}

const functionArn = (logicalId: string) => `arn:aws:lambda:${REGION}:${ACCOUNT}:function:${logicalId}`

/** Definitions are substituted as CloudFormation does it: the text is replaced where it stands. */
const substitute = (definition: string, substitutions: Record<string, string>) =>
  definition.replace(/\$\{(\w+)\}/g, (whole, name: string) => substitutions[name] ?? whole)

function functionTarget(rule: string, { Arn: arn, Id: _, ...rest }: RuleTarget): string {
  if (Object.keys(rest).length > 0)
    throw new Error(`${rule}: ${Object.keys(rest)} of a target is not known on a laptop.`)
  if (!arn.includes(':function:')) throw new Error(`${rule}: only functions can be targets on a laptop, not ${arn}.`)
  return arn
}

function readRoutes(all: <Shape>(type: string) => { id: string; ref: string; properties: Shape }[]): Stack['routes'] {
  const integrations = all<IntegrationProperties>('AWS::ApiGatewayV2::Integration')
  const authorizers = all<AuthorizerProperties>('AWS::ApiGatewayV2::Authorizer')
  return all<RouteProperties>('AWS::ApiGatewayV2::Route').map(({ properties }) => {
    const { RouteKey: key, Target: target, AuthorizationType: authorization = 'NONE' } = properties
    const integration = integrations.find(({ ref }) => target === `integrations/${ref}`)?.properties
    if (integration?.IntegrationType !== 'AWS_PROXY' || integration.PayloadFormatVersion !== '2.0')
      throw new Error(`${key}: only AWS_PROXY integrations of payload format 2.0 are known on a laptop.`)
    const functionArn = integration.IntegrationUri
    if (authorization === 'NONE') return { key, functionArn }
    const jwt = authorizers.find(({ ref }) => ref === properties.AuthorizerId)?.properties.JwtConfiguration
    if (authorization !== 'JWT' || !jwt)
      throw new Error(`${key}: the authorization ${authorization} is not known on a laptop.`)
    return { key, functionArn, authorizer: { issuer: jwt.Issuer, audience: jwt.Audience } }
  })
}

interface LambdaProperties {
  Code: { S3Key: string }
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
  NotificationConfiguration?: { EventBridgeConfiguration?: { EventBridgeEnabled?: boolean } }
}
interface RuleTarget {
  Arn: string
  Id: string
}
interface RuleProperties {
  State?: string
  EventPattern: Pattern
  Targets: RuleTarget[]
}
interface RouteProperties {
  RouteKey: string
  Target: string
  AuthorizationType?: string
  AuthorizerId?: string
}
interface IntegrationProperties {
  IntegrationType: string
  IntegrationUri: string
  PayloadFormatVersion: string
}
interface AuthorizerProperties {
  JwtConfiguration?: { Issuer: string; Audience: string[] }
}
