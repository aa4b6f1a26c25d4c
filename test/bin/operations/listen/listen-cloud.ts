import { EventBridgeClient, ListRulesCommand } from '@aws-sdk/client-eventbridge'
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs'
import { createBus, createEvents } from '../../../../lib/aws/bus.ts'
import type { OwnerEvent } from '../../../../lib/events/owner-events.ts'
import { createSmallCloud } from '../../../local/cloud/small-cloud.ts'

const signingSecret = {
  Type: 'AWS::SecretsManager::Secret',
  Properties: { GenerateSecretString: { SecretStringTemplate: '{}', GenerateStringKey: 'secret', PasswordLength: 48 } },
}

/** The parts of a stack that `listen` uses. */
export const listenTemplate = {
  Resources: {
    Bus: { Type: 'AWS::Events::EventBus', Properties: { Name: 'showrunner-test' } },
    CallbackKey: signingSecret,
    CallbackSecret: signingSecret,
  },
  Outputs: {
    EventBusName: { Value: { Ref: 'Bus' } },
    CallbackKeySecretArn: { Value: { Ref: 'CallbackKey' } },
    CallbackSecretArn: { Value: { Ref: 'CallbackSecret' } },
    ShowSecretsPrefix: { Value: 'shows/' },
  },
}

export const BUS = 'showrunner-test'

export const ended: OwnerEvent = {
  id: 'demo/show.ended',
  event: 'show.ended',
  at: '2026-01-01T00:00:00.000Z',
  stage: 'test',
  showId: 'demo',
  status: 'succeeded',
  labels: { customer: 'c-7' },
}

/** A cloud in memory with the clients of an operator. */
export function openListenCloud() {
  const { cloud, clock, connect } = createSmallCloud(listenTemplate)
  const clients = { bridge: connect(EventBridgeClient), sqs: connect(SQSClient) }
  return {
    ...{ clock, clients, outputs: cloud.outputs, manager: connect(SecretsManagerClient) },
    /** Publishes an event as the deployment does. */
    put: (event: OwnerEvent) => createEvents(clients.bridge, BUS, 'test').publish({ ...event, callback: true }),
    /** Puts an event on the bus that another source may put. */
    putOther: (source: string, kind: string, detail: object) =>
      createBus(clients.bridge, BUS, source).put(kind, detail),
    /** Returns the names of the operators' rules and of all queues. */
    async present(): Promise<string[]> {
      const { Rules = [] } = await clients.bridge.send(new ListRulesCommand({ EventBusName: BUS }))
      const { QueueUrls = [] } = await clients.sqs.send(new ListQueuesCommand())
      return [...Rules.map(({ Name = '' }) => Name), ...QueueUrls.map((url) => url.split('/').at(-1) ?? '')]
    },
  }
}
