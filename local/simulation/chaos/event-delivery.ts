import type { Clock } from '../../../lib/clock.ts'
import type { CloudOptions } from '../../cloud/cloud.ts'
import type { Faults } from '../faults/counting.ts'
import type { Random } from '../scheduling/random.ts'
import type { Chaos } from './chaos.ts'

/** Carries events twice and late, and therefore out of their order: EventBridge promises neither once nor in order. */
export function createEventDelivery(
  { twice, late, latest }: NonNullable<Chaos['events']>,
  { clock, random, faults }: { clock: Clock; random: Random; faults: Faults },
): NonNullable<CloudOptions['carry']> {
  return (event, deliver) => {
    const name = `${event.source} ${event['detail-type']}`
    const isTwice = random.next() < twice
    const isLate = random.next() < late
    const later = () => clock.at(clock.now() + Math.ceil(random.next() * latest * 1000), deliver)
    if (isTwice) {
      faults.count('event twice', `the event ${name} comes twice`)
      later()
    }
    if (!isLate) return deliver()
    faults.count('event late', `the event ${name} comes late`)
    later()
  }
}
