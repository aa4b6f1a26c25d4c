import { describe, expect, it } from 'vitest'
import { inAccount } from './constructs/wanted.ts'
import { machine, parameter, template } from './live-stack.ts'

const only = (type: string) => {
  const all = Object.values(template.of(type))
  expect(all).toHaveLength(1)
  return all[0]
}

describe('ShowSchedules', () => {
  it('lets the schedules of its group, and of no other, call the function that starts a show, and nothing else', () => {
    const group = only('AWS::Scheduler::ScheduleGroup')
    expect(group?.properties).toEqual({ Name: 'showrunner-live' })
    const role = template.of('AWS::IAM::Role').SchedulesRole
    expect(role?.properties.AssumeRolePolicyDocument.Statement).toEqual([
      {
        Effect: 'Allow',
        Action: 'sts:AssumeRole',
        Principal: { Service: 'scheduler.amazonaws.com' },
        Condition: {
          StringEquals: { 'aws:SourceAccount': '<AWS::AccountId>' },
          ArnEquals: { 'aws:SourceArn': inAccount('scheduler', 'schedule-group/showrunner-live') },
        },
      },
    ])
    expect(template.allowedTo('SchedulesRole')).toEqual([
      'lambda:InvokeFunction on <StartShow.Arn>',
      'sqs:SendMessage on <StartShowDeadLetters.Arn>',
    ])
  })
})

describe('CallbackSecret', () => {
  it('is beside the secrets of shows, whose names begin with what an output says', () => {
    expect(template.outputs.ShowSecretsPrefix).toBe('showrunner/live/shows/')
  })

  it.each(['CallbackSecret', 'CallbackKey'])('is generated like %s, 64 letters and digits long, and found', (id) => {
    const { GenerateSecretString } = template.of('AWS::SecretsManager::Secret')[id]?.properties ?? {}
    expect(GenerateSecretString).toMatchObject({
      GenerateStringKey: 'secret',
      PasswordLength: 64,
      ExcludePunctuation: true,
    })
    expect(Object.values(template.outputs)).toContain(`<${id}>`)
  })
})

describe('Parameters', () => {
  it('lets callbacks go to public addresses only, unless a laptop says otherwise', () => {
    expect(template.parameters.CallbackReach).toMatchObject({
      Default: 'as in the settings',
      AllowedValues: ['as in the settings', 'public', 'anywhere'],
    })
  })
})

describe('PlatformAccess', () => {
  it('lets the platform put objects below its project and do nothing else', () => {
    expect(template.allowedTo('PlatformAccessUploader')).toEqual([
      's3:AbortMultipartUpload on <Bucket.Arn>/<CredentialsProject.ApiKey>/*',
      expect.stringMatching(/^s3:PutObject on <Bucket.Arn>\/<CredentialsProject.ApiKey>\/\* with /),
    ])
    expect(only('AWS::IAM::User')?.properties).toEqual({})
  })

  it('keeps the uploader’s key in a secret and leaves the project’s for the deployer to fill in', () => {
    const secrets = template.of('AWS::SecretsManager::Secret')
    expect(JSON.parse(secrets.PlatformAccessUploadKey?.properties.SecretString)).toEqual({
      accessKeyId: '<PlatformAccessUploaderKey>',
      secretAccessKey: '<PlatformAccessUploaderKey.SecretAccessKey>',
    })
    expect(secrets.PlatformAccessProjectSecret?.properties).toMatchObject({ SecretString: '{}' })
  })
})

describe('PublishTrigger', () => {
  it('follows the bucket and the publish machine', () => {
    const { PublishTriggerArrival: arrival, PublishTriggerExecutionInterrupted: end } = template.of('AWS::Events::Rule')
    expect(arrival?.properties.EventPattern.detail.bucket).toEqual({ name: ['<Bucket>'] })
    expect(end?.properties.EventPattern.detail.stateMachineArn).toEqual([machine('publish')])
  })
})

describe('SweepTrigger', () => {
  it('calls the sweep every five minutes, and when an execution of a show was interrupted', () => {
    const rules = template.of('AWS::Events::Rule')
    const DeadLetterConfig = { Arn: '<SweepShowsDeadLetters.Arn>' }
    const Targets = [{ Arn: '<SweepShows.Arn>', Id: 'Target0', DeadLetterConfig }]
    expect(rules.SweepTriggerRegularly?.properties).toMatchObject({ ScheduleExpression: 'rate(5 minutes)', Targets })
    expect(rules.SweepTriggerExecutionInterrupted?.properties).toMatchObject({
      EventPattern: {
        source: ['aws.states'],
        'detail-type': ['Step Functions Execution Status Change'],
        detail: { status: ['FAILED', 'TIMED_OUT', 'ABORTED'], stateMachineArn: [machine('show')] },
      },
      Targets,
    })
  })
})

describe('NotifyTrigger', () => {
  it('starts an execution for events of shows that name a callback, and may do nothing else', () => {
    expect(template.of('AWS::Events::Rule').NotifyTriggerNotifiedByCallback?.properties).toMatchObject({
      EventPattern: { source: ['showrunner', 'showrunner.replay'], detail: { callback: [true] } },
      Targets: [
        {
          ...{ Arn: '<NotifyMachine>', RoleArn: '<NotifyMachineEventsRole.Arn>' },
          DeadLetterConfig: { Arn: '<NotifyTriggerDeadLetters.Arn>' },
        },
      ],
    })
    expect(template.allowedTo('NotifyMachineEventsRole')).toEqual(['states:StartExecution on <NotifyMachine>'])
  })
})

describe('every rule', () => {
  it('is one of these', () => {
    expect(Object.keys(template.of('AWS::Events::Rule')).sort()).toEqual([
      'CallbackTriggerReceived',
      'CredentialsProjectSecretFollowUp',
      'CredentialsUploadKeyFollowUp',
      'NotifyTriggerNotifiedByCallback',
      'PublishTriggerArrival',
      'PublishTriggerExecutionInterrupted',
      'SweepTriggerExecutionInterrupted',
      'SweepTriggerRegularly',
      'UsageRegularly',
    ])
  })
})

describe('ShowApi', () => {
  it('asks the issuer of the settings who callers are', () => {
    expect(only('AWS::ApiGatewayV2::Authorizer')?.properties).toMatchObject({
      AuthorizerType: 'JWT',
      IdentitySource: ['$request.header.Authorization'],
      JwtConfiguration: { Audience: ['apps'], Issuer: parameter('TokenIssuer', 'https://issuer.example.com/') },
    })
  })
})

describe('ShowrunnerStack', () => {
  it('allows no role every action, and every resource only to X-Ray and the delivery of logs, which know none', () => {
    const principals = ['AWS::IAM::Role', 'AWS::IAM::User'].flatMap((type) => Object.keys(template.of(type)))
    const lines = principals.flatMap(template.allowedTo)
    expect(lines.length).toBeGreaterThan(100)
    expect(lines.filter((line) => / on \*/.test(line) && !/^(xray|logs):/.test(line))).toEqual([])
    expect(lines.filter((line) => /^\*|^[a-z0-9]+:\S*\*/.test(line))).toEqual([])
  })

  it('needs no custom resources but the upload keys and the project of its settings', () => {
    const made = template.resources.filter(({ type }) => /^Custom::|CustomResource/.test(type)).map(({ id }) => id)
    expect(made).toEqual(['CredentialsProject', 'CredentialsUploadKeys'])
  })
})
