import { z } from 'zod'
import { platformSecret } from '../../lib/operations/platform-project/project-client.ts'
import { noKeyYet, replaceProjectSecret } from '../../lib/operations/platform-project/project-secret.ts'
import type { Services } from '../../lib/services.ts'
import { ServiceError } from '../../lib/tasks/errors.ts'
import { rotationSteps } from '../../lib/tasks/operations.ts'
import type { TaskInput, TaskOutput } from '../../lib/tasks/tasks.ts'
import { doStep, type RotationSteps } from '../middleware/rotation.ts'
import { taskHandler } from '../middleware/task.ts'

/**
 * A deployment that makes the schedule has Secrets Manager try this one step, on a copy of what the secret holds: at the first
 * deployment that is no key. No rotation leads there, since the step before makes a version with one.
 */
const heldWhenTested = z.union([platformSecret, noKeyYet])

export async function rotateProjectSecret(
  event: TaskInput<'rotateProjectSecret'>,
  services: Services,
): Promise<TaskOutput<'rotateProjectSecret'>> {
  const { projectSecretRotation: rotation, platformAs } = services
  const steps: RotationSteps = {
    createSecret: async (versionId) => {
      const running = await replaceProjectSecret(services, versionId)
      if (running)
        throw new ServiceError(`The show ${running} has not settled yet: the rotation goes on once no show runs.`)
    },
    setSecret: async () => {}, // the platform has made the secret itself
    testSecret: async (versionId) => {
      const held = await rotation.valueAt(versionId, heldWhenTested)
      if (held) await platformAs(held).listArchives({ count: 1 })
    },
    finishSecret: (versionId) => rotation.promote(versionId, platformSecret),
  }
  if (event.Step !== 'followUp') return { outcome: await doStep(event, rotation, steps) }

  const versionId = await rotation.pendingVersion()
  if (!versionId) return { outcome: 'nothing to do' }
  const running = await replaceProjectSecret(services, versionId)
  if (running) return { outcome: 'waits', showId: running }
  for (const step of rotationSteps) await steps[step](versionId)
  return { outcome: 'done' }
}

export const handler = taskHandler('rotateProjectSecret', rotateProjectSecret)
