import { limits } from '../lib/platform/contract/limits.ts'
import { startOrAdoptBroadcast } from '../lib/services/adoption.ts'
import type { Services } from '../lib/services/services.ts'
import { tagOf } from '../lib/workflow/names.ts'
import type { TaskInput, TaskOutput } from '../lib/workflow/tasks/tasks.ts'
import { taskHandler } from './middleware/task.ts'

/** Seconds the platform lets a broadcast run past the planned end before it ends it by itself: a net, not the plan. */
const GRACE = 600

export async function startBroadcast(
  { showId, sessionId, broadcast: order, duration }: TaskInput<'startBroadcast'>,
  { platform }: Services,
): Promise<TaskOutput<'startBroadcast'>> {
  const maxDuration = Math.min(duration + GRACE, limits.broadcastDurationMax.value)
  const broadcast = await startOrAdoptBroadcast(await platform(), { showId, sessionId, order }, maxDuration)
  const hls = broadcast.broadcastUrls?.hls
  return {
    name: order.name,
    tag: tagOf(showId, order.name),
    broadcastId: broadcast.id,
    createdAt: new Date(broadcast.createdAt).toISOString(),
    status: broadcast.status,
    ...(hls && { hls }),
  }
}

export const handler = taskHandler('startBroadcast', startBroadcast)
