import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { localFileOf } from '../../../../bin/local/local-file.ts'
import { realClock } from '../../../../lib/clock.ts'
import { type Cloud, createCloud } from '../../../../local/cloud/cloud.ts'
import { createQueues, queueArn } from '../../../../local/cloud/queues/queues.ts'
import { type Listening, listen } from '../../../../local/cloud/server.ts'
import { assemblyOf, lambda } from '../../../local/cloud/small-assembly.ts'
import { startProgram } from '../../../support/program.ts'

/** An output, as the stack's DeadLetterQueue writes it. */
const output = (queue: string) => ({
  Value: {
    'Fn::Join': ['', ['{"queue":"', { Ref: queue }, '","target":"', { 'Fn::GetAtt': ['Notify', 'Arn'] }, '"}']],
  },
})
const queue = (QueueName: string) => ({ Type: 'AWS::SQS::Queue', Properties: { QueueName } })
const assembly = assemblyOf({
  Resources: { Notify: lambda('notify'), Lost: queue('lost'), None: queue('none') },
  Outputs: {
    NotifyDeadLetters: output('Lost'),
    IdleDeadLetters: output('None'),
    ShowSecretsPrefix: { Value: 'shows/' },
  },
})

let folder: string
let cloud: Cloud
let server: Listening
let events: unknown[]
const newId = () => crypto.randomUUID()

beforeEach(async () => {
  events = []
  folder = await mkdtemp(join(tmpdir(), 'showrunner-test-'))
  const spec = { name: 'lost', url: '', retention: 86_400, visibility: 30 }
  const queues = createQueues({ queues: [spec], directory: folder, clock: realClock, newId })
  for (const body of ['{"id":1}', '{"id":2}', 'broken']) queues.send(queueArn('lost'), body)
  server = await listen((request) => cloud.aws(request))
  cloud = createCloud({
    assembly,
    parameters: {},
    apiUrl: 'http://api.invalid',
    awsUrl: server.url,
    directory: folder,
    ...{
      clock: realClock,
      random: () => 0.5,
      randomHex: (digits: number) => newId().replaceAll('-', '').slice(0, digits),
    },
    invoke: async (_spec, event) => void events.push(event),
  })
  const addresses = { apiUrl: server.url, sandboxUrl: server.url, consoleUrl: server.url }
  const { credentials, outputs } = cloud
  const awsAccess = { endpoint: server.url, region: 'us-east-1', credentials }
  const secrets = { token: 't', sandboxAccess: { apiKey: '1' }, controlToken: 'd', callbackSecret: 'c' }
  const laptop = { ...addresses, ...secrets, awsAccess, outputs, pid: process.pid }
  await writeFile(localFileOf(join(folder, 'local')), JSON.stringify(laptop))
})
afterEach(async () => {
  await server.close()
  await cloud.close()
  await rm(folder, { recursive: true })
})

const run = async (...args: string[]) => {
  const { code, stdout, stderr } = await startProgram(['redrive', ...args, '--directory', join(folder, 'local')]).ended
  return { code, stdout, stderr }
}

describe('redriveCommand', () => {
  it('lists the queues without one', async () => {
    const stdout = 'QUEUE   WAITING  BEING HANDLED\nIdle    0        0\nNotify  3        0\n'
    expect(await run()).toEqual({ code: 0, stderr: '', stdout })
  })

  it('redelivers the messages of a queue, and fails if any stays', async () => {
    const { code, stdout } = await run('Notify')
    expect(stdout).toMatch(
      /^2 messages were redelivered\.\n1 could not be redelivered and stays in the queue:\n\S+ {2}Could not parse request body into json\.\n$/,
    )
    expect(code).toBe(1)
    expect(events).toEqual([{ id: 1 }, { id: 2 }])
  })

  it('prints only JSON with --json', async () => {
    const left = [{ messageId: expect.any(String), reason: 'Could not parse request body into json.' }]
    expect(JSON.parse((await run('Notify', '--json')).stdout)).toEqual({ queue: 'Notify', redriven: 2, left })
    const queues = [
      { name: 'Idle', waiting: 0, beingHandled: 0 },
      { name: 'Notify', waiting: 0, beingHandled: 1 },
    ]
    expect(JSON.parse((await run('--json')).stdout)).toEqual({ queues })
  })

  it('reports an empty queue', async () => {
    expect(await run('Idle')).toEqual({ code: 0, stderr: '', stdout: 'The queue of Idle is empty.\n' })
  })

  it('lists the queues for an unknown name', async () => {
    const stderr = 'There is no queue of Other. Choose one of Idle, Notify.\n'
    expect(await run('Other')).toEqual({ code: 1, stdout: '', stderr })
  })

  it('reports a stage that was not deployed from this checkout', async () => {
    const { code, stderr } = await run('Notify', '--stage', 'never-deployed')
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining('was not deployed from this folder'),
    })
  })
})
