import { App } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { beforeAll, describe, expect, it } from 'vitest'
import { bundleNothing } from '../../../../lib/constructs/deploy/bundles.ts'
import { readSettings } from '../../../../lib/constructs/deploy/settings.ts'
import { ShowrunnerStack } from '../../../../lib/showrunner-stack.ts'
import { type PlainTemplate, readTemplate } from '../template.ts'

const synthesize = (platform: object, others: object = {}) => {
  const identity = { issuer: 'https://issuer.example.com/' }
  const settings = readSettings({
    ...{ identity, ...others },
    platform: { url: 'https://platform.example.com', ...platform },
  })
  return readTemplate(
    Template.fromStack(new ShowrunnerStack(new App(), 'Showrunner', settings, { bundle: bundleNothing })).toJSON(),
  )
}

let least: PlainTemplate
let keyed: PlainTemplate
let full: PlainTemplate
beforeAll(() => {
  least = synthesize({})
  keyed = synthesize({ projectKey: '100001' })
  full = synthesize(
    { accountSecret: 'platform/account', project: { name: 'Live', status: 'SUSPENDED' } },
    { rotation: { uploadKeyDays: 30, projectSecretDays: 7 } },
  )
})

const schedulesIn = (template: PlainTemplate) =>
  Object.values(template.of('AWS::SecretsManager::RotationSchedule')).map(({ properties }) => properties)
const followUpsIn = (template: PlainTemplate) =>
  Object.values(template.of('AWS::Events::Rule')).flatMap(({ properties: { ScheduleExpression, Targets } }) =>
    Targets.filter(({ Input }: { Input?: string }) => Input?.includes('followUp')).map(
      ({ Arn, Input }: Record<string, string>) => [ScheduleExpression, Arn, JSON.parse(Input ?? '')],
    ),
  )

const rotation = (secret: string, rotator: string, days: number) => ({
  SecretId: `<PlatformAccess${secret}>`,
  RotationLambdaARN: `<${rotator}.Arn>`,
  RotationRules: { AutomaticallyAfterDays: days },
  RotateImmediatelyOnUpdate: false,
})
const uploadFollowUp = ['rate(1 hour)', '<RotateUploadKey.Arn>', { Step: 'followUp' }]

describe('Credentials', () => {
  it('rotates the upload key of every deployment', () => {
    expect(schedulesIn(least)).toEqual([rotation('UploadKey', 'RotateUploadKey', 90)])
    expect(followUpsIn(least)).toEqual([uploadFollowUp])
  })

  it('rotates the project’s secret where the settings say how often', () => {
    expect(schedulesIn(full)).toEqual([
      rotation('UploadKey', 'RotateUploadKey', 30),
      rotation('ProjectSecret', 'RotateProjectSecret', 7),
    ])
    const projectFollowUp = ['rate(5 minutes)', '<RotateProjectSecret.Arn>', { Step: 'followUp' }]
    expect(followUpsIn(full)).toEqual(expect.arrayContaining([uploadFollowUp, projectFollowUp]))
  })

  it('lets Secrets Manager call the functions, for this account alone', () => {
    const permissions = Object.values(full.of('AWS::Lambda::Permission'))
      .map(({ properties }) => properties)
      .filter(({ Principal }) => Principal === 'secretsmanager.amazonaws.com')
    expect(permissions.map(({ FunctionName }) => FunctionName)).toEqual([
      '<RotateUploadKey.Arn>',
      '<RotateProjectSecret.Arn>',
    ])
    for (const permission of permissions)
      expect(permission).toMatchObject({ Action: 'lambda:InvokeFunction', SourceAccount: '<AWS::AccountId>' })
  })

  it('makes the platform project where the settings name one', () => {
    const made = Object.values(full.of('Custom::PlatformProject'))
    expect(made.map(({ properties }) => properties)).toEqual([
      { ServiceToken: '<ManageProject.Arn>', Name: 'Live', Status: 'SUSPENDED' },
    ])
    expect(made[0]?.deletionPolicy).toBe('Delete')
  })

  it('deletes the keys that rotations made before the user, and after its policy and the rotation', () => {
    // CloudFormation deletes in the reverse order of creation.
    const [keys] = Object.values(least.of('Custom::UploadKeys'))
    expect(keys?.properties).toEqual({ ServiceToken: '<DeleteUploadKeys.Arn>', UserName: '<PlatformAccessUploader>' })
    const policy = least.of('AWS::IAM::Policy').PlatformAccessUploaderDefaultPolicy
    expect(policy?.dependsOn).toContain(keys?.id)
    const [schedule] = Object.values(least.of('AWS::SecretsManager::RotationSchedule'))
    expect(schedule?.dependsOn).toContain(policy?.id)
  })

  it('has no function that the settings do not ask for', () => {
    const functions = Object.keys(least.of('AWS::Lambda::Function'))
    expect(functions).toContain('RotateUploadKey')
    expect(functions.filter((id) => id === 'RotateProjectSecret' || id === 'ManageProject')).toEqual([])
    expect(least.of('Custom::PlatformProject')).toEqual({})
  })

  it('refuses a project key beside a project that the deployment creates', () => {
    const both = { projectKey: '100001', accountSecret: 'platform/account', project: { name: 'Live' } }
    expect(() => synthesize(both)).toThrow('showrunner.platform.projectKey: must be absent with platform.project')
  })

  it('lets the platform upload below its project alone where its key is known, and archives alone elsewhere', () => {
    const standard = ' with {"StringEqualsIfExists":{"s3:x-amz-storage-class":"STANDARD"}}'
    const lines = (action: string, patterns: string[], condition = '') =>
      patterns.map((pattern) => `s3:${action} on <Bucket.Arn>/${pattern}${condition}`)
    const puts = (...patterns: string[]) => [
      ...lines('AbortMultipartUpload', patterns),
      ...lines('PutObject', patterns, standard),
    ]
    expect(keyed.allowedTo('PlatformAccessUploader')).toEqual(puts('100001/*'))
    expect(full.allowedTo('PlatformAccessUploader')).toEqual(puts('<CredentialsProject.ApiKey>/*'))
    expect(least.allowedTo('PlatformAccessUploader')).toEqual(puts('*/archive.mp4', '*/archive.zip'))
  })
})
