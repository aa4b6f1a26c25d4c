import type { Archive, Broadcast } from '../../../platform/client/answers.ts'
import type { Services } from '../../../services.ts'
import { isTagOf } from '../../document/fields/names.ts'
import type { ShowState } from '../../state/state.ts'
import { type ComposedResources, carriedTag, composedResources, partsIn } from '../composed-resources.ts'
import { isShown } from '../observation.ts'
import { isAlreadyEnded } from '../platform-errors.ts'

type Kind = keyof ComposedResources
const TITLES = { recordings: 'archive', broadcasts: 'broadcast' } as const

/**
 * Stops every archive, broadcast, scene and dial-in of a show until the signal aborts, and returns a sentence about the outcome.
 * Resources in the state are stopped without observing them. Meanwhile the platform is searched for other archives and broadcasts
 * with the show's tag.
 */
export async function stopNow(
  services: Pick<Services, 'platform'>,
  state: ShowState,
  signal: AbortSignal,
): Promise<string> {
  const { showId, sessionId, scenes, dialIns } = state
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
    const resources = composedResources(client)
    const stopPart = (kind: Kind, tag: string, id: string | undefined) =>
      stop(`${TITLES[kind]} ${tag}`, id, (one) => resources[kind].stop(one, { signal }))
    const stopUnnoted = async (kind: Kind) => {
      const listed = await Array.fromAsync<Archive | Broadcast>(resources[kind].list(sessionId, { signal }))
      const own = listed.filter((found) => isTagOf(showId, carriedTag(found)) && resources[kind].mayRun(found))
      return Promise.all(own.map((found) => stopPart(kind, carriedTag(found) ?? found.id, found.id)))
    }
    const stops = [
      ...partsIn(state)
        .filter((part) => resources[part.kind].mayRun(part))
        .map(({ kind, tag, id }) => stopPart(kind, tag, id)),
      stopUnnoted('recordings'),
      stopUnnoted('broadcasts'),
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
