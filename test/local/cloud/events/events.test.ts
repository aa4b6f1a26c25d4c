import { EventBridgeClient, PutEventsCommand, type PutEventsRequestEntry } from '@aws-sdk/client-eventbridge'
import { describe, expect, it } from 'vitest'
import { type BusEvent, createEventBuses } from '../../../../local/cloud/events/events.ts'
import { matches, type Pattern } from '../../../../local/cloud/events/pattern.ts'
import { lambda } from '../small-assembly.ts'
import { createSmallCloud, refusal } from '../small-cloud.ts'

const template = {
  Resources: {
    Receiver: lambda('a'),
    Rule: {
      Type: 'AWS::Events::Rule',
      Properties: {
        EventPattern: { source: ['showrunner'] },
        Targets: [{ Id: 'T', Arn: { 'Fn::GetAtt': ['Receiver', 'Arn'] } }],
      },
    },
    Off: {
      Type: 'AWS::Events::Rule',
      Properties: {
        State: 'DISABLED',
        EventPattern: { source: ['showrunner'] },
        Targets: [{ Id: 'T', Arn: { 'Fn::GetAtt': ['Receiver', 'Arn'] } }],
      },
    },
  },
}
const ENTRY = { Source: 'showrunner', DetailType: 'show.ended', Detail: '{"id":"1"}' }

/** The bus as the SDK sees it, and what reaches the function `Receiver`. */
function openBus() {
  const delivered: BusEvent[] = []
  const { connect, cloud } = createSmallCloud(template, { Receiver: (event: BusEvent) => delivered.push(event) })
  const client = connect(EventBridgeClient)
  return {
    delivered,
    settled: cloud.settled,
    put: (...Entries: PutEventsRequestEntry[]) => client.send(new PutEventsCommand({ Entries })),
  }
}

