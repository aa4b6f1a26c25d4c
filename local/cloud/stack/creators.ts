import { busArn } from '../events/events.ts'
import type { IamAccessKeys } from '../iam/access-keys.ts'
import { ACCOUNT, type Created, REGION } from '../intrinsics.ts'
import { queueArn } from '../queues/queues.ts'
import { type GenerateOptions, generateSecret } from '../secrets/generated-secret.ts'
import type { SecretsManager } from '../secrets/secrets.ts'
import { definitionOf, revisionOf } from './machines.ts'
import type { PublishedVersions } from './publications.ts'

export interface CreatorsOptions {
  readonly secrets: Pick<SecretsManager, 'create'>
  readonly keys: Pick<IamAccessKeys, 'make'>
  readonly publications: PublishedVersions
  readonly randomHex: (digits: number) => string
  /** URL of the stack’s HTTP API. */
  readonly apiUrl: string
  readonly awsUrl: string
  /** Returns a property of a resource, with its references resolved. */
  readonly property: (id: string, name: string) => unknown
  /** Returns the name of a resource from this property, or from its logical id. */
  readonly nameOf: (id: string, property: string) => string
}

type Creator = (id: string) => Created

export const functionArn = (logicalId: string) => `arn:aws:lambda:${REGION}:${ACCOUNT}:function:${logicalId}`

/** Returns the creators of resource types whose Ref or attributes differ from their logical id. */
export function createCreators(options: CreatorsOptions): Readonly<Record<string, Creator>> {
  const { secrets, keys, publications, randomHex, apiUrl, awsUrl, property, nameOf } = options
  const arn = (service: string, resource: string) => `arn:aws:${service}:${REGION}:${ACCOUNT}:${resource}`
  const withArn = (value: string, more = {}) => ({ Arn: value, ...more })
  return {
    'AWS::Lambda::Function': (id) => ({ ref: id, attributes: withArn(functionArn(id)) }),
    'AWS::Lambda::Version': (id) => {
      const published = functionArn(functionName(property(id, 'FunctionName')))
      const number = publications.numberOf(published, id) // a logical id is published once, even if the function changes
      const ref = `${published}:${number}`
      return { ref, attributes: { FunctionArn: ref, Version: number } }
    },
    'AWS::StepFunctions::StateMachine': (id) => {
      const name = nameOf(id, 'StateMachineName')
      const ref = arn('states', `stateMachine:${name}`)
      const [DefinitionString, DefinitionSubstitutions] = [
        property(id, 'DefinitionString'),
        property(id, 'DefinitionSubstitutions'),
      ]
      const StateMachineRevisionId = revisionOf(definitionOf({ DefinitionString, DefinitionSubstitutions }))
      return { ref, attributes: withArn(ref, { Name: name, StateMachineRevisionId }) }
    },
    'AWS::StepFunctions::StateMachineVersion': (id) => {
      const machine = String(property(id, 'StateMachineArn'))
      const ref = `${machine}:${publications.numberOf(machine, String(property(id, 'StateMachineRevisionId')))}`
      return { ref, attributes: withArn(ref) }
    },
    'AWS::S3::Bucket': (id) => {
      const name = nameOf(id, 'BucketName')
      return { ref: name, attributes: withArn(`arn:aws:s3:::${name}`) }
    },
    'AWS::SecretsManager::Secret': (id) => {
      const initial = () => {
        const text = property(id, 'SecretString')
        return text
          ? String(text)
          : generateSecret((property(id, 'GenerateSecretString') ?? {}) as GenerateOptions, randomHex)
      }
      return { ref: secrets.create(nameOf(id, 'Name'), within(id, initial)) }
    },
    'AWS::IAM::User': (id) => {
      const name = nameOf(id, 'UserName')
      return { ref: name, attributes: withArn(`arn:aws:iam::${ACCOUNT}:user/${name}`) }
    },
    'AWS::IAM::AccessKey': (id) => {
      const { accessKeyId, secretAccessKey } = keys.make(id, String(property(id, 'UserName')))
      return { ref: accessKeyId, attributes: { SecretAccessKey: secretAccessKey } }
    },
    'AWS::SQS::Queue': (id) => {
      const name = nameOf(id, 'QueueName')
      const url = `${awsUrl}/${ACCOUNT}/${name}`
      return { ref: url, attributes: withArn(queueArn(name), { QueueName: name, QueueUrl: url }) }
    },
    'AWS::Events::EventBus': (id) => {
      const name = nameOf(id, 'Name')
      return { ref: name, attributes: withArn(busArn(name), { Name: name }) }
    },
    'AWS::Events::Rule': (id) => {
      const name = nameOf(id, 'Name')
      const bus = String(property(id, 'EventBusName') ?? 'default').replace(/^.*event-bus\//, '')
      const path = bus === 'default' ? name : `${bus}/${name}`
      return { ref: name, attributes: withArn(arn('events', `rule/${path}`)) }
    },
    'AWS::Scheduler::ScheduleGroup': (id) => {
      const name = nameOf(id, 'Name')
      return { ref: name, attributes: withArn(arn('scheduler', `schedule-group/${name}`)) }
    },
    'AWS::ApiGatewayV2::Api': (id) => ({ ref: id, attributes: { ApiEndpoint: apiUrl } }),

    // Inert resources whose ARN others may name.
    'AWS::IAM::Role': (id) => ({ ref: id, attributes: withArn(`arn:aws:iam::${ACCOUNT}:role/${id}`) }),
    'AWS::KMS::Key': (id) => ({ ref: id, attributes: withArn(arn('kms', `key/${id}`)) }),
    'AWS::Logs::LogGroup': (id) => ({ ref: id, attributes: withArn(arn('logs', `log-group:${id}:*`)) }),
    'AWS::CloudWatch::Alarm': (id) => ({ ref: id, attributes: withArn(arn('cloudwatch', `alarm:${id}`)) }),
    'AWS::SNS::Topic': (id) => ({ ref: arn('sns', id), attributes: { TopicArn: arn('sns', id), TopicName: id } }),
  }
}

/** Returns the name of a function from its name or ARN. */
export const functionName = (reference: unknown): string => String(reference).split(':').at(6) ?? String(reference)

/** Adds the resource to errors of its properties. */
const within =
  <T>(id: string, act: () => T) =>
  (): T => {
    try {
      return act()
    } catch (error) {
      throw new Error(`${id}: ${(error as Error).message}`, { cause: error })
    }
  }
