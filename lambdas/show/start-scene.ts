import type { Services } from '../../lib/services.ts'
import { findComposer, startOrAdoptComposer } from '../../lib/show/run/adoption.ts'
import { withEntry, withoutProblem } from '../../lib/show/run/resource-entries.ts'
import { unlessStopped } from '../../lib/show/run/unless-stopped.ts'
import { TaskInputError } from '../../lib/tasks/errors.ts'
import type { TaskInput, TaskOutput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

export async function startScene(
  { showId, sessionId, name }: TaskInput<'startScene'>,
  { platform: connect, project, shows, clock }: Services,
): Promise<TaskOutput<'startScene'>> {
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
    const { id: composerId, status, streamId, createdAt } = composer
    const seen = { composerId, status, createdAt: new Date(createdAt).toISOString(), ...(streamId && { streamId }) }
    await shows.update(
      showId,
      (latest) => ({
        ...latest,
        scenes: withEntry(latest.scenes, name, ({ askedAt: _, ...scene }) => ({ ...withoutProblem(scene), ...seen })),
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

export const handler = taskHandler('startScene', startScene)
