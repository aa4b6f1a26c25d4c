import type { Services } from '../lib/services/services.ts'
import { TaskInputError } from '../lib/workflow/errors.ts'
import type { TaskInput, TaskOutput } from '../lib/workflow/tasks/tasks.ts'
import { noted } from '../lib/workflow/timeline.ts'
import { taskHandler } from './middleware/task.ts'

export async function openSession(
  { showId, session }: TaskInput<'openSession'>,
  { platform, records, clock }: Services,
): Promise<TaskOutput<'openSession'>> {
  const opened = (await records.readState(showId))?.sessionId
  if (opened) return { sessionId: opened } // repeated after a lost answer
  const sessionId = session.id ?? (await createSession(await platform(), session.location))
  const state = await records.updateState(showId, (state) => ({
    ...state,
    sessionId: state.sessionId ?? sessionId,
    timeline: noted(state.timeline, clock.now(), { what: 'session.opened' }),
  }))
  return { sessionId: state.sessionId ?? sessionId }
}

async function createSession(platform: Awaited<ReturnType<Services['platform']>>, location?: string): Promise<string> {
  const [session] = await platform.createSession({
    archiveMode: 'manual',
    'p2p.preference': 'disabled',
    ...(location && { location }),
  })
  if (!session) throw new TaskInputError('The platform created no session.')
  return session.session_id
}

export const handler = taskHandler('openSession', openSession)
