import { CORS_OPTIONS } from '../http/api-cors.ts'
import { GENERATE_OPTIONS } from '../secrets/generated-secret.ts'
import { ROUTE_SETTINGS } from './routes.ts'

/**
 * The supported properties of a resource type. `honoured` ones behave as on AWS, `inert` ones have no effect here. Any
 * other property is refused, since its missing effect would not be noticed. `values` restricts a property to these;
 * undefined among them allows its absence. `options` are the supported members of a property that is an object.
 */
export interface Known {
  readonly honoured: readonly string[]
  readonly inert?: readonly string[]
  readonly values?: Readonly<Record<string, readonly unknown[]>>
  readonly options?: Readonly<Record<string, readonly string[]>>
}

export const KNOWN_RESOURCES: Readonly<Record<string, Known>> = {
  'AWS::Lambda::Function': {
    honoured: ['Code', 'Handler', 'Timeout', 'Environment', 'MemorySize', 'Runtime', 'DeadLetterConfig'],
    inert: [
      'Architectures',
      'Description',
      'KmsKeyArn',
      'Layers',
      'LoggingConfig',
      'RecursiveLoop',
      'ReservedConcurrentExecutions',
      'Role',
      'Tags',
      'TracingConfig',
    ],
    values: { Runtime: ['nodejs24.x'] },
    options: { DeadLetterConfig: ['TargetArn'] },
  },
  'AWS::Lambda::Version': { honoured: ['FunctionName'], inert: ['Description'] },
  'AWS::Lambda::EventInvokeConfig': {
    honoured: ['FunctionName', 'Qualifier', 'MaximumRetryAttempts', 'MaximumEventAgeInSeconds', 'DestinationConfig'],
    options: { DestinationConfig: ['OnFailure'] },
  },
  'AWS::StepFunctions::StateMachine': {
    honoured: ['DefinitionString', 'DefinitionSubstitutions', 'StateMachineName', 'StateMachineType'],
    inert: ['EncryptionConfiguration', 'LoggingConfiguration', 'RoleArn', 'Tags', 'TracingConfiguration'],
    values: { StateMachineType: [undefined, 'STANDARD'] },
  },
  'AWS::StepFunctions::StateMachineVersion': {
    honoured: ['StateMachineArn', 'StateMachineRevisionId'],
    inert: ['Description'],
  },
  'AWS::S3::Bucket': {
    honoured: ['NotificationConfiguration', 'BucketName', 'VersioningConfiguration', 'CorsConfiguration'],
    inert: [
      'BucketEncryption',
      'LifecycleConfiguration',
      'LoggingConfiguration',
      'OwnershipControls',
      'PublicAccessBlockConfiguration',
      'Tags',
    ],
    values: {
      NotificationConfiguration: [undefined, { EventBridgeConfiguration: { EventBridgeEnabled: true } }],
      VersioningConfiguration: [undefined, { Status: 'Enabled' }, { Status: 'Suspended' }],
    },
    options: { CorsConfiguration: ['CorsRules'] },
  },
  'AWS::SecretsManager::Secret': {
    honoured: ['SecretString', 'GenerateSecretString', 'Name'],
    inert: ['Description', 'KmsKeyId', 'Tags'],
    options: { GenerateSecretString: GENERATE_OPTIONS },
  },
  'AWS::SecretsManager::RotationSchedule': {
    honoured: ['SecretId', 'RotationLambdaARN', 'RotationRules', 'RotateImmediatelyOnUpdate'],
    options: { RotationRules: ['AutomaticallyAfterDays', 'Duration', 'ScheduleExpression'] },
  },
  'AWS::IAM::User': {
    honoured: ['UserName'],
    inert: ['Groups', 'ManagedPolicyArns', 'PermissionsBoundary', 'Policies', 'Tags'],
  },
  'AWS::IAM::AccessKey': { honoured: ['UserName', 'Status'], values: { Status: [undefined, 'Active'] } },
  'AWS::SQS::Queue': {
    honoured: ['QueueName', 'MessageRetentionPeriod', 'VisibilityTimeout'],
    inert: [
      'KmsDataKeyReusePeriodSeconds',
      'KmsMasterKeyId',
      'ReceiveMessageWaitTimeSeconds',
      'RedriveAllowPolicy',
      'SqsManagedSseEnabled',
      'Tags',
    ],
    values: { ReceiveMessageWaitTimeSeconds: [undefined, 0] },
  },
  'AWS::Events::Rule': {
    honoured: ['EventPattern', 'ScheduleExpression', 'Targets', 'State', 'Name', 'EventBusName'],
    inert: ['Description', 'RoleArn', 'Tags'],
    values: { State: [undefined, 'ENABLED', 'DISABLED'] },
  },
  'AWS::Events::EventBus': {
    honoured: ['Name'],
    inert: ['DeadLetterConfig', 'Description', 'KmsKeyIdentifier', 'LogConfig', 'Policy', 'Tags'],
  },
  'AWS::Scheduler::ScheduleGroup': { honoured: ['Name'], inert: ['Tags'] },
  'AWS::ApiGatewayV2::Api': {
    honoured: ['ProtocolType', 'CorsConfiguration'],
    inert: ['Name', 'Description', 'Tags'],
    values: { ProtocolType: ['HTTP'] },
    options: { CorsConfiguration: CORS_OPTIONS },
  },
  'AWS::ApiGatewayV2::Stage': {
    honoured: ['StageName', 'AutoDeploy', 'DefaultRouteSettings', 'RouteSettings', 'AccessLogSettings'],
    inert: ['ApiId', 'Description', 'Tags'],
    values: { StageName: ['$default'], AutoDeploy: [true] },
    options: { DefaultRouteSettings: ROUTE_SETTINGS, AccessLogSettings: ['DestinationArn', 'Format'] },
  },
  'AWS::ApiGatewayV2::Route': {
    honoured: ['RouteKey', 'Target', 'AuthorizationType', 'AuthorizationScopes', 'AuthorizerId'],
    inert: ['ApiId', 'OperationName'],
    values: { AuthorizationType: [undefined, 'NONE', 'JWT'] },
  },
  'AWS::ApiGatewayV2::Integration': {
    honoured: ['IntegrationType', 'IntegrationUri', 'PayloadFormatVersion'],
    inert: ['ApiId', 'Description'],
    values: { IntegrationType: ['AWS_PROXY'], PayloadFormatVersion: ['2.0'] },
  },
  'AWS::ApiGatewayV2::Authorizer': {
    honoured: ['AuthorizerType', 'IdentitySource', 'JwtConfiguration'],
    inert: ['ApiId', 'Name'],
    values: { AuthorizerType: ['JWT'], IdentitySource: [['$request.header.Authorization']] },
  },
}

/** Resources without an effect here: permissions, and those that are only displayed. */
export const INERT_RESOURCES: ReadonlySet<string> = new Set([
  'AWS::CloudWatch::Alarm',
  'AWS::CloudWatch::CompositeAlarm',
  'AWS::CloudWatch::Dashboard',
  'AWS::Events::EventBusPolicy',
  'AWS::EventSchemas::Registry',
  'AWS::EventSchemas::Schema',
  'AWS::IAM::ManagedPolicy',
  'AWS::IAM::Policy',
  'AWS::IAM::Role',
  'AWS::KMS::Alias',
  'AWS::KMS::Key',
  'AWS::Lambda::LayerVersion',
  'AWS::Lambda::Permission',
  'AWS::Logs::LogGroup',
  'AWS::Logs::MetricFilter',
  'AWS::Logs::ResourcePolicy',
  'AWS::S3::BucketPolicy',
  'AWS::SNS::Subscription',
  'AWS::SNS::Topic',
  'AWS::SNS::TopicPolicy',
  'AWS::SQS::QueuePolicy',
  'AWS::SecretsManager::ResourcePolicy',
])
