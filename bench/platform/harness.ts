import { createPlatformClient } from '../../lib/platform/client/client.ts'
import { createNonce, secureRandom } from '../../lib/platform/client/http/nonce.ts'
import { DEFAULT_TOKEN_LIFETIME, signServiceToken } from '../../lib/platform/client/http/service-token.ts'
import { AUTH_HEADER } from '../../lib/platform/contract/tokens.ts'
import { eachAtOnce } from '../figures.ts'
import { type Subprocess, startSubprocess } from '../subprocess.ts'
import type { BareAnswer, BareReady } from './bare-process.ts'
import { requestBytes } from './load.ts'
import type { SandboxReady } from './sandbox-process.ts'

export type PlatformHarness = Awaited<ReturnType<typeof openPlatformHarness>>

/** Concurrent calls while the sandbox is filled. */
const WIDTH = 16

/** Starts the sandbox without media, and a bare server that returns the same answers, in separate processes. */
export async function openPlatformHarness(signal: AbortSignal) {
  await using programs = new AsyncDisposableStack()
  const start = async <Ready>(file: string) =>
    programs.use(await startSubprocess<Ready>(new URL(file, import.meta.url), {}, signal))
  const sandbox = await start<SandboxReady>('./sandbox-process.ts')
  const bare = await start<BareReady>('./bare-process.ts')
  const started = programs.move()
  return { ...furnish(sandbox, bare, signal), sandbox, bare, [Symbol.asyncDispose]: () => started.disposeAsync() }
}

function furnish(sandbox: Subprocess<SandboxReady>, bare: Subprocess<BareReady>, signal: AbortSignal) {
  const { url, apiKey, apiSecret } = sandbox.ready
  const client = createPlatformClient({ baseUrl: url, apiKey, apiSecret })
  const tokenHeader = () => {
    const signer = { kind: 'project', key: apiKey, secret: apiSecret } as const
    const how = { now: Date.now(), lifetime: DEFAULT_TOKEN_LIFETIME, random: secureRandom }
    return { accept: 'application/json', [AUTH_HEADER]: signServiceToken(signer, how) }
  }

  return {
    client,
    createSessions: (count: number) =>
      eachAtOnce(Array.from({ length: count }), WIDTH, async () => {
        const [session] = await client.createSession({}, { signal })
        return session?.session_id ?? ''
      }),
    /** Joins a participant to each session, and starts an archive there. */
    startArchives: (sessionIds: readonly string[]) =>
      eachAtOnce(sessionIds, WIDTH, async (sessionId) => {
        await join(sandbox.ready, sessionId, signal)
        return (await client.startArchive({ sessionId, name: createNonce(Math.random) }, { signal })).id
      }),
    /** Returns requests of a path, each with its own token, as the platform recommends. */
    requestsFor(path: string, count: number) {
      const [there, here] = [new URL(path, url), new URL(path, bare.ready.url)]
      const headers = Array.from({ length: count }, tokenHeader)
      return {
        sandbox: headers.map((header) => requestBytes(there, header)),
        bare: headers.map((header) => requestBytes(here, header)),
      }
    },
    /** Copies the sandbox’s answer to the bare server. */
    async copyAnswer(path: string) {
      const response = await fetch(new URL(path, url), { headers: tokenHeader(), signal })
      const body = await response.text()
      if (!response.ok) throw new Error(`The sandbox answered ${path} with ${response.status}.`)
      await bare.ask({ headers: ownHeaders(response.headers), body } satisfies BareAnswer)
    },
  }
}

/** Removes the headers that every server on node:http adds. */
const ownHeaders = (headers: Headers) =>
  Object.fromEntries(
    [...headers].filter(([name]) => !['date', 'connection', 'keep-alive', 'content-length'].includes(name)),
  )

async function join({ url, controlToken }: SandboxReady, sessionId: string, signal: AbortSignal): Promise<void> {
  const participants = `${url}/sandbox/sessions/${sessionId}/participants`
  const headers = { authorization: `Bearer ${controlToken}` }
  const response = await fetch(participants, { method: 'POST', headers, body: '{}', signal })
  await response.text()
  if (response.status !== 201)
    throw new Error(`The sandbox answered the join of a participant with ${response.status}.`)
}
