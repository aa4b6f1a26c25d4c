import { Hono } from 'hono'
import { z } from 'zod'
import { limits } from '../../../lib/platform/contract/limits.ts'
import { Refusal } from '../http/refusal.ts'
import type { Variables } from '../http/router.ts'
import { parse, readJsonBody } from '../http/validation.ts'
import { findAnySession } from '../sessions/find-session.ts'
import type { CallRecord } from '../state/records.ts'
import type { Store } from '../state/store.ts'
import { callEndingOf, PLACEHOLDER_NUMBER } from './callees.ts'
import type { Calls } from './calls.ts'
import type { Dtmf } from './dtmf.ts'
import type { Phones } from './phones.ts'

const calleeAction = z.discriminatedUnion('does', [
  z.object({ does: z.enum(['ring', 'answer', 'hold', 'resume', 'hangUp']) }),
  z.object({ does: z.literal('press'), keys: z.string().regex(/^[0-9*#]{1,100}$/, 'must consist of 0-9, * and #') }),
])

/** Creates the routes by which tests act as the callee of SIP calls, and read what has reached it. */
export function createCallControlRoutes(parts: {
  store: Store
  calls: Calls
  dtmf: Dtmf
  phones: Pick<Phones, 'has' | 'reaches'>
}): Hono<Variables> {
  const { store, calls, dtmf, phones } = parts
  const routes = new Hono<Variables>()

  routes.get('/sandbox/sessions/:sessionId/calls', (c) => {
    c.set('operation', 'listCalls')
    const { sessionId } = c.req.param()
    const items = store.calls.find({ sessionId: findAnySession(store, sessionId).id }).map(show)
    return c.json({ count: items.length, items })
  })

  routes.get('/sandbox/calls/:callId', (c) => {
    c.set('operation', 'getCall')
    return c.json(show(find(c.req.param('callId'))))
  })

  routes.post('/sandbox/calls/:callId', async (c) => {
    c.set('operation', 'actAsCallee')
    const { id, status } = find(c.req.param('callId'))
    const wanted = parse(calleeAction, readJsonBody(await c.req.text()))
    const impossible = new Refusal(409, `The callee cannot ${wanted.does} now: the call is ${status}.`)
    if (status === 'HANGUP') throw impossible
    if (phones.has(id)) throw new Refusal(409, 'The callee is a real phone: act there.')
    if (wanted.does === 'hangUp') calls.end(id, callEndingOf(700))
    else if (wanted.does === 'press') dtmf.press(id, wanted.keys)
    else if (!calls.act(id, wanted.does)) throw impossible
    return c.json(show(find(id)))
  })

  function find(id: string): CallRecord {
    const call = store.calls.get(id)
    if (!call) throw new Refusal(404, 'Call not found')
    return call
  }

  function show({ status: state, pressed: _, ...call }: CallRecord) {
    const isMuted = store.streams.get(call.streamId)?.muted ?? false
    return { ...call, callerNumber: callerNumberOf(call), state, isMuted, sees: streamsSeen(call) }
  }

  /** Returns the streams in the callee's picture: the first ones if there are many. Phones receive none. */
  function streamsSeen(call: Pick<CallRecord, 'sessionId' | 'streamId' | 'video' | 'uri'>): string[] {
    const { sessionId, streamId, video, uri } = call
    if (!video || phones.reaches(uri)) return []
    const others = store.streams.find({ sessionId }).filter(({ id, hasVideo, silent }) => {
      return id !== streamId && hasVideo && !silent
    })
    return others.slice(0, limits.callVideoStreams.value).map(({ id }) => id)
  }

  return routes
}

const callerNumberOf = ({ from }: Pick<CallRecord, 'from'>) => /^(\+?\d+)@/.exec(from ?? '')?.[1] ?? PLACEHOLDER_NUMBER
