import { archiveReasons } from '../../../lib/platform/contract/archives.ts'
import type { SandboxParts } from '../parts.ts'
import type { Archives } from './archives.ts'

/**
 * Subscribes the automatic archives of sessions whose archiveMode is `always`. An archive starts when the first client
 * publishes. When it reaches its limit, the next one starts at the same instant.
 */
export function subscribeAutomaticArchives(
  parts: Pick<SandboxParts, 'store' | 'ids' | 'background' | 'transitions' | 'presence'> & { archives: Archives },
): void {
  const { store, ids, background, transitions, presence, archives } = parts

  function start(sessionId: string): void {
    const session = store.sessions.get(sessionId)
    if (session?.archiveMode !== 'always' || !presence.isPublishing(sessionId)) return
    if (archives.running(sessionId).some(({ isAutomatic }) => isAutomatic)) return
    background.run(async () => {
      await archives
        .start({
          id: ids.uuid(),
          projectId: session.projectId,
          sessionId,
          isAutomatic: true,
          hasAudio: true,
          hasVideo: true,
          resolution: '640x480',
          layout: { type: 'bestFit' },
        })
        .catch(() => {}) // the record has the failure, and there is no caller
    })
  }

  presence.listen({ onPublishing: start })
  transitions.archives.listen(({ isAutomatic, status, reason, sessionId }) => {
    if (isAutomatic && status === 'stopped' && reason === archiveReasons.maximumDuration) start(sessionId)
  })
}
