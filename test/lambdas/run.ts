import type { z } from 'zod'
import { handler as acceptShow } from '../../lambdas/accept-show.ts'
import { handler as checkAudience } from '../../lambdas/check-audience.ts'
import { handler as checkUploads } from '../../lambdas/check-uploads.ts'
import { handler as goLive } from '../../lambdas/go-live.ts'
import { handler as hashSource } from '../../lambdas/hash-source.ts'
import { handler as inspectRecording } from '../../lambdas/inspect-recording.ts'
import { handler as makePoster } from '../../lambdas/make-poster.ts'
import type { TaskHandler } from '../../lambdas/middleware/task.ts'
import { handler as openSession } from '../../lambdas/open-session.ts'
import { handler as reportShow } from '../../lambdas/report-show.ts'
import { handler as rescueArchive } from '../../lambdas/rescue-archive.ts'
import { handler as setUploadTarget } from '../../lambdas/set-upload-target.ts'
import { handler as startBroadcast } from '../../lambdas/start-broadcast.ts'
import { handler as startPublish } from '../../lambdas/start-publish.ts'
import { handler as startRecording } from '../../lambdas/start-recording.ts'
import { handler as stopShow } from '../../lambdas/stop-show.ts'
import { handler as watchShow } from '../../lambdas/watch-show.ts'
import { handler as writeManifest } from '../../lambdas/write-manifest.ts'
import type { ShowDocument } from '../../lib/workflow/show.ts'
import type { TaskName, TaskOutput, Tasks } from '../../lib/workflow/tasks/tasks.ts'
import { invoke, type World, webinar } from '../support/world.ts'

const handlers: Record<TaskName, TaskHandler> = {
  acceptShow,
  checkAudience,
  checkUploads,
  goLive,
  hashSource,
  inspectRecording,
  makePoster,
  openSession,
  reportShow,
  rescueArchive,
  setUploadTarget,
  startBroadcast,
  startPublish,
  startRecording,
  stopShow,
  watchShow,
  writeManifest,
}

/** Runs a task's function in a world, with what a state would give it, and gives what the state would get. */
export async function run<Name extends TaskName>(
  world: World,
  name: Name,
  input: z.input<Tasks[Name]['input']>,
): Promise<TaskOutput<Name>> {
  return (await invoke(handlers[name], world.services, input)) as TaskOutput<Name>
}

/** Runs a task's function with what no state should give it. */
export const runAnyhow = (world: World, name: TaskName, input: unknown) => invoke(handlers[name], world.services, input)

/** A show whose session is open and whose uploads go to the bucket; nobody has come yet. */
export async function openShow(world: World, document: ShowDocument = webinar, showId = 'a-show') {
  const { show } = await world.accept(document, showId)
  const { sessionId } = await run(world, 'openSession', { showId, session: show.session })
  await run(world, 'setUploadTarget', { showId })
  return { show, showId, sessionId }
}

/** A show that is live: a guest has come, and everything it ordered has been started. */
export async function bringLive(world: World, document: ShowDocument = webinar, showId = 'a-show') {
  const { show, sessionId } = await openShow(world, document, showId)
  const guest = await world.platform.join(sessionId)
  const { duration } = show
  const recordings = []
  for (const recording of show.recordings)
    recordings.push(await run(world, 'startRecording', { showId, sessionId, recording }))
  const broadcasts = []
  for (const broadcast of show.broadcasts)
    broadcasts.push(await run(world, 'startBroadcast', { showId, sessionId, broadcast, duration }))
  await run(world, 'goLive', { showId, recordings, broadcasts, duration })
  return { show, showId, sessionId, guest, recordings, broadcasts }
}

/** Waits until nothing is under way at the platform any more, without any time passing. */
export const settled = (world: World) => world.clock.advance(0)
