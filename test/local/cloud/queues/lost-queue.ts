import { DeleteMessageCommand, GetQueueAttributesCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { connectTo, type SmallCloud } from '../small-cloud.ts'

const URL_OF_LOST = 'http://aws.invalid/000000000000/lost'
export const ARN_OF_LOST = 'arn:aws:sqs:us-east-1:000000000000:lost'
export const LOST = { 'Fn::GetAtt': ['Lost', 'Arn'] }
const MACHINE = {
  Type: 'AWS::StepFunctions::StateMachine',
  Properties: {
    StateMachineName: 'sweep',
    DefinitionString: '{"QueryLanguage":"JSONata","StartAt":"A","States":{"A":{"Type":"Succeed"}}}',
  },
}
export const RULE = {
  Type: 'AWS::Events::Rule',
  Properties: {
    Name: 'notice',
    EventPattern: { source: ['showrunner'] },
    Targets: [{ Id: 'T', Arn: { Ref: 'Sweep' }, DeadLetterConfig: { Arn: LOST } }],
  },
}
export const resources = {
  Lost: {
    Type: 'AWS::SQS::Queue',
    Properties: { QueueName: 'lost', VisibilityTimeout: 30, MessageRetentionPeriod: 1_209_600 },
  },
  Unnamed: { Type: 'AWS::SQS::Queue' },
  Sweep: MACHINE,
  Publish: RULE,
}

export const QueueUrl = URL_OF_LOST
export const sqsOf = ({ cloud, clock }: Pick<SmallCloud, 'cloud' | 'clock'>) => connectTo(cloud, clock, SQSClient)

export const receive = async (small: SmallCloud, more: object = {}) =>
  (await sqsOf(small).send(new ReceiveMessageCommand({ QueueUrl, ...more }))).Messages ?? []

export const remove = (small: SmallCloud, ReceiptHandle: string | undefined) =>
  sqsOf(small).send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }))

export const countOf = async (small: SmallCloud) =>
  (await sqsOf(small).send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }))).Attributes ?? {}
