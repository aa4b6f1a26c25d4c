import { describe, expect, it } from 'vitest'
import { createSteppedClock } from '../../../../lib/clock.ts'
import type { PageHost } from '../../../../local/sandbox/composers/composer-pages.ts'
import { createComposers } from '../../../../local/sandbox/composers/composers.ts'
import { createMediaOff } from '../../../../local/sandbox/media/media-off.ts'
import { createPresence } from '../../../../local/sandbox/participants/presence.ts'
import { createIds } from '../../../../local/sandbox/state/ids.ts'
import type { ConnectionRecord } from '../../../../local/sandbox/state/records.ts'
import { createStore } from '../../../../local/sandbox/state/store.ts'
import { createTimers } from '../../../../local/sandbox/state/timers.ts'
import { createTransitions } from '../../../../local/sandbox/state/transitions.ts'

/** Starts a composer whose page does what the test decides, as pages of a browser do, which take time to be published. */
function startComposer() {
  const clock = createSteppedClock(0)
  let next = 1
  const ids = createIds((bytes) => Buffer.alloc(bytes, next++))
  const store = createStore()
  const timers = createTimers(clock)
  const transitions = createTransitions(store, clock)
  const presence = createPresence({ store, clock, timers, ids, media: createMediaOff(clock) })
  store.projects.insert({ id: 'p', secret: '', name: '', status: 'ACTIVE', createdAt: 0, updatedAt: 0 })
  store.sessions.insert({ id: 's', projectId: 'p', createdAt: 0, routed: true })
  const announced: unknown[] = []
  const opened: PageHost[] = []
  let closed = 0
  const composers = createComposers({
    ...{ store, clock, timers, transitions, presence },
    announce: (_, body) => announced.push(body),
    pages: {
      open(_, host) {
        opened.push(host)
        return { close: () => closed++ }
      },
      close: async () => {},
    },
  })
  const described = { url: 'http://scenes.example.com/', resolution: '1280x720', name: '', layoutClasses: [] } as const
  const { id } = composers.start({ id: 'c', projectId: 'p', sessionId: 's', maxDuration: 60, ...described })
  const [host] = opened as [PageHost]
  const connect = () => host.connect() as ConnectionRecord
  const publish = (connection: ConnectionRecord) =>
    presence.publish(connection, { name: '', videoType: 'custom', hasAudio: true, hasVideo: true, layoutClasses: [] })
  const read = () => store.composers.get(id)
  const clients = () => store.connections.count({ sessionId: 's' })
  return { host, connect, publish, composers, presence, read, clients, announced, closed: () => closed, id, clock }
}

describe('composers whose page takes time to be published', () => {
  it('fail when they are disconnected before', () => {
    const { host, connect, publish, presence, read, announced, closed } = startComposer()
    const connection = connect()
    const stream = publish(connection)
    presence.disconnect(connection, 'forceDisconnected')
    const failed = { status: 'failed', reason: 'The composer was disconnected from its session.' }
    expect(read()).toMatchObject(failed)
    host.onPublished(stream)
    host.onFailed('The page crashed.')
    expect([read(), announced, closed()]).toMatchObject([failed, [failed], 1])
  })

  it('stop when they are published if a stop was requested before', () => {
    const { host, connect, publish, composers, read, clients, closed, id } = startComposer()
    const connection = connect()
    composers.stop(id)
    expect([read(), clients(), closed()]).toMatchObject([{ status: 'starting' }, 1, 0])
    host.onPublished(publish(connection))
    expect([read(), clients(), closed()]).toMatchObject([{ status: 'stopped', reason: 'Stop Requested' }, 0, 1])
  })

  it('leave their session when the page fails', () => {
    const { host, connect, read, clients } = startComposer()
    connect()
    host.onFailed('The page crashed.')
    expect([read(), clients()]).toMatchObject([{ status: 'failed', reason: 'The page crashed.' }, 0])
    expect(host.connect()).toBeUndefined()
    expect(clients()).toBe(0)
  })
})
