import { limits } from '../../platform/contract/limits.ts'
import type { Services } from '../../services.ts'
import { isTagOf } from '../document/fields/names.ts'
import { mayBeLive, mayRecord } from '../state/part-entries.ts'
import type { ShowState } from '../state/state.ts'
import { tagOfArchive } from './adoption.ts'
import { isShown } from './observation.ts'
import { isAlreadyEnded } from './platform-errors.ts'

/**
 * Stops every archive, broadcast, scene and dial-in of a show that can be reached before the signal aborts, and says in
 * words what came of it. What the state knows is stopped without a look; meanwhile what else carries the show's tag is
 * looked for, which scenes and dial-ins do not.
 */
export async function stopNow(
  services: Pick<Services, 'platform'>,
  { showId, sessionId, recordings, broadcasts, scenes, dialIns }: ShowState,
  signal: AbortSignal,
): Promise<string> {
  if (!sessionId) return 'Nothing ran yet.'
  const running = new Map<string, string>()
  let stopped = 0

  const stopEach = async () => {
    const client = await services.platform()
    const asked = new Set<string>()
    const stop = async (what: string, id: string | undefined, ask: (id: string) => Promise<unknown>) => {
      if (id === undefined || asked.has(id)) return
      asked.add(id)
      running.set(id, what)
      try {
        await ask(id)
        stopped++
      } catch (error) {
        if (!isAlreadyEnded(error)) throw error
      }
      running.delete(id)
    }
    const stopArchive = (what: string, id: string | undefined) =>
      stop(`archive ${what}`, id, (archiveId) => client.stopArchive({ archiveId }, { signal }))
    const stopBroadcast = (what: string, id: string | undefined) =>
      stop(`broadcast ${what}`, id, (broadcastId) => client.stopBroadcast({ broadcastId }, { signal }))

    const known = [
      ...recordings.filter(mayRecord).map(({ tag, archiveId }) => stopArchive(tag, archiveId)),
      ...broadcasts.filter(mayBeLive).map(({ tag, broadcastId }) => stopBroadcast(tag, broadcastId)),
      ...scenes
        .filter(isShown)
        .map(({ name, composerId }) =>
          stop(`scene ${name}`, composerId, (id) => client.stopComposer({ composerId: id }, { signal })),
        ),
      ...dialIns
        .filter(({ status }) => status !== 'ended')
        .map(({ name, connectionId }) =>
          stop(`dial-in ${name}`, connectionId, (id) =>
            client.forceDisconnect({ sessionId, connectionId: id }, { signal }),
          ),
        ),
    ]
    const list = { sessionId, count: limits.listCountMax.value }
    const unknown = [
      Array.fromAsync(client.each.listArchives(list, { signal })).then((archives) =>
        archives
          .filter((archive) => isTagOf(showId, tagOfArchive(archive)) && mayRecord(archive))
          .map((archive) => stopArchive(tagOfArchive(archive) ?? archive.id, archive.id)),
      ),
      Array.fromAsync(client.each.listBroadcasts(list, { signal })).then((found) =>
        found
          .filter((broadcast) => isTagOf(showId, broadcast.multiBroadcastTag) && mayBeLive(broadcast))
          .map(({ multiBroadcastTag, id }) => stopBroadcast(multiBroadcastTag ?? id, id)),
      ),
    ].map(async (stops) => Promise.all(await stops))
    const outcomes = await Promise.allSettled([...known, ...unknown])
    return outcomes.every(({ status }) => status === 'fulfilled')
  }

  const isComplete = await Promise.race([stopEach().catch(() => false), aborted(signal)])
  const kinds =
    scenes.length + dialIns.length > 0 ? 'archives, broadcasts, scenes and dial-ins' : 'archives and broadcasts'
  const done = `${stopped} ${kinds} were stopped at once.`
  if (isComplete) return done
  const rest = running.size > 0 ? [...running.values()].join(', ') : 'what else may run'
  return `${done} Not reached: ${rest}; the show’s machine goes on trying.`
}

const aborted = (signal: AbortSignal) =>
  new Promise<false>((resolve) => signal.addEventListener('abort', () => resolve(false), { once: true }))
