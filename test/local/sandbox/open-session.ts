import { type CallbackKind, callbacks } from '../../../lib/platform/contract/callbacks.ts'
import { openSandbox, type WorldOptions } from './open-sandbox.ts'

/** Opens a sandbox with one session, client tokens for it, and a record of every callback. */
export async function openSession(options: WorldOptions = {}) {
  const sent: Record<string, unknown>[] = []
  const callbackFetch = async (request: Request) => {
    sent.push((await request.json()) as Record<string, unknown>)
    return new Response()
  }
  const world = openSandbox({ callbackFetch, ...options })
  const { send, call, sign, clock, apiKey } = world
  const sessionId = await world.createSession()
  const target = { url: 'http://127.0.0.1:9/callbacks', secret: 'of the callbacks' }
  await send('PUT', `/sandbox/projects/${apiKey}/callbacks`, { body: JSON.stringify(target) })

  const clientToken = (claims: Record<string, unknown> = {}, secret?: string) => {
    const what = { session_id: sessionId, role: 'publisher', nonce: 'n', scope: 'session.connect' }
    return sign({ ...what, initial_layout_class_list: '', exp: clock.now() / 1000 + 3600, ...claims }, secret)
  }

  /** Callbacks of one kind so far, each held to the contract's schema. */
  async function callbacksOf(kind: CallbackKind, names: readonly string[]): Promise<Record<string, unknown>[]> {
    await clock.advance(0)
    const chosen = sent.filter(({ event }) => names.includes(String(event)))
    for (const body of chosen) callbacks[kind].body.parse(body)
    return chosen
  }

  /** Dials a user of example.com and follows the call. */
  async function dial(user: string, sip: Record<string, unknown> = {}, token?: string) {
    const uri = `sip:${user}@example.com`
    const { status, body } = await call('dial', {
      sessionId,
      token: token ?? (await clientToken()),
      sip: { uri, ...sip },
    })
    const { id, connectionId, streamId } = body as { id: string; connectionId: string; streamId: string }
    const act = (deed: Record<string, unknown>) => send('POST', `/sandbox/calls/${id}`, { body: JSON.stringify(deed) })
    const read = async () => (await send('GET', `/sandbox/calls/${id}`)).body
    const callUpdates = () => callbacksOf('call', ['callCreated', 'callUpdated', 'callDestroyed', 'muteForced'])
    return { status, body, id, connectionId, streamId, act, read, callUpdates }
  }

  async function startComposer(args: Record<string, unknown> = {}) {
    const url = 'https://scenes.example.com/lower-third'
    const { status, body } = await call('startComposer', { sessionId, token: await clientToken(), url, ...args })
    const read = async () => (await call('getComposer', { composerId: body.id })).body
    return { status, body, id: body.id as string, read }
  }

  return { ...world, sessionId, clientToken, callbacksOf, dial, startComposer }
}