describe('createEventBuses', () => {
  it('delivers what the SDK puts to the functions of rules that match it', async () => {
    const { put, delivered, settled } = openBus()
    const answer = await put({ ...ENTRY, Resources: ['arn:a'] }, { ...ENTRY, Source: 'other' })
    expect(answer).toMatchObject({ FailedEntryCount: 0, Entries: [{}, {}] })
    await settled()
    expect(delivered).toEqual([
      {
        version: '0',
        id: answer.Entries?.[0]?.EventId,
        source: 'showrunner',
        'detail-type': 'show.ended',
        account: '000000000000',
        region: 'us-east-1',
        time: '2026-01-01T00:00:00Z',
        resources: ['arn:a'],
        detail: { id: '1' },
      },
    ])
  })

  it('keeps the time an entry gives, and knows the bus by its ARN', async () => {
    const { put, delivered, settled } = openBus()
    const EventBusName = 'arn:aws:events:us-east-1:000000000000:event-bus/default'
    await put({ ...ENTRY, EventBusName, Time: new Date('2025-06-01T12:00:00Z') })
    await settled()
    expect(delivered[0]?.time).toBe('2025-06-01T12:00:00Z')
  })

  it('keeps buses apart, and knows them by name and by ARN', async () => {
    const delivered: [string, BusEvent][] = []
    const rule = (target: string, more: object) => ({
      Type: 'AWS::Events::Rule',
      Properties: {
        EventPattern: { source: ['showrunner'] },
        Targets: [{ Id: 'T', Arn: { 'Fn::GetAtt': [target, 'Arn'] } }],
        ...more,
      },
    })
    const handler = (name: string) => (event: BusEvent) => delivered.push([name, event])
    const small = createSmallCloud(
      {
        Resources: {
          Platform: { Type: 'AWS::Events::EventBus', Properties: { Name: 'platform' } },
          Unnamed: { Type: 'AWS::Events::EventBus' },
          Schemas: { Type: 'AWS::EventSchemas::Schema', Properties: { Content: '{}' } },
          ...{ OfDefault: lambda('a'), OfPlatform: lambda('a'), OfUnnamed: lambda('a') },
          First: rule('OfDefault', {}),
          Second: rule('OfPlatform', { EventBusName: { Ref: 'Platform' }, Name: 'second' }),
          Third: rule('OfUnnamed', { EventBusName: { 'Fn::GetAtt': ['Unnamed', 'Arn'] } }),
        },
        Outputs: { Second: { Value: { 'Fn::GetAtt': ['Second', 'Arn'] } } },
      },
      { OfDefault: handler('default'), OfPlatform: handler('platform'), OfUnnamed: handler('unnamed') },
    )
    const arn = 'arn:aws:events:us-east-1:000000000000:event-bus/small-unnamed'
    const Entries = [undefined, 'platform', arn].map((EventBusName, index) => {
      return { ...ENTRY, EventBusName, Detail: `{"index":${index}}` }
    })
    await small.connect(EventBridgeClient).send(new PutEventsCommand({ Entries }))
    await small.cloud.settled()
    expect(delivered.map(([name, { detail }]) => [name, detail])).toEqual([
      ['default', { index: 0 }],
      ['platform', { index: 1 }],
      ['unnamed', { index: 2 }],
    ])
    expect(small.cloud.outputs.Second).toBe('arn:aws:events:us-east-1:000000000000:rule/platform/second')
  })

  it.each([
    ['a detail that is not JSON', { Detail: 'it ended' }, 'MalformedDetail'],
    ['a detail that is not an object', { Detail: '[1]' }, 'MalformedDetail'],
    ['no detail', { Detail: undefined }, 'InvalidArgument'],
    ['no source', { Source: '' }, 'InvalidArgument'],
    ['a source of AWS', { Source: 'aws.s3' }, 'NotAuthorizedForSourceException'],
    ['a bus there is not', { EventBusName: 'other' }, 'InvalidArgument'],
    ['a member that would do nothing', { TraceHeader: 'x' }, 'InvalidArgument'],
  ])('refuses an entry with %s in its place, and delivers the others', async (_what, wrong, code) => {
    const { put, delivered, settled } = openBus()
    await expect(put({ ...ENTRY, ...wrong }, ENTRY)).resolves.toMatchObject({
      FailedEntryCount: 1,
      Entries: [{ ErrorCode: code, ErrorMessage: expect.any(String) }, { EventId: expect.any(String) }],
    })
    await settled()
    expect(delivered).toHaveLength(1)
  })

  it('refuses no entries, too many and too large ones', async () => {
    const { put } = openBus()
    expect(await refusal(put())).toBe('ValidationException')
    expect(await refusal(put(...Array(11).fill(ENTRY)))).toBe('ValidationException')
    expect(await refusal(put({ ...ENTRY, Detail: JSON.stringify({ a: 'x'.repeat(2 ** 20) }) }))).toBe(
      'ValidationException',
    )
  })

  it.each([
    [
      'a comparison it does not know',
      { detail: { size: [{ numeric: ['>', 1] }] } },
      'The event pattern’s detail’s size asks for {"numeric":[">",1]}, which is not supported locally.',
    ],
    ['a list that is not of texts', { source: [{ 'anything-but': [1] }] }, 'asks for {"anything-but":[1]}'],
    ['a comparison within another', { source: [{ 'anything-but': { prefix: 'a' } }] }, 'asks for {"anything-but":{'],
    ['what exists by a text', { source: [{ exists: 'yes' }] }, 'asks for {"exists":"yes"}'],
    ['two comparisons in one', { source: [{ prefix: 'a', suffix: 'b' }] }, 'asks for {"prefix":"a","suffix":"b"}'],
    ['an alternative', { $or: [{ source: ['a'] }] }, 'The event pattern’s $or is not supported locally.'],
    ['a bare value', { source: 'aws.s3' }, 'The event pattern’s source must be an object or a list of values.'],
    ['an empty list', { source: [] }, 'The event pattern’s source lists no value.'],
    ['no field', {}, 'The event pattern names no field.'],
  ])('refuses a rule with %s', (_what, pattern, message) => {
    const { addRule } = createEventBuses({ now: () => 0, newId: () => 'id' })
    expect(() => addRule({ pattern: pattern as unknown as Pattern, deliver() {} })).toThrow(message)
  })
})

