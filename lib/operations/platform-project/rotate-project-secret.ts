import { z } from 'zod'
import type { TaskRun } from '../../services.ts'
import { ServiceError } from '../../tasks/errors.ts'
import { rotationSteps } from '../../tasks/operations.ts'
import { doStep, type RotationSteps } from '../rotation-steps.ts'
import { platformSecret } from './project-client.ts'
import { noKeyYet, replaceProjectSecret } from './project-secret.ts'

/** Secrets Manager may try the test step on a copy of the secret when a rotation is deployed, even before it holds a key. */
const testedValue = z.union([platformSecret, noKeyYet])

/** Runs one step of rotating the secret of the platform project, or resumes a rotation that waited for shows. */
export const runProjectSecretStep: TaskRun<
  'rotateProjectSecret',
  'account' | 'platformAs' | 'rotationLock' | 'projectSecretRotation' | 'records' | 'secrets' | 'clock'
> = async (services, event) => {
  const { projectSecretRotation: rotation, platformAs } = services
  const steps: RotationSteps = {
    createSecret: async (versionId) => {
      const running = await replaceProjectSecret(services, versionId)
      if (running)
        throw new ServiceError(`The show ${running} has not settled yet: the rotation continues once no show runs.`)
    },
    setSecret: async () => {}, // the platform generates the secret
    testSecret: async (versionId) => {
      const held = await rotation.valueAt(versionId, testedValue)
      if (held) await platformAs(held).listArchives({ count: 1 })
    },
    finishSecret: (versionId) => rotation.promote(versionId, platformSecret),
  }
  if (event.Step !== 'followUp') return { outcome: await doStep(rotation, event, steps) }

  const versionId = await rotation.pendingVersion()
  if (!versionId) return { outcome: 'nothing to do' }
  const running = await replaceProjectSecret(services, versionId)
  if (running) return { outcome: 'waits', showId: running }
  for (const step of rotationSteps) await steps[step](versionId)
  return { outcome: 'done' }
}
