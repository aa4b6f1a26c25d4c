import { setProjectStatus } from './account.ts'
import { startBreaking } from './breaking.ts'
import type { Chaos } from './chaos.ts'
import type { Reach } from './reach.ts'

/** Guests notice so many ms after the platform has come back that they were thrown out. */
const NOTICED_AFTER = 2_000

/** Lets happen what a plan says, each at its time, as a step of its own. */
export function injectFaults(chaos: Chaos, parts: Reach): void {
  const { clock, scheduler, faults, platform, audience } = parts
  const beginning = clock.now()
  const at = (seconds: number, act: () => Promise<void> | void) =>
    clock.at(beginning + seconds * 1000, () => void scheduler.pass(async () => act()).catch(() => {}))

  for (const { at: time, down } of chaos.restarts ?? []) {
    at(time, async () => {
      if (!platform.isUp) return
      faults.count('restart', `the platform is gone for ${down} s`)
      await platform.stop()
      clock.at(clock.now() + down * 1000, () => {
        platform.start()
        clock.at(clock.now() + NOTICED_AFTER, audience.comeBack)
      })
    })
  }
  for (const time of chaos.aborts ?? []) at(time, () => abortOne(parts))
  startBreaking(chaos.failures ?? [], parts)
  for (const { at: time, seconds } of chaos.suspensions ?? []) {
    const set = (status: 'SUSPENDED' | 'ACTIVE') => setProjectStatus(platform, status, clock)
    at(time, async () => {
      if (await set('SUSPENDED')) faults.count('suspension', `the project is suspended for ${seconds} s`)
    })
    at(time + seconds, () => reactivate(set, parts))
  }
  for (const { at: time, back } of chaos.exoduses ?? []) {
    at(time, () => {
      faults.count('exodus', 'everybody leaves')
      audience.leaveEarly(back)
    })
  }
  if (chaos.listLag) {
    faults.count('lagging lists', `lists lag behind by ${chaos.listLag} s`)
    platform.lag(chaos.listLag)
  }
  for (let upload = 0; upload < (chaos.failedUploads ?? 0); upload++)
    platform.sandbox.faults.order({ operation: 'stopArchive', fault: { type: 'failUpload' } })
}

/** The platform may be down when its time has come. */
async function reactivate(set: (status: 'ACTIVE') => Promise<boolean>, { clock, scheduler }: Reach): Promise<void> {
  if (await set('ACTIVE')) return
  clock.at(clock.now() + 1_000, () => void scheduler.pass(() => reactivate(set, { clock, scheduler } as Reach)))
}

function abortOne({ cloud, executions, random, faults }: Reach): void {
  const running = executions.all.filter((one) => cloud.stepFunctions.describeExecution(one).status === 'RUNNING')
  const picked = running[random.below(running.length)]
  if (!picked) return
  faults.count('aborted execution', `an execution of ${picked.machine} is stopped`)
  cloud.stepFunctions.stopExecution({ executionArn: picked.executionArn, error: 'Aborted', cause: 'By somebody.' })
}
