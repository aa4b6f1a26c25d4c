import { startOrAdoptArchive } from '../lib/services/adoption.ts'
import type { Services } from '../lib/services/services.ts'
import { tagOf } from '../lib/workflow/names.ts'
import type { TaskInput, TaskOutput } from '../lib/workflow/tasks/tasks.ts'
import { taskHandler } from './middleware/task.ts'

export async function startRecording(
  { showId, sessionId, recording }: TaskInput<'startRecording'>,
  { platform }: Services,
): Promise<TaskOutput<'startRecording'>> {
  const archive = await startOrAdoptArchive(await platform(), { showId, sessionId, order: recording })
  return {
    name: recording.name,
    tag: tagOf(showId, recording.name),
    archiveId: archive.id,
    createdAt: new Date(archive.createdAt).toISOString(),
    status: archive.status,
  }
}

export const handler = taskHandler('startRecording', startRecording)
