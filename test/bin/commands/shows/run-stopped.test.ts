import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { runCommand } from '../../../../bin/commands/shows/run.ts'
import { localFileOf } from '../../../../bin/local/local-file.ts'
import { type Listening, listen } from '../../../../local/cloud/server.ts'
import { collectOutput } from '../../../support/stdout.ts'

let folder: string
let directory: string
let server: Listening

/** A local system that is stopped during the show: it removes its file, and refuses what is asked of it. */
async function api(request: Request): Promise<Response> {
  if (request.method === 'POST') return Response.json({ showId: 'a-show', status: 'starting' }, { status: 202 })
  if (!new URL(request.url).pathname.startsWith('/shows')) return new Response('the console')
  await rm(localFileOf(directory), { force: true })
  return new Response('', { status: 500 })
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'showrunner-test-'))
  directory = join(folder, 'local')
  server = await listen(api)
  const credentials = { accessKeyId: 'A', secretAccessKey: 'S' }
  const local = {
    ...{ apiUrl: server.url, sandboxUrl: server.url, consoleUrl: server.url, joinUrl: `${server.url}/#key` },
    ...{ token: 't', controlToken: 'c', callbackSecret: 's', sandboxAccess: { apiKey: '1' } },
    awsAccess: { endpoint: server.url, region: 'us-east-1', credentials },
    outputs: { ShowSecretsPrefix: 'prefix/', PublishMachineArn: 'arn' },
    pid: process.pid,
  }
  await writeFile(localFileOf(directory), JSON.stringify(local))
})
afterAll(async () => {
  vi.restoreAllMocks()
  await server.close()
  await rm(folder, { recursive: true })
})

describe('run, when npm start is stopped', () => {
  it('fails with one sentence that says what happens to the show', async () => {
    const file = join(folder, 'show.json')
    await writeFile(file, '{"version":1.1,"name":"Lecture","duration":60,"recordings":[{"name":"program"}]}')
    const output = collectOutput()
    const run = runCommand().exitOverride()
    await expect(run.parseAsync([file, '--directory', directory], { from: 'user' })).rejects.toThrow(
      /^Showrunner was stopped\. It closes the show when it is started again\.$/,
    )
    expect(output.stdout + output.stderr).not.toContain('500')
  })
})
