import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { localFileOf } from '../../../bin/laptop/local-file.ts'
import { realClock } from '../../../lib/clock.ts'
import { type Cloud, createCloud } from '../../../local/cloud/cloud.ts'
import { createQueues, queueArn } from '../../../local/cloud/queues/queues.ts'
import { type Listening, listen } from '../../../local/cloud/server.ts'
import { assemblyOf, lambda } from '../../local/cloud/small-assembly.ts'
import { startProgram } from '../../support/program.ts'

/** As the stack's DeadLetterQueue writes it. */
const output = {
  'Fn::Join': ['', ['{"queue":"', { Ref: 'Lost' }, '","target":"', { 'Fn::GetAtt': ['Tell', 'Arn'] }, '"}']],
}
const assembly = assemblyOf({
  Resources: { Tell: lambda('tell'), Lost: { Type: 'AWS::SQS::Queue', Properties: { QueueName: 'lost' } } },
  Outputs: { TellDeadLetters: { Value: output }, ShowSecretsPrefix: { Value: 'shows/' } },
})

let folder: string
let cloud: Cloud
let server: Listening
const events: unknown[] = []
const newId = () => crypto.randomUUID()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'showrunner-test-'))
  const spec = { name: 'lost', url: '', retention: 86_400, visibility: 30 }
  const queues = createQueues({ queues: [spec], directory: folder, clock: realClock, newId })
  for (const body of ['{"id":1}', '{"id":2}', 'broken']) queues.send(queueArn('lost'), body)
  server = await listen((request) => cloud.aws(request))
  cloud = createCloud({
    ...{ assembly, parameters: {}, apiUrl: 'http://api.invalid', awsUrl: server.url, directory: folder },
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
  const secrets = { token: 't', sandboxAccess: { apiKey: '1' }, callbackSecret: 'c' }
  const laptop = { ...addresses, ...secrets, awsAccess, outputs, pid: process.pid }
  await writeFile(localFileOf(join(folder, 'local')), JSON.stringify(laptop))
})
afterAll(async () => {
  await server.close()
  await cloud.close()
  await rm(folder, { recursive: true })
})

const run = async (...args: string[]) => {
  const { code, stdout, stderr } = await startProgram(['redrive', ...args, '--directory', join(folder, 'local')]).ended
  return { code, stdout, stderr }
}

describe('redriveCommand', () => {
  it('lists the queues, hands over what one of them has, and says what it could not', async () => {
    expect(await run()).toEqual({ code: 0, stderr: '', stdout: 'QUEUE  WAITING  BEING HANDLED\nTell   3        0\n' })

    const { code, stdout } = await run('Tell', '--json')
    const reason = 'Could not parse request body into json.'
    const left = [{ messageId: expect.any(String), reason }]
    expect(JSON.parse(stdout)).toEqual({ queue: 'Tell', redriven: 2, left })
    expect(code).toBe(1)
    expect(events).toEqual([{ id: 1 }, { id: 2 }])

    const { stdout: list } = await run('--json')
    expect(JSON.parse(list)).toEqual({ queues: [{ name: 'Tell', waiting: 0, beingHandled: 1 }] })
    expect(await run('Tell')).toEqual({ code: 0, stderr: '', stdout: 'Nothing waits in the queue of Tell.\n' })
  })

  it('says which queues there are, and where a deployment was not made from here', async () => {
    expect(await run('Nobody')).toEqual({ code: 1, stdout: '', stderr: 'There is no queue of Nobody: choose Tell.\n' })
    const { code, stderr } = await run('Tell', '--stage', 'never-deployed')
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining('was not deployed from this checkout'),
    })
  })
})
