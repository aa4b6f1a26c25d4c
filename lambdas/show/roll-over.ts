import type { Services } from '../../lib/services.ts'
import { rollOverParts } from '../../lib/show/run/watch/roll-over.ts'
import type { TaskInput, TaskOutput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

export async function rollOver(
  input: TaskInput<'rollOver'>,
  services: Pick<Services, 'platform' | 'shows' | 'showSecrets' | 'clock'>,
): Promise<TaskOutput<'rollOver'>> {
  return rollOverParts(services, input)
}

export const handler = taskHandler('rollOver', rollOver)
