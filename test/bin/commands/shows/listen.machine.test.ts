import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EventBridgeClient, ListRulesCommand } from '@aws-sdk/client-eventbridge'
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { localFileOf } from '../../../../bin/local/local-file.ts'
import { listenNames } from '../../../../bin/operations/listen/leftovers.ts'
import { subscribe } from '../../../../bin/operations/listen/subscription.ts'
import { createEvents } from '../../../../lib/aws/bus.ts'
import { createSecrets } from '../../../../lib/aws/secrets.ts'
import { realClock } from '../../../../lib/clock.ts'
import { createCallbackKeys } from '../../../../lib/operations/notifications/callback-keys.ts'
import { verifyShowrunnerCallback } from '../../../../lib/operations/notifications/callback-verifier.ts'
import { type Cloud, createCloud } from '../../../../local/cloud/cloud.ts'
import { type Listening, listen } from '../../../../local/cloud/server.ts'
import { assemblyOf } from '../../../local/cloud/small-assembly.ts'
import { startProgram } from '../../../support/program.ts'
import { BUS, ended, listenTemplate } from '../../operations/listen/listen-cloud.ts'

let folder: string
let server: Listening
let cloud: Cloud
let app: Server
let url: string
let received: { readonly headers: IncomingHttpHeaders; readonly body: string }[]
/** Statuses of the app's next answers; 204 once there are no more. */
let statuses: number[]

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'showrunner-test-'))
  server = await listen((request) => cloud.aws(request))
  const randomHex = (digits: number) => crypto.randomUUID().replaceAll('-', '').slice(0, digits)
  const addresses = { apiUrl: server.url, sandboxUrl: server.url, consoleUrl: server.url }
  cloud = createCloud({
    assembly: assemblyOf(listenTemplate),
    ...{ parameters: {}, apiUrl: 'http://api.invalid', awsUrl: server.url, clock: realClock, randomHex },
    random: () => 0.5,
    invoke: async () => undefined,
  })
  const secrets = { token: 't', sandboxAccess: { apiKey: '1' }, controlToken: 'd', callbackSecret: 'c' }
  const local = { ...addresses, ...secrets, awsAccess: access(), outputs: cloud.outputs, pid: process.pid }
  await writeFile(localFileOf(join(folder, 'local')), JSON.stringify(local))
  received = []
  statuses = []
  app = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    received.push({ headers: request.headers, body })
    response.writeHead(statuses.shift() ?? 204).end()
  }).listen(0, '127.0.0.1')
  await once(app, 'listening')
  url = `http://127.0.0.1:${(app.address() as AddressInfo).port}/showrunner`
})
afterEach(async () => {
  app.closeAllConnections()
  app.close()
  await server.close()
  await cloud.close()
  await rm(folder, { recursive: true })
})

const access = () => ({ endpoint: server.url, region: 'us-east-1', credentials: cloud.credentials })

const start = (...args: string[]) =>
  startProgram(['listen', '--forward-to', url, ...args, '--directory', join(folder, 'local')])

async function present(): Promise<number> {
  const { Rules = [] } = await new EventBridgeClient(access()).send(new ListRulesCommand({ EventBusName: BUS }))
  const { QueueUrls = [] } = await new SQSClient(access()).send(
    new ListQueuesCommand({ QueueNamePrefix: `${BUS}-listen-` }),
  )
  return Rules.length + QueueUrls.length
}

describe('listenCommand', () => {
  it('forwards an event to the app, which verifies it, repeats a refused one, and leaves nothing behind', async () => {
    const clients = { bridge: new EventBridgeClient(access()), sqs: new SQSClient(access()) }
    await subscribe(clients, listenNames(BUS, undefined, 2 ** 31 - 1), {}) // of a listen that was killed
    statuses = [503]
    const program = start('--json', '--retry', '1', '--events', 'show.ended', '--show', 'demo')
    await program.says(/Forwarding events of this machine/)
    expect(await present()).toBe(2)
    await createEvents(clients.bridge, BUS, 'test').publish({ ...ended, callback: true })
    await program.says(/"attempt":2/)
    program.child.kill('SIGINT')
    const { code, stdout, stderr } = await program.ended
    expect(code).toBe(0)
    const delivery = { id: 'demo/show.ended', event: 'show.ended', showId: 'demo', ms: expect.any(Number) }
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { ...delivery, attempt: 1, status: 503, problem: expect.stringContaining('did not accept the event') },
      { ...delivery, attempt: 2, status: 204 },
    ])
    expect(stderr).toContain('Removed what a former listen had left.')
    expect(await present()).toBe(0)
    const secretId = cloud.outputs.CallbackKeySecretArn ?? ''
    const secrets = createSecrets(new SecretsManagerClient(access()))
    const keys = await createCallbackKeys({ secrets, secretId, clock: realClock }).published()
    for (const { headers, body } of received)
      expect(
        await verifyShowrunnerCallback({ signature: headers['showrunner-signature'], body }, { url, keys }),
      ).toEqual(ended)
    expect(received).toHaveLength(2)
  })

  it.each([
    [['--forward-to', 'localhost:3000'], 'It must be a URL'],
    [['--events', 'show.begun'], 'Allowed choices are'],
    [['--retry', '0'], 'It must be a whole number from 1 to 3600.'],
  ])('refuses %j', async (args, sentence) => {
    const { code, stderr } = await start(...args).ended
    expect([code, stderr]).toEqual([1, expect.stringContaining(sentence)])
  })
})