describe('matches', () => {
  const event = {
    source: 'aws.s3',
    resources: ['arn:a', 'arn:b'],
    detail: {
      object: { key: '7/archive.mp4', size: 0 },
      parts: [
        { n: 1, ok: true },
        { n: 2, ok: false },
      ],
      gone: null,
    },
  }

  it.each<[string, Pattern, boolean]>([
    ['an equal value', { source: ['aws.s3'] }, true],
    ['one of several values', { source: ['a', 'aws.s3'] }, true],
    ['none of the values', { source: ['a', 'b'] }, false],
    ['a prefix', { source: [{ prefix: 'aws.' }] }, true],
    ['another prefix', { source: [{ prefix: 's3' }] }, false],
    ['a suffix', { detail: { object: { key: [{ suffix: '/archive.zip' }, { suffix: '/archive.mp4' }] } } }, true],
    ['a prefix of a number', { detail: { object: { size: [{ prefix: '0' }] } } }, false],
    ['a field that is there', { detail: { gone: [{ exists: true }] } }, true],
    ['a field that is not there', { detail: { other: [{ exists: true }] } }, false],
    ['no such field', { detail: { other: [{ exists: false }] } }, true],
    ['no such field where there is one', { source: [{ exists: false }] }, false],
    ['a field inside of one that is not there', { detail: { other: { key: [{ exists: false }] } } }, true],
    ['a field that holds others', { detail: { object: [{ exists: true }] } }, false],
    ['a value or none', { detail: { other: [{ exists: false }, 'a'] } }, true],
    ['any text but others', { source: [{ 'anything-but': ['a', 'b'] }] }, true],
    ['any text but this', { source: [{ 'anything-but': ['a', 'aws.s3'] }] }, false],
    ['anything but texts in what is not there', { detail: { other: [{ 'anything-but': ['a'] }] } }, false],
    ['a nested value', { detail: { object: { size: [0] } } }, true],
    ['text in place of a number', { detail: { object: { size: ['0'] } } }, false],
    ['every field', { source: ['aws.s3'], detail: { object: { size: [0] } } }, true],
    ['one field only', { source: ['aws.s3'], detail: { object: { size: [1] } } }, false],
    ['a member of a list', { resources: ['arn:b'] }, true],
    ['no member of a list', { resources: ['arn:c'] }, false],
    ['an object in a list', { detail: { parts: { n: [2], ok: [false] } } }, true],
    ['fields of different objects in a list', { detail: { parts: { n: [1], ok: [false] } } }, false],
    ['null', { detail: { gone: [null] } }, true],
    ['null for a field that is not there', { detail: { other: [null] } }, false],
    ['a field of a value that is not an object', { source: { length: [6] } }, false],
    ['what every object inherits', { detail: { constructor: { name: ['Object'] } } }, false],
    ['a dotted name like nested ones', { 'detail.object': { key: [{ prefix: '7/' }] } }, true],
    ['a dotted name and a nested one twice', { 'detail.object.size': { size: [0] } }, false],
  ])('compares %s', (_what, pattern, expected) => {
    expect(matches(pattern, event)).toBe(expected)
  })

  it('reads dotted names of an event like nested ones', () => {
    const dotted = { 'state.status': 'running', state: { code: 1 } }
    expect(matches({ state: { status: ['running'], code: [1] } }, dotted)).toBe(true)
    expect(matches({ 'state.status': ['running'] }, dotted)).toBe(true)
    expect(matches({ state: { status: ['running'] } }, { 'state.status': { status: 'running' } })).toBe(false)
  })
})
