import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { root } from '../../../bin/local/root.ts'
import { buildPackage } from '../../../bin/package/build.ts'
import { realClock } from '../../../lib/clock.ts'
import { createCallbackKeys } from '../../../lib/operations/notifications/callback-keys.ts'
import { createCallbacks } from '../../../lib/operations/notifications/owner-callbacks.ts'
import { listen } from '../../../local/cloud/server.ts'
import { API_KEY, API_SECRET, startPlatformServer } from '../../lib/platform/client/platform-server.ts'

const run = promisify(execFile)

let folder: string
let app: string
const npm = (cwd: string, ...args: string[]) =>
  run('npm', [...args, '--offline', '--cache', join(folder, 'cache'), '--no-audit', '--no-fund'], { cwd })

/** An event app of its own that has installed the package, without a network. */
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

/** Runs a program of the app and reads the JSON it prints. */
async function runApp(source: string, variables: NodeJS.ProcessEnv = {}) {
  await writeFile(join(app, 'app.js'), source)
  const { stdout } = await run(process.execPath, ['app.js'], { cwd: app, env: { ...process.env, ...variables } })
  return JSON.parse(stdout)
}

/** What the compiler says of each source, all of them in one run: it starts slowly. */
async function typecheck(sources: readonly string[], more: readonly string[] = ['--types', '']): Promise<string[]> {
  const files = sources.map((_source, index) => `checked-${index}.ts`)
  await Promise.all(sources.map((source, index) => writeFile(join(app, files[index] ?? ''), source)))
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024', '--lib', 'es2024,dom']
  const said = await run(process.execPath, [compiler, ...options, ...more, ...files], { cwd: app }).then(
    ({ stdout }) => stdout,
    ({ stdout }: { stdout: string }) => stdout,
  )
  return files.map((file) =>
    said
      .split(/^(?=\S)/m)
      .filter((problem) => problem.startsWith(file))
      .join(''),
  )
}

const node = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')]

async function documentedReceiver(): Promise<string> {
  const [sample, ...others] = (await readFile(join(root, 'docs/callbacks.md'), 'utf8')).matchAll(/^```ts\n(.*?)^```/gms)
  expect(others).toEqual([])
  return sample?.[1] ?? ''
}

/** Runs the app's `receiver.ts` on a free port until it is closed. */
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

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

describe('buildPackage', () => {
  it('makes a client that calls the platform', async () => {
    const server = await startPlatformServer(realClock)
    const archive = await runApp(
      `import { createPlatformClient, PlatformRequestError } from 'showrunner/client'
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

  it('makes a verifier of callbacks', async () => {
    const name = await runApp(
      `import { CallbackError, createCallbackVerifier } from 'showrunner/callbacks'
      const verify = createCallbackVerifier({ secret: 's' })
      const refused = await verify({ authorization: 'Bearer x.y.z', body: '{}' }).catch((error) => error)
      console.log(JSON.stringify(refused instanceof CallbackError ? refused.name : String(refused)))`,
    )
    expect(name).toBe('CallbackError')
  })

  it('makes a verifier of Showrunner’s own callbacks, with which the documented receiver takes an event once', async () => {
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
      createCallbacks({
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

  it('tells TypeScript what goes in and what comes out', async () => {
    const good = `
      import { createCallbackVerifier, type CallbackBody } from 'showrunner/callbacks'
      import { createPlatformClient, type Archive } from 'showrunner/client'
      const client = createPlatformClient({ baseUrl: 'https://platform.example.com', apiKey: '1', apiSecret: 's' })
      const archive: Archive = await client.startArchive({ sessionId: 'x', layout: { type: 'pip' } })
      for await (const { size } of client.each.listArchives()) size.toFixed()
      const verify = createCallbackVerifier({ secret: 's' })
      await verify({ authorization: undefined, body: new Uint8Array() })
      export const statusOf = (body: CallbackBody<'archive'>): Archive['status'] => body.status ?? archive.status`
    const bad = good.replace("type: 'pip'", "type: 'pop'").replace('size.toFixed', 'size.trim')
    const [fine, wrong] = await typecheck([good, bad])
    expect(fine).toBe('')
    expect(wrong).toMatch(/\(\d+,\d+\): error TS\d+: .*'"pop"'/)
    expect(wrong).toMatch(/'trim' does not exist/)
  })

  it('brings a README whose samples compile', async () => {
    const readme = await readFile(join(app, 'node_modules/showrunner/README.md'), 'utf8')
    const samples = [...readme.matchAll(/^```ts\n(.*?)^```/gms)].map(([, sample = '']) => sample)
    expect(samples).toHaveLength(4)
    expect(await typecheck(samples, node)).toEqual(['', '', '', ''])
  })

  it('pins what it carries', async () => {
    const { dependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
    const built = JSON.parse(await readFile(join(app, 'node_modules/showrunner/package.json'), 'utf8'))
    expect(built.dependencies).toEqual({ jose: dependencies.jose, zod: dependencies.zod })
    expect(await readdir(join(app, 'node_modules/showrunner/node_modules'))).toEqual(['jose', 'zod'])
  })
})
