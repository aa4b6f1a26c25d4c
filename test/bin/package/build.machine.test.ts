import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { root } from '../../../bin/local/root.ts'
import { buildPackage } from '../../../bin/package/build.ts'
import { routes } from '../../../lib/client/methods/routes.ts'
import { realClock } from '../../../lib/clock.ts'
import { createCallbackKeys } from '../../../lib/operations/notifications/callback-keys.ts'
import { createOwnerCallbacks } from '../../../lib/operations/notifications/owner-callbacks.ts'
import type { Operation } from '../../../lib/platform/contract/operation.ts'
import { operations } from '../../../lib/platform/contract/operations/operations.ts'
import { listen } from '../../../local/cloud/server.ts'
import { API_KEY, API_SECRET, startPlatformServer } from '../../lib/platform/client/platform-server.ts'
import { freePort } from '../../support/rtmp/free-port.ts'

const run = promisify(execFile)

let folder: string
let app: string
const npm = (cwd: string, ...args: string[]) =>
  run('npm', [...args, '--offline', '--cache', join(folder, 'cache'), '--no-audit', '--no-fund'], { cwd })

/** Creates an event app that has installed the package without a network. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'showrunner-package-'))
  app = join(folder, 'app')
  await mkdir(app)
  await buildPackage(join(folder, 'dist'))
  await npm(folder, 'pack', './dist', '--silent')
  const [tarball = ''] = (await readdir(folder)).filter((file) => file.endsWith('.tgz'))
  await writeFile(join(app, 'package.json'), '{ "name": "app", "private": true, "type": "module" }')
  await npm(app, 'install', join(folder, tarball))
})
afterAll(() => rm(folder, { recursive: true }))

/** Runs a program in the app and returns the JSON that it prints. */
async function runApp(source: string, variables: NodeJS.ProcessEnv = {}) {
  await writeFile(join(app, 'app.js'), source)
  const { stdout } = await run(process.execPath, ['app.js'], { cwd: app, env: { ...process.env, ...variables } })
  return JSON.parse(stdout)
}

/** Returns the compiler's problems with each source. One run checks all sources, because the compiler starts slowly. */
async function typecheck(sources: readonly string[], more: readonly string[] = ['--types', '']): Promise<string[]> {
  const files = sources.map((_source, index) => `checked-${index}.ts`)
  await Promise.all(sources.map((source, index) => writeFile(join(app, files[index] ?? ''), source)))
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024', '--lib', 'es2024,dom']
  const problems = await run(process.execPath, [compiler, ...options, ...more, ...files], { cwd: app }).then(
    ({ stdout }) => stdout,
    ({ stdout }: { stdout: string }) => stdout,
  )
  return files.map((file) =>
    problems
      .split(/^(?=\S)/m)
      .filter((problem) => problem.startsWith(file))
      .join(''),
  )
}

/** What the README's samples need of Express, which is not installed. */
const express = `declare module 'express' {
  interface Request { readonly params: Readonly<Record<string, string>> }
  interface Response { json(body: unknown): void }
  type Handle = (request: Request, response: Response) => Promise<void>
  export default function express(): {
    post(path: string, handle: Handle): void
    get(path: string, handle: Handle): void
    listen(port: number): import('node:http').Server
  }
}
`

/** Imports and variables of the package's examples. */
const examplePrelude = `import { createShowrunner, type Showrunner } from 'showrunner'
import { createCallbackVerifier } from 'showrunner/callbacks'
import { createClientToken, createPlatformClient, PlatformConflictError, type PlatformClient } from 'showrunner/platform'
import { verifyShowrunnerCallback } from 'showrunner/events'
declare const client: PlatformClient
declare const showrunner: Showrunner
declare const showId: string
declare const apiKey: string, apiSecret: string, sessionId: string
declare const archiveId: string, clipId: string, deliveryId: string
declare const request: import('node:http').IncomingMessage
declare const body: Uint8Array
declare const report: unknown[]
`

/** Returns the declarations in a folder of the installed package, as one text. */
async function readTypes(folder: string): Promise<string> {
  const path = join(app, 'node_modules/showrunner/types', folder)
  const files = (await readdir(path, { recursive: true })).filter((file) => file.endsWith('.d.ts'))
  return (await Promise.all(files.map((file) => readFile(join(path, file), 'utf8')))).join('\n')
}

const node = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')]

async function documentedReceiver(): Promise<string> {
  const [sample, ...others] = (await readFile(join(root, 'docs/callbacks.md'), 'utf8')).matchAll(/^```ts\n(.*?)^```/gms)
  expect(others).toEqual([])
  return sample?.[1] ?? ''
}

