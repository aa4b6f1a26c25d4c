import type { Services } from '../../../services.ts'
import { isTagOf } from '../../document/fields/names.ts'
import type { ShowState } from '../../state/state.ts'
import { type ComposedResource, composedResources } from '../composed-resources.ts'
import { isShown } from '../observation.ts'
import { isAlreadyEnded } from '../platform-errors.ts'

/**
 * Stops every archive, broadcast, scene and dial-in of a show until the signal aborts, and returns a sentence about the outcome.
 * Resources in the state are stopped without observing them. Meanwhile the platform is searched for other archives and broadcasts
 * with the show's tag.
 */
export async function stopNow(
  services: Pick<Services, 'platform'>,
  { showId, sessionId, recordings, broadcasts, scenes, dialIns }: ShowState,
  signal: AbortSignal,
): Promise<string> {
  if (!sessionId) return 'Nothing was running yet.'
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
    const stopParts = <Found extends { readonly id: string; readonly status?: string }>(
      kind: 'archive' | 'broadcast',
      resource: ComposedResource<Found, never>,
      noted: readonly { readonly tag: string; readonly id: string | undefined; readonly status?: string | undefined }[],
    ) => {
      const stopPart = (tag: string, id: string | undefined) =>
        stop(`${kind} ${tag}`, id, (one) => resource.stop(one, { signal }))
      const stopUnnoted = async () => {
        const listed = await Array.fromAsync(resource.list(sessionId, { signal }))
        const own = listed.filter((found) => isTagOf(showId, resource.tagOf(found)) && resource.mayRun(found))
        return Promise.all(own.map((found) => stopPart(resource.tagOf(found) ?? found.id, found.id)))
      }
      return [...noted.filter(resource.mayRun).map(({ tag, id }) => stopPart(tag, id)), stopUnnoted()]
    }
    const resources = composedResources(client)
    const stops = [
      ...stopParts(
        'archive',
        resources.recordings,
        recordings.map(({ archiveId: id, ...one }) => ({ ...one, id })),
      ),
      ...stopParts(
        'broadcast',
        resources.broadcasts,
        broadcasts.map(({ broadcastId: id, ...one }) => ({ ...one, id })),
      ),
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
    const outcomes = await Promise.allSettled<unknown>(stops)
    return outcomes.every(({ status }) => status === 'fulfilled')
  }

  const isComplete = await Promise.race([stopEach().catch(() => false), aborted(signal)])
  const kinds =
    scenes.length + dialIns.length > 0 ? 'archives, broadcasts, scenes and dial-ins' : 'archives and broadcasts'
  const done = `${stopped} ${kinds} were stopped at once.`
  if (isComplete) return done
  const rest = running.size > 0 ? [...running.values()].join(', ') : 'what else may run'
  return `${done} Not reached: ${rest}; the show’s machine continues to try.`
}

const aborted = (signal: AbortSignal) =>
  new Promise<false>((resolve) => signal.addEventListener('abort', () => resolve(false), { once: true }))
