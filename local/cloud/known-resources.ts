import type { Template } from './assembly.ts'

/**
 * What of the assembly has an effect on a laptop. `honoured` properties do what they do on AWS, `inert` ones have no
 * effect here; a property in neither list is refused, since nobody would notice that it does nothing.
 */
const behavioural: Readonly<Record<string, { honoured: readonly string[]; inert: readonly string[] }>> = {
  'AWS::Lambda::Function': {
    honoured: ['Code', 'Handler', 'Timeout', 'Environment', 'MemorySize'],
    inert: ['Role', 'Runtime', 'Description', 'Architectures', 'Layers', 'Tags', 'TracingConfig', 'LoggingConfig'],
  },
  'AWS::Lambda::Version': { honoured: ['FunctionName'], inert: [] },
  'AWS::StepFunctions::StateMachine': {
    honoured: ['DefinitionString', 'DefinitionSubstitutions', 'StateMachineName'],
    inert: ['RoleArn', 'TracingConfiguration', 'LoggingConfiguration', 'Tags'],
  },
  'AWS::S3::Bucket': {
    honoured: ['NotificationConfiguration', 'BucketName'],
    inert: ['BucketEncryption', 'LifecycleConfiguration', 'PublicAccessBlockConfiguration', 'Tags'],
  },
  'AWS::SecretsManager::Secret': {
    honoured: ['SecretString', 'GenerateSecretString', 'Name'],
    inert: ['Description', 'Tags'],
  },
  'AWS::IAM::AccessKey': { honoured: ['UserName'], inert: [] },
  'AWS::Events::Rule': { honoured: ['EventPattern', 'Targets', 'State'], inert: ['Description', 'Name'] },
  'AWS::ApiGatewayV2::Api': { honoured: ['ProtocolType'], inert: ['Name', 'Description', 'Tags'] },
  'AWS::ApiGatewayV2::Stage': { honoured: ['ApiId', 'StageName', 'AutoDeploy'], inert: ['Tags'] },
  'AWS::ApiGatewayV2::Route': {
    honoured: ['ApiId', 'RouteKey', 'Target', 'AuthorizationType', 'AuthorizerId'],
    inert: [],
  },
  'AWS::ApiGatewayV2::Integration': {
    honoured: ['ApiId', 'IntegrationType', 'IntegrationUri', 'PayloadFormatVersion'],
    inert: [],
  },
  'AWS::ApiGatewayV2::Authorizer': {
    honoured: ['ApiId', 'AuthorizerType', 'IdentitySource', 'JwtConfiguration'],
    inert: ['Name'],
  },
}

/** Resources without an effect on a laptop: who may do what, and what is told of it. */
const inert = new Set([
  'AWS::IAM::Role',
  'AWS::IAM::Policy',
  'AWS::IAM::User',
  'AWS::Lambda::Permission',
  'AWS::S3::BucketPolicy',
])

/** @throws Error naming every resource and property that would do something on AWS and nothing here */
export function refuseUnknown(template: Template): void {
  const problems = Object.entries(template.Resources).flatMap(([logicalId, { Type: type, Properties: properties }]) => {
    if (inert.has(type)) return []
    const known = behavioural[type]
    if (!known) return `${logicalId} (${type})`
    return Object.keys(properties ?? {})
      .filter((name) => !known.honoured.includes(name) && !known.inert.includes(name))
      .map((name) => `${name} of ${logicalId} (${type})`)
  })
  if (problems.length > 0) throw new Error(`The laptop does not know what to do with ${problems.join(', ')}.`)
}