/** Starts the app's `receiver.ts` on a free port. */
async function startReceiver(keys: string) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/`
  const env = { ...process.env, PORT: String(port), CALLBACK_URL: url, CALLBACK_KEYS: keys }
  const receiver = spawn(process.execPath, ['receiver.ts'], { cwd: app, env, stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  receiver.stdout.setEncoding('utf8').on('data', (piece: string) => {
    text += piece
  })
  const close = async () => {
    const closed = once(receiver, 'close')
    receiver.kill()
    await closed
  }
  await vi.waitFor(() => fetch(`http://127.0.0.1:${port}`), 300_000)
  return { port, printed: () => text, close }
}

describe('buildPackage', () => {
  it('builds a client that calls the platform', async () => {
    const server = await startPlatformServer(realClock)
    const archive = await runApp(
      `import { createPlatformClient, PlatformRequestError } from 'showrunner/platform'
      const { URL: baseUrl, KEY: apiKey, SECRET: apiSecret } = process.env
      const client = createPlatformClient({ baseUrl, apiKey, apiSecret })
      const refused = await client.getArchive({}).catch((error) => error)
      if (!(refused instanceof PlatformRequestError)) throw refused
      console.log(JSON.stringify(await client.getArchive({ archiveId: 'a' })))`,
      { URL: server.url, KEY: API_KEY, SECRET: API_SECRET },
    )
    await server.close()
    expect([archive.status, server.complaints]).toEqual(['started', []])
  })

  it('builds a client of Showrunner that an app without dependencies calls, by the documented receiver of Express', async () => {
    const shows: unknown[] = []
    const api = await listen(async (request) => {
      shows.push([request.headers.get('idempotency-key'), await request.json()])
      return Response.json({ showId: 'a-show', status: 'starting' }, { status: 202 })
    })
    const readme = await readFile(join(app, 'node_modules/showrunner/README.md'), 'utf8')
    const sample = /^```ts\n(import express.*?)^```/ms.exec(readme)?.[1] ?? ''
    const answer = await runApp(
      sample
        .replace(
          "import express from 'express'",
          'const routes = {}\nconst app = { post: (path, handle) => { routes[path] = handle }, get() {}, listen() {} }',
        )
        .replace('const app = express()', '')
        .replace(' as const', '')
        .concat(
          "await routes['/webinars/:id']({ params: { id: 'webinar 7' } }, { json: (body) => console.log(JSON.stringify(body)) })",
        ),
      { SHOWRUNNER_URL: api.url, SHOWRUNNER_TOKEN: 't' },
    )
    await api.close()
    expect(answer).toEqual({ showId: 'a-show', status: 'starting' })
    expect(shows).toMatchObject([['webinar 7', { version: 1.1, name: 'Launch webinar' }]])
  })

  it('builds a verifier of the platform’s callbacks', async () => {
    const name = await runApp(
      `import { CallbackError, createCallbackVerifier } from 'showrunner/callbacks'
      const verify = createCallbackVerifier({ secret: 's' })
      const refused = await verify({ authorization: 'Bearer x.y.z', body: '{}' }).catch((error) => error)
      console.log(JSON.stringify(refused instanceof CallbackError ? refused.name : String(refused)))`,
    )
    expect(name).toBe('CallbackError')
  })

  it('builds a verifier of Showrunner’s callbacks, with which the documented receiver handles an event once', async () => {
    const source = await documentedReceiver()
    expect(await typecheck([source], node)).toEqual([''])
    await writeFile(join(app, 'receiver.ts'), source)
    const stage = 'a secret from which a key pair is derived'
    const keysOf = (secret: string) =>
      createCallbackKeys({
        secrets: {
          readStage: async (_id, _shape, at) =>
            at === 'AWSCURRENT' ? { value: { secret } as never, createdAt: 0 } : undefined,
        },
        secretId: 'key',
        clock: realClock,
      })
    const api = await listen(async () => Response.json(await keysOf(stage).published()))
    const { port, printed, close } = await startReceiver(`${api.url}/.well-known/jwks.json`)
    const event = { id: 'a/show.ended///', event: 'show.ended', at: new Date().toISOString(), showId: 'a' } as const
    const post = (id: string, by = stage, path = '/?key=a') =>
      createOwnerCallbacks({
        secrets: {
          read: async (_id, shape) => shape.parse({ secret: 'of the deployment, with 32 characters' }) as never,
        },
        secretId: 'callbacks',
        keys: keysOf(by),
        showSecrets: { resolve: async () => '' },
        clock: realClock,
        fetch,
      }).post({ url: `http://127.0.0.1:${port}${path}` }, { ...event, id })
    const answers = [
      await post('1'),
      await post('1'),
      await post('2'),
      await post('3', 'another secret, of 32 or more characters'),
      await post('4', stage, '/another-app'),
    ]
    await close()
    await api.close()
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204, 403, 403])
    expect(printed()).toBe('show.ended a\nshow.ended a\n')
  })

  it('types arguments and answers', async () => {
    const good = `
      import { createCallbackVerifier, type CallbackBody } from 'showrunner/callbacks'
      import { createShowrunner, type Show, type ShowDocument } from 'showrunner'
      import { createPlatformClient, type Archive } from 'showrunner/platform'
      import { createPlatformClient as formerly } from 'showrunner/client'
      const show: ShowDocument = { version: 1, name: 'a', duration: 60, recordings: [{ name: 'program' }] }
      const showrunner = createShowrunner({ url: 'https://api.example.com', token: async () => 't' })
      const { showId } = await showrunner.shows.start(show)
      await showrunner.controls.signal(showId, { type: 'chat', data: 'We begin.' })
      const { result }: Show = await showrunner.shows.waitFor(showId, 'ended')
      for await (const { duration } of showrunner.recordings.list()) duration?.toFixed()
      export const was = [result?.status, formerly === createPlatformClient]
      const client = createPlatformClient({ baseUrl: 'https://platform.example.com', apiKey: '1', apiSecret: 's' })
      const archive: Archive = await client.startArchive({ sessionId: 'x', layout: { type: 'pip' } })
      for await (const { size } of client.each.listArchives()) size.toFixed()
      const verify = createCallbackVerifier({ secret: 's' })
      await verify({ authorization: undefined, body: new Uint8Array() })
      export const statusOf = (body: CallbackBody<'archive'>): Archive['status'] => body.status ?? archive.status`
    const bad = good
      .replace("type: 'pip'", "type: 'pop'")
      .replace('size.toFixed', 'size.trim')
      .replace('duration: 60', "duration: 'long'")
      .replace(", data: 'We begin.'", '')
    const [fine, wrong] = await typecheck([good, bad])
    expect(fine).toBe('')
    expect(wrong).toMatch(/\(\d+,\d+\): error TS\d+: .*'"pop"'/)
    expect(wrong).toMatch(/'trim' does not exist/)
    expect(wrong).toMatch(/'string' is not assignable to type 'number'/)
    expect(wrong).toMatch(/Property 'data' is missing/)
  })

  it('documents every method with a summary, its errors and an example', async () => {
    const methods = await readTypes('platform/client/methods')
    for (const [name, { summary, errors }] of Object.entries<Operation>(operations)) {
      const comments = methods.matchAll(new RegExp(` {2}/\\*\\*((?:(?!\\*/).)*)\\*/\\n {2}${name}\\(`, 'gs'))
      const comment = [...comments].map(([text]) => text).find((text) => text.includes(`* ${summary}\n`)) ?? ''
      expect(comment.match(/@throws \d+ \{@link \w+\}: /g)?.length).toBeGreaterThanOrEqual(Object.keys(errors).length)
      expect(comment).toContain(`await client.${name}(`)
    }
    for (const [, error] of methods.matchAll(/@link (\w+)/g))
      expect(methods).toMatch(new RegExp(`import type \\{[^}]*\\b${error}\\b`))
  })

  it('has examples that compile, one for each function and method', async () => {
    const types = await Promise.all(['client', 'platform/client', 'operations/notifications'].map(readTypes))
    const examples = [...types.join('').matchAll(/@example\n *\* ```ts\n(.*?)\n *\* ```\n/gs)].map(([, text = '']) =>
      text.replace(/^ *\* ?/gm, ''),
    )
    const iterators = Object.keys(operations).filter((name) => name.startsWith('list'))
    const others = [
      'createShowrunner',
      'createPlatformClient',
      'createClientToken',
      'createCallbackVerifier',
      'verifyShowrunnerCallback',
    ]
    for (const name of others) expect(examples.filter((code) => code.includes(`${name}(`))).toHaveLength(1)
    const methods = Object.values(routes).flatMap(Object.keys)
    expect(examples).toHaveLength(
      Object.keys(operations).length + iterators.length + methods.length + others.length + 2,
    )
    const sources = examples.map((code) => `${examplePrelude}export async function example() {\n${code}\n}\n`)
    expect((await typecheck(sources, node)).filter(Boolean)).toEqual([])
  })

  it('includes a README whose samples compile', async () => {
    const readme = await readFile(join(app, 'node_modules/showrunner/README.md'), 'utf8')
    const samples = [...readme.matchAll(/^```ts\n(.*?)^```/gms)].map(([, sample = '']) => sample)
    expect(samples).toHaveLength(6)
    await writeFile(join(app, 'express.d.ts'), express)
    const files = samples.map((sample) => `/// <reference path="./express.d.ts" />\n${sample}`)
    expect((await typecheck(files, node)).filter(Boolean)).toEqual([])
  })

  it('pins the dependencies that it bundles', async () => {
    const { dependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
    const built = JSON.parse(await readFile(join(app, 'node_modules/showrunner/package.json'), 'utf8'))
    expect(built.dependencies).toEqual({ jose: dependencies.jose, zod: dependencies.zod })
    expect(await readdir(join(app, 'node_modules/showrunner/node_modules'))).toEqual(['jose', 'zod'])
  })
})
