import type { Clock } from '../../../lib/clock.ts'
import { sizeOf } from '../media/checks.ts'
import type { Presence } from '../participants/presence.ts'
import type { Timers } from '../state/timers.ts'
import { type ComposerPages, LOAD_LIMIT, pageFailures } from './composer-pages.ts'

/** Scripted course of a page. */
interface Course {
  /** Seconds until the page is open or has failed to open. */
  readonly opensAfter: number
  /** Reason why the page does not open. */
  readonly failure?: string
  /** Seconds after opening at which the page crashes. */
  readonly crashesAfter?: number
}

const OPEN_AFTER = 3

/**
 * Pages that fail, by their host; names under `.invalid` never exist (RFC 2606). Every other page opens: its picture is
 * generated, and nothing is fetched from its URL.
 */
const courses: Readonly<Record<string, Course>> = {
  'slow.invalid': { opensAfter: 15 },
  'timeout.invalid': { opensAfter: LOAD_LIMIT, failure: pageFailures.notLoaded(LOAD_LIMIT) },
  'crash.invalid': { opensAfter: OPEN_AFTER, crashesAfter: 10 },
}

/** Returns the course of the page at a URL. */
function courseOf(url: string): Course {
  const { hostname } = new URL(url)
  const scripted = Object.hasOwn(courses, hostname) ? courses[hostname] : undefined
  if (scripted) return scripted
  return { opensAfter: OPEN_AFTER, ...(hostname.endsWith('.invalid') && { failure: pageFailures.noHost }) }
}

/** Creates pages that are not rendered: each is a generated picture with its URL, and takes a scripted course. */
export function createScriptedPages(parts: { clock: Clock; timers: Timers; presence: Presence }): ComposerPages {
  const { clock, timers, presence } = parts
  return {
    open({ id, createdAt, url, name, layoutClasses, resolution }, { connect, onPublished, onFailed }) {
      const { opensAfter, failure, crashesAfter } = courseOf(url)
      function publish(): void {
        const connection = connect()
        if (!connection) return
        const source = { type: 'pattern', size: sizeOf(resolution) } as const
        const kinds = { videoType: 'custom', hasAudio: true, hasVideo: true } as const
        if (crashesAfter !== undefined)
          timers.set(id, 'page', clock.now() + crashesAfter * 1000, () => onFailed(pageFailures.crashed))
        onPublished(presence.publish(connection, { name, caption: url, layoutClasses, ...kinds, source }))
      }
      timers.set(id, 'page', createdAt + opensAfter * 1000, () => (failure ? onFailed(failure) : publish()))
      return { close: () => timers.cancel(id, 'page') }
    },
    async close() {},
  }
}
