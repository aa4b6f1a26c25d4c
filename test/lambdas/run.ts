import type { z } from 'zod'
import type { TaskHandler } from '../../lambdas/middleware/task.ts'
import type { ShowDocument } from '../../lib/show/document/show.ts'
import type { TaskName, TaskOutput, Tasks } from '../../lib/tasks/tasks.ts'
import { loadFunction } from '../../local/simulation/environment/handlers.ts'
import { invoke, type World, webinar } from '../support/world.ts'

/** Runs a task's function in a world, with what a state would give it, and gives what the state would get. */
export async function run<Name extends TaskName>(
  world: World,
  name: Name,
  input: z.input<Tasks[Name]['input']>,
): Promise<TaskOutput<Name>> {
  return (await runAnyhow(world, name, input)) as TaskOutput<Name>
}

/** Runs a task's function with what no state should give it; the naming law says where it is. */
export async function runAnyhow(world: World, name: TaskName, input: unknown): Promise<unknown> {
  return invoke((await loadFunction(name)) as TaskHandler, world.services, input)
}

/** A show whose session is open and whose uploads go to the bucket; nobody has come yet. */
export async function openShow(world: World, document: ShowDocument = webinar, showId = 'a-show') {
  const { show } = await world.accept(document, showId)
  const { sessionId } = await run(world, 'openSession', { showId })
  await run(world, 'setUploadTarget', { showId })
  return { show, showId, sessionId }
}

/** Opens a show that is live: a participant has joined, and everything that it orders has started. */
export async function bringLive(world: World, document: ShowDocument = webinar, showId = 'a-show') {
  const { show, sessionId } = await openShow(world, document, showId)
  const guest = await world.platform.join(sessionId)
  const recordings = []
  for (const { name } of show.recordings)
    recordings.push(await run(world, 'startRecording', { showId, sessionId, name }))
  const broadcasts = []
  for (const { name } of show.broadcasts)
    broadcasts.push(await run(world, 'startBroadcast', { showId, sessionId, name }))
  await run(world, 'goLive', { showId, sessionId, recordings, broadcasts })
  return { show, showId, sessionId, guest, recordings, broadcasts }
}

/** Waits until nothing is under way at the platform any more, without any time passing. */
export const settled = (world: World) => world.clock.advance(0)
