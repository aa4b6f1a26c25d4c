import { isDeepStrictEqual } from 'node:util'
import type { Template, TemplateResource } from './assembly.ts'
import { GENERATE_OPTIONS } from './generated-secret.ts'

/**
 * What of a resource has an effect on a laptop. `honoured` properties do what they do on AWS, `inert` ones have no effect
 * here; a property in neither list is refused, since nobody would notice that it does nothing. `values` are the only ones
 * that a property is known with; undefined among them means that it may be left out. `options` are the only members of a
 * property that is an object.
 */
interface Known {
  readonly honoured: readonly string[]
  readonly inert?: readonly string[]
  readonly values?: Readonly<Record<string, readonly unknown[]>>
  readonly options?: Readonly<Record<string, readonly string[]>>
}

const behavioural: Readonly<Record<string, Known>> = {
  'AWS::Lambda::Function': {
    honoured: ['Code', 'Handler', 'Timeout', 'Environment', 'MemorySize', 'Runtime'],
    inert: ['Role', 'Description', 'Architectures', 'Layers', 'Tags', 'TracingConfig', 'LoggingConfig'],
    values: { Runtime: ['nodejs24.x'] },
  },
  'AWS::Lambda::Version': { honoured: ['FunctionName'] },
  'AWS::StepFunctions::StateMachine': {
    honoured: ['DefinitionString', 'DefinitionSubstitutions', 'StateMachineName'],
    inert: ['RoleArn', 'TracingConfiguration', 'LoggingConfiguration', 'Tags'],
  },
  'AWS::S3::Bucket': {
    honoured: ['NotificationConfiguration', 'BucketName'],
    inert: ['BucketEncryption', 'LifecycleConfiguration', 'PublicAccessBlockConfiguration', 'Tags'],
    values: { NotificationConfiguration: [undefined, { EventBridgeConfiguration: { EventBridgeEnabled: true } }] },
  },
  'AWS::SecretsManager::Secret': {
    honoured: ['SecretString', 'GenerateSecretString', 'Name'],
    inert: ['Description', 'Tags'],
    options: { GenerateSecretString: GENERATE_OPTIONS },
  },
  'AWS::IAM::AccessKey': { honoured: [], inert: ['UserName'] },
  'AWS::Events::Rule': {
    honoured: ['EventPattern', 'ScheduleExpression', 'Targets', 'State', 'Name', 'EventBusName'],
    inert: ['Description'],
    values: { State: [undefined, 'ENABLED', 'DISABLED'], EventBusName: [undefined, 'default'] },
  },
  'AWS::Scheduler::ScheduleGroup': { honoured: ['Name'], inert: ['Tags'] },
  'AWS::ApiGatewayV2::Api': {
    honoured: ['ProtocolType'],
    inert: ['Name', 'Description', 'Tags'],
    values: { ProtocolType: ['HTTP'] },
  },
  'AWS::ApiGatewayV2::Stage': {
    honoured: ['StageName', 'AutoDeploy'],
    inert: ['ApiId', 'Tags'],
    values: { StageName: ['$default'], AutoDeploy: [true] },
  },
  'AWS::ApiGatewayV2::Route': {
    honoured: ['RouteKey', 'Target', 'AuthorizationType', 'AuthorizerId'],
    inert: ['ApiId'],
    values: { AuthorizationType: [undefined, 'NONE', 'JWT'] },
  },
  'AWS::ApiGatewayV2::Integration': {
    honoured: ['IntegrationType', 'IntegrationUri', 'PayloadFormatVersion'],
    inert: ['ApiId'],
    values: { IntegrationType: ['AWS_PROXY'], PayloadFormatVersion: ['2.0'] },
  },
  'AWS::ApiGatewayV2::Authorizer': {
    honoured: ['AuthorizerType', 'IdentitySource', 'JwtConfiguration'],
    inert: ['ApiId', 'Name'],
    values: { AuthorizerType: ['JWT'], IdentitySource: [['$request.header.Authorization']] },
  },
}

/** Resources without an effect on a laptop: all say who may do what. */
const inert = new Set([
  'AWS::IAM::Role',
  'AWS::IAM::Policy',
  'AWS::IAM::User',
  'AWS::Lambda::Permission',
  'AWS::S3::BucketPolicy',
])

/** Rules only check parameters, and of a deployment that does not take place. */
const SECTIONS = ['AWSTemplateFormatVersion', 'Description', 'Metadata', 'Parameters', 'Resources', 'Outputs', 'Rules']
const ATTRIBUTES = ['Type', 'Properties', 'Metadata', 'DependsOn', 'DeletionPolicy', 'UpdateReplacePolicy']

/** @throws Error naming everything in the template that would do something on AWS and nothing here */
export function refuseUnknown(template: Template): void {
  const sections = Object.keys(template).filter((name) => !SECTIONS.includes(name))
  const problems = [
    ...sections.map((name) => `the section ${name}`),
    ...Object.entries(template.Resources).flatMap(([logicalId, resource]) => problemsOf(logicalId, resource)),
    ...apisBeyondOne(template),
  ]
  if (problems.length > 0) throw new Error(`The laptop does not know what to do with ${problems.join(', ')}.`)
}

function problemsOf(logicalId: string, resource: TemplateResource): string[] {
  const { Type: type, Properties: properties = {} } = resource
  const named = `${logicalId} (${type})`
  const attributes = Object.keys(resource).filter((name) => !ATTRIBUTES.includes(name))
  if (inert.has(type)) return attributes.map((name) => `${name} of ${named}`)
  const known = Object.hasOwn(behavioural, type) ? behavioural[type] : undefined
  if (!known) return [named]
  const { honoured, inert: without = [], values = {}, options = {} } = known
  const unknown = Object.keys(properties).filter((name) => !honoured.includes(name) && !without.includes(name))
  const wrong = Object.entries(values).filter(
    ([name, allowed]) => !allowed.some((value) => isDeepStrictEqual(value, properties[name])),
  )
  const others = Object.entries(options).flatMap(([name, allowed]) =>
    Object.keys(properties[name] ?? {})
      .filter((option) => !allowed.includes(option))
      .map((option) => `${option} of ${name}`),
  )
  return [
    ...[...attributes, ...unknown, ...others].map((name) => `${name} of ${named}`),
    ...wrong.map(([name]) => `the ${name} ${JSON.stringify(properties[name])} of ${named}`),
  ]
}

/** All routes are served at one address. */
function apisBeyondOne({ Resources }: Template): string[] {
  const apis = Object.entries(Resources).filter(([, { Type }]) => Type === 'AWS::ApiGatewayV2::Api')
  return apis.slice(1).map(([logicalId]) => `a second API, ${logicalId}`)
}
