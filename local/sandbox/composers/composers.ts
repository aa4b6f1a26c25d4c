import type { Clock } from '../../../lib/clock.ts'
import { composerReasons } from '../../../lib/platform/contract/composers.ts'
import type { Announce } from '../callbacks/announcements.ts'
import { sizeOf } from '../media/checks.ts'
import type { Presence } from '../participants/presence.ts'
import type { ComposerRecord } from '../state/records.ts'
import type { Store } from '../state/store.ts'
import type { Timers } from '../state/timers.ts'
import type { AllTransitions } from '../state/transitions.ts'
import { pageOf } from './composer-pages.ts'

/** Experience Composers from their start until they stop. The course of their pages is scripted (composer-pages.ts). */
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
}): Composers {
  const { store, clock, timers, transitions, presence, announce } = parts

  function open(composer: ComposerRecord): void {
    const { failure } = pageOf(composer.url)
    const isUsable = store.projects.get(composer.projectId)?.status === 'ACTIVE'
    if (failure) fail(composer.id, failure)
    else if (!isUsable) fail(composer.id, 'The project cannot be used any more.')
    else join(composer)
  }

  function join({ id, sessionId, data, name, layoutClasses, url, resolution }: ComposerRecord): void {
    const connection = presence.connect(sessionId, data)
    const kinds = { videoType: 'custom', hasAudio: true, hasVideo: true } as const
    const source = { type: 'pattern', size: sizeOf(resolution) } as const
    const stream = presence.publish(connection, { name, caption: url, layoutClasses, ...kinds, source })
    const ids = { connectionId: connection.id, streamId: stream.id }
    const { isStopRequested } = transitions.composers.move(id, 'started', ids)
    const { crash } = pageOf(url)
    if (crash) timers.set(id, 'page', clock.now() + crash.after * 1000, () => fail(id, crash.reason))
    if (isStopRequested) stop(id)
  }

  /** Moves a composer to a final status, and disconnects its client. */
  function end(id: string, to: 'stopped' | 'failed', reason: string): void {
    timers.cancelAll(id)
    const ended = transitions.composers.move(id, to, { reason })
    const connection = ended.connectionId && store.connections.get(ended.connectionId)
    if (connection) presence.disconnect(connection)
    const { sessionId, projectId, streamId, status } = ended
    announce('composer', { id, event: 'render', sessionId, projectId, streamId, status, reason })
  }

  const fail = (id: string, reason: string) => end(id, 'failed', reason)

  function stop(id: string): void {
    const status = store.composers.get(id)?.status
    if (status === 'starting') store.composers.update(id, { isStopRequested: true })
    if (status === 'started') end(id, 'stopped', composerReasons.stopRequested)
  }

  presence.listen({
    onLeft({ id: connectionId, sessionId }) {
      for (const { id } of store.composers.find({ sessionId, connectionId, status: 'started' }))
        fail(id, 'The composer was disconnected from its session.')
    },
  })

  return {
    stop,
    start(described) {
      const composer = transitions.composers.begin({ ...described, createdAt: clock.now() })
      const { id, createdAt, maxDuration, url } = composer
      timers.set(id, 'page', createdAt + pageOf(url).opensAfter * 1000, () => open(composer))
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
