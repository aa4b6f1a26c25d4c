import type { Clock } from '../../../lib/clock.ts'
import { composerReasons } from '../../../lib/platform/contract/composers.ts'
import type { Announce } from '../callbacks/announcements.ts'
import type { Presence } from '../participants/presence.ts'
import type { ComposerRecord, ConnectionRecord, StreamRecord } from '../state/records.ts'
import type { Store } from '../state/store.ts'
import type { Timers } from '../state/timers.ts'
import type { AllTransitions } from '../state/transitions.ts'
import type { ComposerPage, ComposerPages } from './composer-pages.ts'

/** Experience Composers from their start until they stop. */
export interface Composers {
  start(composer: NewComposer): ComposerRecord
  /** Stops a composer. One that is starting stops as soon as it has started; a final status does not change. */
  stop(id: string): void
  /** Fails the composers of an earlier process. */
  recover(): void
}

type NewComposer = Pick<
  ComposerRecord,
  'id' | 'projectId' | 'sessionId' | 'url' | 'resolution' | 'maxDuration' | 'name' | 'data' | 'layoutClasses'
>

export function createComposers(parts: {
  store: Store
  clock: Clock
  timers: Timers
  transitions: AllTransitions
  presence: Presence
  announce: Announce
  pages: ComposerPages
}): Composers {
  const { store, clock, timers, transitions, presence, announce, pages } = parts
  /** The pages of composers that have not ended. */
  const opened = new Map<string, ComposerPage>()

  /** Connects the client of a composer whose page is open. */
  function connect({ id, sessionId, projectId, data }: ComposerRecord): ConnectionRecord | undefined {
    if (store.projects.get(projectId)?.status !== 'ACTIVE') {
      fail(id, 'The project cannot be used any more.')
      return undefined
    }
    const connection = presence.connect(sessionId, data)
    store.composers.update(id, { connectionId: connection.id })
    return connection
  }

  function join(id: string, { id: streamId }: StreamRecord): void {
    const { isStopRequested } = transitions.composers.move(id, 'started', { streamId })
    if (isStopRequested) stop(id)
  }

  /** Moves a composer to a final status, closes its page, and disconnects its client. */
  function end(id: string, to: 'stopped' | 'failed', reason: string): void {
    timers.cancelAll(id)
    opened.get(id)?.close()
    opened.delete(id)
    const ended = transitions.composers.move(id, to, { reason })
    const connection = ended.connectionId && store.connections.get(ended.connectionId)
    if (connection) presence.disconnect(connection)
    const { sessionId, projectId, streamId, status } = ended
    announce('composer', { id, event: 'render', sessionId, projectId, streamId, status, reason })
  }

  const fail = (id: string, reason: string) => end(id, 'failed', reason)
  const statusOf = (id: string) => store.composers.get(id)?.status

  function stop(id: string): void {
    if (statusOf(id) === 'starting') store.composers.update(id, { isStopRequested: true })
    if (statusOf(id) === 'started') end(id, 'stopped', composerReasons.stopRequested)
  }

  presence.listen({
    onLeft({ id: connectionId, sessionId }) {
      for (const { id } of store.composers.find({ sessionId, connectionId, status: ['starting', 'started'] }))
        fail(id, 'The composer was disconnected from its session.')
    },
  })

  return {
    stop,
    start(described) {
      const composer = transitions.composers.begin({ ...described, createdAt: clock.now() })
      const { id, createdAt, maxDuration } = composer
      const isOver = () => statusOf(id) === 'stopped' || statusOf(id) === 'failed'
      const page = pages.open(composer, {
        connect: () => (isOver() ? undefined : connect(composer)),
        onPublished: (stream) => !isOver() && join(id, stream),
        onFailed: (reason) => !isOver() && fail(id, reason),
      })
      opened.set(id, page)
      timers.set(id, 'duration', createdAt + maxDuration * 1000, () =>
        end(id, 'stopped', composerReasons.maximumDuration),
      )
      return composer
    },
    recover() {
      for (const { id } of store.composers.find({ status: ['starting', 'started'] }))
        fail(id, 'The platform was restarted.')
    },
  }
}
