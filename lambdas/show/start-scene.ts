import type { Services } from '../../lib/services.ts'
import { startOrAdoptScene } from '../../lib/show/run/start/start-scene.ts'
import type { TaskInput, TaskOutput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

export async function startScene(
  input: TaskInput<'startScene'>,
  services: Pick<Services, 'platform' | 'project' | 'shows' | 'clock'>,
): Promise<TaskOutput<'startScene'>> {
  return startOrAdoptScene(services, input)
}

export const handler = taskHandler('startScene', startScene)
