import { tasks } from '../../../lib/tasks/tasks.ts'
import type { Versioning } from '../../../local/cloud/s3/store/versions.ts'
import { lambda, type SmallTemplate } from '../../local/cloud/small-assembly.ts'

const REGION = 'us-east-1'
const ACCOUNT = '000000000000'
export const START_SHOW = 'start-show'
/** Functions that rotate secrets, by the name of the secret. */
export const ROTATORS = { upload: 'rotate-upload', project: 'rotate-project' } as const
export const UPLOADER = 'uploader'
export const functionArn = (name: string) => `arn:aws:lambda:${REGION}:${ACCOUNT}:function:${name}`
export const machineArn = (name: string) => `arn:aws:states:${REGION}:${ACCOUNT}:stateMachine:${name}`

export const BUCKET = 'media'
export const OWN_BUS = 'showrunner-test'
/** Beginning of the names of secrets that shows refer to. */
export const SHOW_SECRETS = 'showrunner/test/shows/'

/** What a deployment has, as far as the services use it: a template of the stack's resources under their names here. */
export const templateOf = (secrets: Readonly<Record<string, object>>, versioning?: Versioning) =>
  ({
    Resources: {
      Media: {
        Type: 'AWS::S3::Bucket',
        Properties: { BucketName: BUCKET, ...(versioning && { VersioningConfiguration: { Status: versioning } }) },
      },
      Uploader: { Type: 'AWS::IAM::User', Properties: { UserName: UPLOADER } },
      Uploads: { Type: 'AWS::IAM::Policy', Properties: { PolicyName: 'uploads', Users: [{ Ref: 'Uploader' }] } },
      FirstKey: { Type: 'AWS::IAM::AccessKey', Properties: { UserName: { Ref: 'Uploader' } } },
      upload: {
        Type: 'AWS::SecretsManager::Secret',
        Properties: {
          Name: 'upload',
          SecretString: {
            'Fn::Join': [
              '',
              [
                '{"accessKeyId":"',
                { Ref: 'FirstKey' },
                '","secretAccessKey":"',
                { 'Fn::GetAtt': ['FirstKey', 'SecretAccessKey'] },
                '"}',
              ],
            ],
          },
        },
      },
      ...Object.fromEntries(
        Object.entries(secrets).map(([Name, value]) => [
          Name,
          { Type: 'AWS::SecretsManager::Secret', Properties: { Name, SecretString: JSON.stringify(value) } },
        ]),
      ),
      ...Object.fromEntries(
        Object.entries(ROTATORS).map(([secret, name]) => [
          `${secret}-rotation`,
          {
            Type: 'AWS::SecretsManager::RotationSchedule',
            Properties: {
              SecretId: { Ref: secret },
              RotationLambdaARN: { 'Fn::GetAtt': [name, 'Arn'] },
              RotationRules: { AutomaticallyAfterDays: 900 },
              RotateImmediatelyOnUpdate: false,
            },
          },
        ]),
      ),
      ...Object.fromEntries(
        [...Object.keys(tasks), ...Object.values(ROTATORS), START_SHOW, 'publish'].map((name) => [name, lambda(name)]),
      ),
      ShowMachine: machine('show', { Type: 'Wait', Seconds: 3_600 }),
      PublishMachine: machine('publish', { Type: 'Task', Resource: functionArn('publish') }),
      OwnBus: { Type: 'AWS::Events::EventBus', Properties: { Name: OWN_BUS } },
      Shows: { Type: 'AWS::Scheduler::ScheduleGroup', Properties: { Name: 'shows' } },
      Schedules: {
        Type: 'AWS::SQS::Queue',
        Properties: { QueueName: 'schedules', MessageRetentionPeriod: 86_400, VisibilityTimeout: 30 },
      },
    },
    Outputs: {
      KeyId: { Value: { Ref: 'FirstKey' } },
      KeySecret: { Value: { 'Fn::GetAtt': ['FirstKey', 'SecretAccessKey'] } },
      ...Object.fromEntries(['upload', ...Object.keys(secrets)].map((name) => [name, { Value: { Ref: name } }])),
    },
  }) satisfies SmallTemplate

/** A machine of one state. */
const machine = (name: string, state: object) => ({
  Type: 'AWS::StepFunctions::StateMachine',
  Properties: {
    StateMachineName: name,
    DefinitionString: JSON.stringify({
      QueryLanguage: 'JSONata',
      StartAt: 'Work',
      States: { Work: { ...state, End: true } },
    }),
  },
})
