import type { Clock } from '../../../lib/clock.ts'
import type { CloudOptions } from '../../cloud/cloud.ts'
import type { InjectedFaults } from '../faults/faults.ts'
import type { Random } from '../scheduling/random.ts'
import type { Chaos } from './chaos.ts'

/** Delivers events twice and late, and so out of order, or twice at once: EventBridge guarantees neither. */
export function createEventDelivery(
  { twice, late, latest }: NonNullable<Chaos['events']>,
  { clock, random, faults }: { clock: Clock; random: Random; faults: InjectedFaults },
): NonNullable<CloudOptions['deliverEvent']> {
  return (event, deliver) => {
    const name = `${event.source} ${event['detail-type']}`
    const isTwice = random.next() < twice
    const isLate = random.next() < late
    const later = () => clock.at(clock.now() + Math.ceil(random.next() * latest * 1000), deliver)
    if (isTwice) {
      faults.record('event twice', `the event ${name} arrives twice`)
      if (latest === 0) deliver()
      else later()
    }
    if (!isLate) return deliver()
    faults.record('event late', `the event ${name} arrives late`)
    later()
  }
}
