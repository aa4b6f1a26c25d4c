import type { TaskRun } from '../../../services.ts'
import { TaskInputError } from '../../../tasks/errors.ts'
import { findComposer, startOrAdoptComposer } from '../adoption.ts'
import { observedComposer } from '../observed-entries.ts'
import { withEntry, withoutProblem } from '../resource-entries.ts'
import { unlessStopped } from '../unless-stopped.ts'

/** Starts the composer of a scene, or adopts it. @throws {@link ShowStoppedError} when the show is over or asked to stop */
export const startOrAdoptScene: TaskRun<'startScene', 'platform' | 'project' | 'shows' | 'clock'> = async (
  { platform: connect, project, shows, clock },
  { showId, sessionId, name },
) => {
  const [{ show, acceptedAt }, state] = await Promise.all([shows.request(showId), shows.state(showId)])
  const order = show.scenes.find((one) => one.name === name)
  if (!order) throw new TaskInputError(`The show ${showId} orders no scene ${name}.`)
  const { composerId: known, status = 'starting', askedAt } = state.scenes.find((one) => one.name === name) ?? {}
  if (known) return { name, composerId: known, status }

  const platform = await connect()
  const { url, resolution, maxDuration, layoutClasses } = order
  const claimed = state.scenes.flatMap(({ composerId }) => composerId ?? [])
  const mark = { sessionId, acceptedAt, urls: [url], claimed, askedAt }
  const noteAsked = (askedAt: string | undefined) =>
    shows.update(showId, (latest) => ({
      ...latest,
      scenes: withEntry(latest.scenes, name, ({ askedAt: _, ...scene }) => ({ ...scene, ...(askedAt && { askedAt }) })),
    }))
  const start = async () => {
    const composer = await startOrAdoptComposer({ platform, clock }, mark, async () => {
      const token = await project.publisherToken(sessionId, { layoutClasses })
      await noteAsked(new Date(clock.now()).toISOString())
      return { sessionId, token, url, resolution, maxDuration, properties: { name } }
    }).catch(async (error: unknown) => {
      await noteAsked(undefined)
      throw error
    })
    const observed = observedComposer(composer)
    await shows.update(
      showId,
      (latest) => ({
        ...latest,
        scenes: withEntry(latest.scenes, name, ({ askedAt: _, ...scene }) => ({
          ...withoutProblem(scene),
          ...observed,
        })),
      }),
      { what: 'scene.started', name },
    )
    return composer
  }
  const composer = await unlessStopped(shows, showId, {
    find: () => findComposer(platform, mark),
    start,
    stop: ({ id }) => platform.stopComposer({ composerId: id }),
  })
  return { name, composerId: composer.id, status: composer.status }
}
