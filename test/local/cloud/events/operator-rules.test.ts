import {
  DeleteRuleCommand,
  EventBridgeClient,
  ListRulesCommand,
  PutEventsCommand,
  PutRuleCommand,
  PutTargetsCommand,
  RemoveTargetsCommand,
} from '@aws-sdk/client-eventbridge'
import { CreateQueueCommand, GetQueueAttributesCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { describe, expect, it } from 'vitest'
import { createSmallCloud, refusal } from '../small-cloud.ts'

const Bus = { Type: 'AWS::Events::EventBus', Properties: { Name: 'own' } }
const on = { EventBusName: 'own' }
const EventPattern = '{"source":["a"]}'

/** A bus and a queue, with the calls of an operator. */
async function open() {
  const { connect } = createSmallCloud({ Resources: { Bus } })
  const [bridge, sqs] = [connect(EventBridgeClient), connect(SQSClient)]
  const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName: 'events' }))
  const names = { QueueUrl, AttributeNames: ['QueueArn' as const] }
  const Arn = (await sqs.send(new GetQueueAttributesCommand(names))).Attributes?.QueueArn ?? ''
  return {
    ...{ bridge, Arn },
    putRule: (pattern = EventPattern) => bridge.send(new PutRuleCommand({ ...on, Name: 'r', EventPattern: pattern })),
    putTarget: (arn = Arn) =>
      bridge.send(new PutTargetsCommand({ ...on, Rule: 'r', Targets: [{ Id: 't', Arn: arn }] })),
    put: (Source: string) =>
      bridge.send(new PutEventsCommand({ Entries: [{ ...on, Source, DetailType: 'd', Detail: '{"n":1}' }] })),
    async sources(): Promise<string[]> {
      const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }))
      return Messages.map(({ Body = '' }) => JSON.parse(Body).source)
    },
  }
}

describe('createOperatorRules', () => {
  it('sends the events that match to the queues of a rule', async () => {
    const { putRule, putTarget, put, sources } = await open()
    expect((await putRule()).RuleArn).toBe('arn:aws:events:us-east-1:000000000000:rule/own/r')
    await put('a') // it has no target yet
    expect(await putTarget()).toMatchObject({ FailedEntryCount: 0 })
    for (const source of ['a', 'b']) await put(source)
    expect(await sources()).toEqual(['a'])
  })

  it('replaces the pattern of a rule, and keeps its targets', async () => {
    const { putRule, putTarget, put, sources } = await open()
    await putRule()
    await putTarget()
    await putRule('{"source":["b"]}')
    for (const source of ['a', 'b']) await put(source)
    expect(await sources()).toEqual(['b'])
  })

  it('lists the rules of a bus by a prefix', async () => {
    const { bridge, putRule } = await open()
    await putRule()
    const list = async (NamePrefix?: string, bus: object = on) => {
      const { Rules = [] } = await bridge.send(new ListRulesCommand({ ...bus, NamePrefix }))
      return Rules.map(({ Name }) => Name)
    }
    expect([await list(), await list('r'), await list('x'), await list('r', {})]).toEqual([['r'], ['r'], [], []])
  })

  it('deletes a rule without targets only', async () => {
    const { bridge, putRule, putTarget, put, sources } = await open()
    await putRule()
    await putTarget()
    const remove = () => bridge.send(new DeleteRuleCommand({ ...on, Name: 'r' }))
    expect(await refusal(remove())).toBe('ValidationException')
    await bridge.send(new RemoveTargetsCommand({ ...on, Rule: 'r', Ids: ['t'] }))
    await remove()
    await remove() // as on AWS, also when it is gone
    expect(await refusal(putTarget())).toBe('ResourceNotFoundException')
    await put('a')
    expect(await sources()).toEqual([])
  })

  it('refuses what it cannot do', async () => {
    const { putRule, putTarget } = await open()
    expect(await refusal(putRule('{'))).toBe('InvalidEventPatternException')
    expect(await refusal(putRule('{"source":[{"wildcard":"*"}]}'))).toBe('InvalidEventPatternException')
    await putRule()
    expect(await refusal(putTarget('arn:aws:lambda:us-east-1:000000000000:function:f'))).toBe('ValidationException')
  })
})
