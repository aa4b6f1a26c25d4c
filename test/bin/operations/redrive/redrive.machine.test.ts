import { DescribeExecutionCommand, ListExecutionsCommand, SFNClient } from '@aws-sdk/client-sfn'
import { App } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { countMessages, deadLettersOf, findDeadLetters } from '../../../../bin/operations/redrive/dead-letters.ts'
import { redrive } from '../../../../bin/operations/redrive/redrive.ts'
import { realClock } from '../../../../lib/clock.ts'
import { bundleNothing } from '../../../../lib/constructs/deploy/bundles.ts'
import { readSettings } from '../../../../lib/constructs/deploy/settings.ts'
import { ShowrunnerStack } from '../../../../lib/showrunner-stack.ts'
import { type Cloud, createCloud } from '../../../../local/cloud/cloud.ts'
import { createQueues, type MessageAttributes, queueArn } from '../../../../local/cloud/queues/queues.ts'
import { type Listening, listen } from '../../../../local/cloud/server.ts'
import { assemblyOf, type SmallTemplate, temporaryFolder } from '../../../local/cloud/small-assembly.ts'

const followUp = { Step: 'followUp' }
const scheduled = { source: 'aws.events', 'detail-type': 'Scheduled Event', detail: {} }

/** One event for each queue of the stack. A queue without a row fails: add the event with which it is redriven. */
const queues = {
  HandleCallback: { source: 'showrunner.received', 'detail-type': 'archive', detail: { kind: 'archive', id: 'c1' } },
  NotifyTrigger: { source: 'showrunner', detail: { id: 'e1', callback: true } },
  RecordUsage: scheduled,
  RotateProjectSecret: followUp,
  RotateUploadKey: followUp,
  StartPublish: { detail: { bucket: { name: 'media' }, object: { key: '1/2/archive.mp4', etag: 'e' } } },
  StartShow: { scheduleId: 'weekly', scheduledAt: '2026-12-01T19:00:00Z' },
  SweepShows: scheduled,
} as const
const names = Object.keys(queues)

let folder: ReturnType<typeof temporaryFolder>
let template: SmallTemplate
let cloud: Cloud
let server: Listening
let invoked: { name: string; event: unknown }[]

beforeAll(() => {
  const settings = readSettings({
    platform: { url: 'https://platform.example.com', accountSecret: 'account', project: { name: 'Live' } },
    identity: { issuer: 'https://issuer.example.com/' },
    rotation: { projectSecretDays: 30 },
  })
  template = Template.fromStack(
    new ShowrunnerStack(new App(), 'Showrunner', settings, { bundle: bundleNothing }),
  ).toJSON() as never
})
beforeEach(async () => {
  folder = temporaryFolder()
  invoked = []
  server = await listen((request) => cloud.aws(request))
})
afterEach(async () => {
  await server.close()
  await cloud.close()
  folder[Symbol.dispose]()
})

/** The changed status of the platform project. */
const made = () =>
  Object.fromEntries(
    Object.entries(template.Resources)
      .filter(([, { Type }]) => Type.startsWith('Custom::'))
      .map(([id]) => [id, { physicalId: '1', data: {} }]),
  )

const newId = () => crypto.randomUUID()

function open(directory?: string): Cloud {
  return createCloud({
    assembly: assemblyOf(template),
    apiUrl: 'http://api.invalid',
    awsUrl: server.url,
    parameters: {},
    customResources: made(),
    ...(directory && { directory }),
    clock: realClock,
    randomHex: (digits) => newId().replaceAll('-', '').repeat(2).slice(0, digits),
    random: () => 0.5,
    invoke: async ({ logicalId }, event) => {
      invoked.push({ name: logicalId, event })
      return {}
    },
  })
}

/** Opens the whole stack locally, with messages in one of its queues. */
async function openWith(name: string, messages: { body: string; attributes?: MessageAttributes }[]) {
  const empty = open()
  const letters = findDeadLetters(empty.outputs, name)
  await empty.close()
  const spec = { name: letters.queue.split('/').at(-1) ?? '', url: letters.queue, retention: 86_400, visibility: 30 }
  const before = createQueues({ queues: [spec], directory: folder.path, clock: realClock, newId })
  for (const { body, attributes } of messages) before.send(queueArn(spec.name), body, attributes)
  cloud = open(folder.path)
  return letters
}

const config = () => ({ endpoint: server.url, region: 'us-east-1', credentials: cloud.credentials })
const options = () => ({ config: config(), wait: 0, signal: new AbortController().signal })
const count = async (name: string) => (await countMessages([findDeadLetters(cloud.outputs, name)], config()))[0]

/** Returns the events that a target received, in order. */
async function givenTo(target: string): Promise<unknown[]> {
  await cloud.settled()
  const [service, , , kind] = target.split(':').slice(2)
  if (service === 'lambda') return invoked.filter(({ name }) => target.endsWith(`:${name}`)).map(({ event }) => event)
  expect(kind).toBe('stateMachine')
  const client = new SFNClient(config())
  const { executions = [] } = await client.send(new ListExecutionsCommand({ stateMachineArn: target }))
  const inputs = executions.map(async ({ executionArn }) => {
    const { input = '' } = await client.send(new DescribeExecutionCommand({ executionArn }))
    return JSON.parse(input)
  })
  return Promise.all(inputs).finally(() => client.destroy())
}

/** Returns the resources of a type with their properties, by logical id. */
const of = (type: string) =>
  Object.entries(template.Resources).flatMap(([id, { Type, Properties }]) =>
    Type === type ? [{ id, properties: Properties as Record<string, unknown> }] : [],
  )
