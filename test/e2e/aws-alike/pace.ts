import { type Clock, createSteppedClock, realClock } from '../../../lib/clock.ts'
import { createQuiescence } from '../../../local/simulation/scheduling/quiescence.ts'
import { createRandom } from '../../../local/simulation/scheduling/random.ts'
import { createOrderScheduler, type OrderScheduler } from '../../../local/simulation/scheduling/scheduler.ts'

/** How time passes, and who is next. */
export interface Pace {
  readonly clock: Clock
  readonly scheduler: OrderScheduler
  readonly drive: OrderScheduler['drive']
  close(): void
}

export interface SteppedPace extends Pace {
  /** Resolves at the first step after which this is so. */
  until(isSo: () => boolean): Promise<void>
}

/** Time jumps to what comes next whenever nothing happens any more. @param beginning milliseconds since the epoch */
export function steppedPace(beginning: number): SteppedPace {
  const quiescence = createQuiescence()
  const clock = createSteppedClock(beginning)
  const conditions = new Map<() => boolean, () => void>()
  const onStep = () => {
    const met = [...conditions].filter(([isSo]) => isSo())
    for (const [isSo, resolve] of met) {
      conditions.delete(isSo)
      resolve()
    }
    return met.length > 0
  }
  const scheduler = createOrderScheduler({ quiescence, clock, random: createRandom(1, 'order'), onStep })
  const until = (isSo: () => boolean) => new Promise<void>((resolve) => conditions.set(isSo, resolve))
  return { clock, scheduler, drive: scheduler.drive, until, close: quiescence.close }
}

/** Time is this machine's, and everybody goes on at once: for what needs sockets, which no stepped clock waits for. */
export function realPace(): Pace {
  const scheduler: OrderScheduler = { calls: 0, pass: (act) => act(), drive: (goal) => goal() }
  return { clock: realClock, scheduler, drive: scheduler.drive, close() {} }
}
