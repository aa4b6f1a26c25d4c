import { describe, expect, it } from 'vitest'
import { lambda, type SmallTemplate } from '../small-assembly.ts'
import { createSmallCloud } from '../small-cloud.ts'

const BUCKET = { Type: 'AWS::S3::Bucket' }
const load = (template: SmallTemplate, parameters: Record<string, string> = {}) =>
  createSmallCloud(template, {}, { parameters }).cloud
/** Returns a value of the template, resolved in an output. */
const resolved = (Value: unknown, sections: object = {}, parameters: Record<string, string> = {}) =>
  load({ Resources: { Media: BUCKET }, ...sections, Outputs: { It: { Value } } }, parameters).outputs.It

describe('createCloud, reading a template', () => {
  it('makes functions of its resources, with every reference in place', () => {
    const { functions } = load({
      Resources: {
        Media: BUCKET,
        Role: { Type: 'AWS::IAM::Role' },
        Work: lambda('abc', {
          Timeout: 30,
          MemorySize: 512,
          Role: { 'Fn::GetAtt': ['Role', 'Arn'] },
          Environment: { Variables: { BUCKET: { Ref: 'Media' } } },
        }),
        Plain: lambda('def'),
      },
    })
    expect(functions).toEqual([
      {
        logicalId: 'Work',
        name: 'Work',
        arn: 'arn:aws:lambda:us-east-1:000000000000:function:Work',
        folder: '/nowhere/abc.zip',
        handler: 'index.handler',
        environment: { BUCKET: 'small-media' },
        timeout: 30,
        memory: 512,
      },
      expect.objectContaining({ name: 'Plain', environment: {}, timeout: 3, memory: 128 }),
    ])
  })

  it.each([
    ['Ref of a resource', { Ref: 'Media' }, 'small-media'],
    ['Ref of a pseudo parameter', { Ref: 'AWS::Region' }, 'us-east-1'],
    ['Fn::GetAtt', { 'Fn::GetAtt': ['Media', 'Arn'] }, 'arn:aws:s3:::small-media'],
    ['Fn::Join', { 'Fn::Join': ['-', ['a', { Ref: 'AWS::StackName' }]] }, 'a-Small'],
    ['Fn::Split and Fn::Select', { 'Fn::Select': [1, { 'Fn::Split': ['-', 'a-b'] }] }, 'b'],
    [
      'Fn::Sub',
      { 'Fn::Sub': '${AWS::AccountId} ${Media} ${Media.Arn}' },
      '000000000000 small-media arn:aws:s3:::small-media',
    ],
    [
      'Fn::Sub with a map',
      { 'Fn::Sub': ['${A} ${!A} ${Media}', { A: { Ref: 'AWS::Region' } }] },
      'us-east-1 ${A} small-media',
    ],
  ])('resolves %s', (_what, value, expected) => {
    expect(resolved(value)).toBe(expected)
  })

  it('resolves Fn::If by a condition that compares a parameter', () => {
    const sections = {
      Parameters: { Url: { Type: 'String', Default: 'as in the settings' } },
      Conditions: { UrlIsSet: { 'Fn::Equals': [{ Ref: 'Url' }, 'as in the settings'] } },
    }
    const value = { 'Fn::If': ['UrlIsSet', { Ref: 'Media' }, { Ref: 'Url' }] }
    expect(resolved(value, sections)).toBe('small-media')
    expect(resolved(value, sections, { Url: 'http://b.invalid' })).toBe('http://b.invalid')
  })

  it('takes a parameter’s value, else its default', () => {
    const sections = { Parameters: { Url: { Type: 'String', Default: 'http://a.invalid' } } }
    expect(resolved({ Ref: 'Url' }, sections)).toBe('http://a.invalid')
    expect(resolved({ Ref: 'Url' }, sections, { Url: 'http://b.invalid' })).toBe('http://b.invalid')
  })

  it.each([
    ['a Ref', { Ref: 'Gone' }, {}, 'The template refers to Gone, which it does not define.'],
    [
      'an attribute',
      { 'Fn::GetAtt': ['Media', 'DomainName'] },
      {},
      'The attribute DomainName of Media (AWS::S3::Bucket)',
    ],
    ['an attribute in text', { 'Fn::Sub': '${Media.DomainName}' }, {}, 'The attribute DomainName of Media'],
    ['a function', { 'Fn::Base64': 'a' }, {}, 'Fn::Base64 is not supported locally.'],
    ['a condition', { 'Fn::If': ['Large', 'a', 'b'] }, {}, 'The template has no condition Large.'],
    ['a member of a list', { 'Fn::Select': [2, ['a']] }, {}, 'Fn::Select asks for member 2 of a list of 1.'],
    [
      'a parameter',
      { Ref: 'Url' },
      { Parameters: { Url: {} } },
      'The parameter Url has neither a value nor a default.',
    ],
    [
      'a parameter of a type that needs AWS',
      { Ref: 'Image' },
      { Parameters: { Image: { Type: 'AWS::SSM::Parameter::Value<String>', Default: '/a' } } },
      'The parameter Image is of type AWS::SSM::Parameter::Value<String>. Only String is supported locally.',
    ],
  ])('names %s that cannot be resolved', (_what, value, sections, message) => {
    expect(() => resolved(value, sections)).toThrow(message)
  })

  it('refuses a parameter that the template does not have', () => {
    expect(() => load({ Resources: {} }, { Url: 'x' })).toThrow('The template has no parameter Url.')
  })

  it('names everything at once that it does not know what to do with', () => {
    const template = {
      Mappings: {},
      Resources: {
        Fleet: { Type: 'AWS::GameLift::Fleet' },
        Media: { Type: 'AWS::S3::Bucket', Properties: { ReplicationConfiguration: {} } },
        Work: { ...lambda('abc', { Runtime: 'python3.14' }), Condition: 'Large' },
        Quiet: { Type: 'AWS::IAM::Policy', Properties: { PolicyDocument: { Whatever: true } } },
      },
    }
    expect(() => load(template)).toThrow(
      'The local cloud does not support the section Mappings, Fleet (AWS::GameLift::Fleet), ' +
        'ReplicationConfiguration of Media (AWS::S3::Bucket), Condition of Work (AWS::Lambda::Function), ' +
        'the Runtime "python3.14" of Work (AWS::Lambda::Function).',
    )
  })

  it('passes over what is only looked at, and over what of it cannot be known', () => {
    const { outputs } = load({
      Resources: {
        Media: { ...BUCKET, Properties: { LoggingConfiguration: { DestinationBucketName: { Ref: 'Media' } } } },
        Logs: { Type: 'AWS::Logs::LogGroup', Properties: { RetentionInDays: 30 } },
        Errors: { Type: 'AWS::Logs::MetricFilter', Properties: { LogGroupName: { Ref: 'Logs' } } },
        Work: lambda('abc', {
          LoggingConfig: { LogGroup: { Ref: 'Logs' } },
          TracingConfig: { Mode: 'Active' },
          ReservedConcurrentExecutions: 5,
          RecursiveLoop: 'Terminate',
          Layers: [{ 'Fn::GetAtt': ['Layer', 'SomethingNobodyKnows'] }],
        }),
        Layer: { Type: 'AWS::Lambda::LayerVersion' },
        Topic: { Type: 'AWS::SNS::Topic' },
        Mail: { Type: 'AWS::SNS::Subscription', Properties: { TopicArn: { Ref: 'Topic' } } },
        Overdue: { Type: 'AWS::CloudWatch::Alarm', Properties: { AlarmActions: [{ Ref: 'Topic' }] } },
        Any: { Type: 'AWS::CloudWatch::CompositeAlarm' },
        Board: { Type: 'AWS::CloudWatch::Dashboard' },
        Queue: { Type: 'AWS::SQS::Queue' },
        Send: { Type: 'AWS::SQS::QueuePolicy', Properties: { Queues: [{ Ref: 'Queue' }] } },
      },
      Outputs: {
        Topic: { Value: { Ref: 'Topic' } },
        Alarm: { Value: { 'Fn::GetAtt': ['Overdue', 'Arn'] } },
        Logs: { Value: { 'Fn::GetAtt': ['Logs', 'Arn'] } },
      },
    })
    expect(outputs).toEqual({
      Topic: 'arn:aws:sns:us-east-1:000000000000:Topic',
      Alarm: 'arn:aws:cloudwatch:us-east-1:000000000000:alarm:Overdue',
      Logs: 'arn:aws:logs:us-east-1:000000000000:log-group:Logs:*',
    })
  })

  it.each([
    ['an alias of a function', { Type: 'AWS::Lambda::Alias' }, 'It (AWS::Lambda::Alias)'],
    ['a FIFO queue', { Type: 'AWS::SQS::Queue', Properties: { FifoQueue: true } }, 'FifoQueue of It (AWS::SQS::Queue)'],
    [
      'an express machine',
      { Type: 'AWS::StepFunctions::StateMachine', Properties: { StateMachineType: 'EXPRESS' } },
      'the StateMachineType "EXPRESS" of It',
    ],
    [
      'a notification without events',
      { Type: 'AWS::S3::Bucket', Properties: { NotificationConfiguration: { LambdaConfigurations: [] } } },
      'the NotificationConfiguration {"LambdaConfigurations":[]} of It',
    ],
    [
      'options of a generated secret',
      { Type: 'AWS::SecretsManager::Secret', Properties: { GenerateSecretString: { IncludeSpace: true } } },
      'IncludeSpace of GenerateSecretString of It',
    ],
    [
      'a generated secret that is too long',
      { Type: 'AWS::SecretsManager::Secret', Properties: { GenerateSecretString: { PasswordLength: 4097 } } },
      'It: PasswordLength must be a whole number from 1 to 4096.',
    ],
    [
      'a template for a secret that is not an object',
      {
        Type: 'AWS::SecretsManager::Secret',
        Properties: { GenerateSecretString: { SecretStringTemplate: '[]', GenerateStringKey: 'a' } },
      },
      'It: SecretStringTemplate must be a JSON object as text.',
    ],
    [
      'a template for a secret without a key',
      { Type: 'AWS::SecretsManager::Secret', Properties: { GenerateSecretString: { SecretStringTemplate: '{}' } } },
      'It: SecretStringTemplate and GenerateStringKey belong together.',
    ],
    [
      'a WebSocket API',
      { Type: 'AWS::ApiGatewayV2::Api', Properties: { ProtocolType: 'WEBSOCKET' } },
      'the ProtocolType "WEBSOCKET" of It',
    ],
    [
      'a rule of another bus',
      { Type: 'AWS::Events::Rule', Properties: { EventBusName: 'mine', EventPattern: { source: ['a'] } } },
      'It: there is no bus mine in the stack.',
    ],
    ['an archive of events', { Type: 'AWS::Events::Archive' }, 'It (AWS::Events::Archive)'],
    [
      'code that is not an asset',
      { Type: 'AWS::Lambda::Function', Properties: { Runtime: 'nodejs24.x', Code: { ZipFile: '' } } },
      'It: only code from an asset is supported locally.',
    ],
  ])('refuses %s', (_what, It, message) => {
    expect(() => load({ Resources: { It } })).toThrow(message)
  })

  it('names a state machine whose definition it cannot run', () => {
    const definition = {
      StartAt: 'A',
      States: { A: { Type: 'Task', Resource: 'arn:aws:states:::sqs:sendMessage', End: true } },
    }
    const Properties = {
      DefinitionString: JSON.stringify({ QueryLanguage: 'JSONata', ...definition }),
      StateMachineName: 'show',
    }
    expect(() => load({ Resources: { Show: { Type: 'AWS::StepFunctions::StateMachine', Properties } } })).toThrow(
      "State machine 'show'",
    )
  })
})
