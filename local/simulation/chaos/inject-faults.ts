import { keys } from '../../../lib/show/state/keys.ts'
import { DEPLOYED } from '../environment/deployments.ts'
import { UNDECODABLE_PICTURES } from '../environment/media/undecodable-media.ts'
import type { Chaos } from './chaos.ts'
import type { ChaosTargets } from './chaos-targets.ts'
import { setProjectStatus } from './project-status.ts'
import { registerCallbacks } from './register-callbacks.ts'
import { repeatUploads } from './repeat-uploads.ts'
import { replaceFile, replaceReadyFile } from './replace-file.ts'
import { startResourceFailures } from './resource-failures.ts'
import { REVOCATION } from './revocation.ts'
import { rotateSecret } from './rotate-secret.ts'
import { interruptOutputs } from './unstable-outputs.ts'

/** Milliseconds after a restart until participants notice their disconnection. */
const RECONNECT_DELAY = 2_000

/** Schedules planned chaos, each item as a step of its time. */
export function injectFaults(chaos: Chaos, parts: ChaosTargets): void {
  const { clock, scheduler, faults, platform, audience } = parts
  const beginning = clock.now()
  const at = (seconds: number, act: () => Promise<void> | void) =>
    clock.at(beginning + seconds * 1000, () => void scheduler.pass(async () => act()).catch(() => {}))

  for (const { at: time, down } of chaos.restarts ?? []) {
    at(time, async () => {
      if (!platform.isUp) return
      faults.record('restart', `the platform is gone for ${down} s`)
      await platform.stop()
      clock.at(clock.now() + down * 1000, () => {
        platform.start()
        clock.at(clock.now() + RECONNECT_DELAY, audience.rejoin)
      })
    })
  }
  for (const time of chaos.aborts ?? []) at(time, () => abortOne(parts))
  startResourceFailures(chaos.failures ?? [], parts)
  for (const interruption of chaos.unstableOutputs ?? [])
    at(interruption.at, () => interruptOutputs(interruption, parts))
  for (const { at: time, seconds } of chaos.suspensions ?? []) {
    const set = (status: 'SUSPENDED' | 'ACTIVE') => setProjectStatus(platform, status, clock)
    at(time, async () => {
      if (await set('SUSPENDED')) faults.record('suspension', `the project is suspended for ${seconds} s`)
    })
    at(time + seconds, () => reactivate(set, parts))
  }
  for (const { at: time, back } of chaos.exoduses ?? []) {
    at(time, () => {
      faults.record('exodus', 'all participants leave')
      audience.leaveAll(back)
    })
  }
  if (chaos.listLag) {
    faults.record('lagging lists', `lists lag behind by ${chaos.listLag} s`)
    platform.lag(chaos.listLag)
  }
  if (chaos.callbacks) void scheduler.pass(() => registerCallbacks(parts))
  if (chaos.replacesFile) replaceFile(chaos.replacesFile, parts)
  if (chaos.replacesReadyFile) replaceReadyFile(parts)
  if (chaos.repeatsUploads) repeatUploads(parts)
  const { undecodable } = chaos
  if (undecodable)
    at(undecodable.at, () =>
      faults.record(UNDECODABLE_PICTURES, `no picture can be decoded for ${undecodable.seconds} s`),
    )
  if (chaos.forgetsBroadcasts) platform.forgetBroadcasts()
  if (chaos.clockSkew) faults.record('clock skew', `the platform’s clock is ${chaos.clockSkew} s ahead`)
  const { truncatedFiles = 0, downloads = [] } = chaos
  platform.damage({ truncatedFiles, downloads, onDamage: faults.record })
  for (let number = 0; number < (chaos.interruptedPosts ?? 0); number++) void interruptPost(number, parts)
  for (const { at: time, of } of chaos.rotations ?? []) at(time, () => rotateSecret(of, parts))
  for (const time of chaos.revocations ?? [])
    at(time, () => {
      faults.record(REVOCATION, 'the upload key is lost, and revoked')
      return parts.stack.revoke()
    })
  for (const time of chaos.deployments ?? [])
    at(time, () => {
      parts.deploy()
      faults.recordUnnoticed(DEPLOYED, 'other bundles and definitions are deployed')
    })
  for (const seconds of chaos.slowUploads ?? [])
    platform.sandbox.faults.order({ operation: 'stopArchive', fault: { type: 'slowUpload', ms: seconds * 1000 } })
  for (let upload = 0; upload < (chaos.failedUploads ?? 0); upload++)
    platform.sandbox.faults.order({ operation: 'stopArchive', fault: { type: 'failUpload' } })
}

/** Retries each second: the platform may be down at that time. */
async function reactivate(
  set: (status: 'ACTIVE') => Promise<boolean>,
  { clock, scheduler }: ChaosTargets,
): Promise<void> {
  if (await set('ACTIVE')) return
  clock.at(clock.now() + 1_000, () => void scheduler.pass(() => reactivate(set, { clock, scheduler } as ChaosTargets)))
}

/** Leaves what an interrupted post leaves: the entry in the sweep’s list, which is written first. */
function interruptPost(number: number, { scheduler, observer, faults }: ChaosTargets): Promise<void> {
  const showId = `00000000-interrupted-${number}`
  return scheduler.pass(async () => {
    await observer.storage.put(keys.unfinished(showId), '', 'text/plain')
    faults.record('interrupted post', `the post of the show ${showId} was interrupted`)
  })
}

function abortOne({ cloud, executions, random, faults }: ChaosTargets): void {
  const running = executions.all.filter((one) => cloud.stepFunctions.describeExecution(one).status === 'RUNNING')
  const picked = running[random.below(running.length)]
  if (!picked) return
  faults.record('aborted execution', `an execution of ${picked.machine} is stopped`)
  cloud.stepFunctions.stopExecution({
    executionArn: picked.executionArn,
    error: 'Aborted',
    cause: 'Stopped by the simulation.',
  })
}