const idsIn = (text: unknown) =>
  [...JSON.stringify(text ?? null).matchAll(/"(?:Fn::GetAtt":\["|Ref":")(\w+)"/g)].map(([, id]) => id)

describe('the stack', () => {
  beforeEach(() => {
    cloud = open()
  })
  const known = () => of('AWS::SQS::Queue').map(({ id }) => id)

  it('gives every target of a rule a queue for undeliverable events', () => {
    const targets = of('AWS::Events::Rule').flatMap(
      ({ properties }) => properties.Targets as { DeadLetterConfig?: object }[],
    )
    expect(targets.length).toBeGreaterThan(6)
    for (const { DeadLetterConfig } of targets) expect(known()).toContain(idsIn(DeadLetterConfig)[0])
  })

  it('gives every function that rules, schedules and Secrets Manager invoke a queue for failed events', () => {
    const callers = [...of('AWS::Events::Rule'), ...of('AWS::SecretsManager::RotationSchedule')]
    const functions = of('AWS::Lambda::Function')
    const called = functions.filter(({ id }) => callers.some(({ properties }) => idsIn(properties).includes(id)))
    const scheduled = functions.filter(({ id }) => /^StartShow/.test(id))
    expect([...called, ...scheduled]).toHaveLength(names.length - 1) // all but NotifyTrigger, which starts a machine
    for (const { properties } of [...called, ...scheduled])
      expect(known()).toContain(idsIn(properties.DeadLetterConfig)[0])
  })
})

describe('deadLettersOf', () => {
  it('returns every queue of the stack, each of which has a row above', () => {
    cloud = open()
    const urls = deadLettersOf(cloud.outputs).map(({ queue }) => queue.split('/').at(-1))
    const ids = Object.keys(template.Resources).filter((id) => template.Resources[id]?.Type === 'AWS::SQS::Queue')
    expect(urls).toHaveLength(ids.length)
    expect(deadLettersOf(cloud.outputs).map(({ name }) => name)).toEqual(names)
  })

  it('needs none for ManageProject: CloudFormation waits for its answer, and retries with the next deployment', () => {
    cloud = open()
    const { ManageProject } = Object.fromEntries(
      Object.entries(template.Resources).map(([id, { Properties }]) => [id.replace(/[0-9A-F]{8}$/, ''), Properties]),
    )
    expect(ManageProject).toBeDefined()
    expect(ManageProject).not.toHaveProperty('DeadLetterConfig')
  })

  it('reports a stack without queues', () => {
    cloud = open()
    expect(() => deadLettersOf({ ApiUrl: 'https://api' })).toThrow('have no queues. Deploy it again.')
    expect(() => findDeadLetters(cloud.outputs, 'Other')).toThrow(
      'There is no queue of Other. Choose one of HandleCallback, NotifyTrigger, ',
    )
  })
})

describe('redrive', () => {
  it.each(Object.entries(queues))('redelivers the messages of %s, and empties its queue', async (name, event) => {
    const other = { ...event, id: 'another' }
    const letters = await openWith(name, [{ body: JSON.stringify(event) }, { body: JSON.stringify(other) }])
    expect(await count(name)).toEqual({ name, waiting: 2, beingHandled: 0 })

    expect(await redrive(letters, options())).toEqual({ redriven: 2, left: [] })
    const given = await givenTo(letters.target)
    expect(given).toHaveLength(2)
    expect(given).toEqual(expect.arrayContaining([event, other]))
    expect(await count(name)).toEqual({ name, waiting: 0, beingHandled: 0 })
    expect(await redrive(letters, options())).toEqual({ redriven: 0, left: [] })
  })

  it('redelivers more messages than one batch', async () => {
    const bodies = Array.from({ length: 23 }, (_, index) => ({ body: JSON.stringify({ ...scheduled, id: index }) }))
    expect(await redrive(await openWith('SweepShows', bodies), options())).toEqual({ redriven: 23, left: [] })
  })

  it('leaves in the queue what the target refuses, and continues with the rest', async () => {
    const letters = await openWith('StartShow', [{ body: 'no JSON' }, { body: JSON.stringify(queues.StartShow) }])
    expect(await redrive(letters, options())).toEqual({
      redriven: 1,
      left: [{ messageId: expect.any(String), reason: 'Could not parse request body into json.' }],
    })
    expect(await count('StartShow')).toEqual({ name: 'StartShow', waiting: 0, beingHandled: 1 })
    expect(await givenTo(letters.target)).toEqual([queues.StartShow])
  })

  it('leaves an event that is too long for the input of an execution', async () => {
    const body = JSON.stringify({ ...queues.NotifyTrigger, more: 'x'.repeat(300_000) })
    const { left } = await redrive(await openWith('NotifyTrigger', [{ body }]), options())
    expect(left).toEqual([{ messageId: expect.any(String), reason: expect.stringMatching(/input/i) }])
  })

  it('leaves an event that the Scheduler has truncated', async () => {
    const attributes = { IS_PAYLOAD_TRUNCATED: { type: 'String', value: 'true' } } as const
    const letters = await openWith('StartShow', [{ body: '{"scheduleId":"weekly"}', attributes }])
    expect((await redrive(letters, options())).left).toEqual([
      { messageId: expect.any(String), reason: 'The Scheduler has truncated its event. Post the show again.' },
    ])
    expect(await givenTo(letters.target)).toEqual([])
  })

  it('receives nothing once it is interrupted', async () => {
    const letters = await openWith('StartShow', [{ body: JSON.stringify(queues.StartShow) }])
    expect(await redrive(letters, { ...options(), signal: AbortSignal.abort() })).toEqual({ redriven: 0, left: [] })
    expect(await count('StartShow')).toEqual({ name: 'StartShow', waiting: 1, beingHandled: 0 })
  })
})
