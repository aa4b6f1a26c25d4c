import type { ShowDocument } from '../../../lib/show/document/show.ts'
import { createZone } from '../../cloud/schedules/zone.ts'
import type { Draws } from './draws.ts'

type Start = NonNullable<ShowDocument['start']>

const ZONES = ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Pacific/Apia', 'Australia/Lord_Howe', 'UTC']
const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']

/** Draws a start in two minutes to a day, in any zone, once or recurring. @param now milliseconds since the epoch */
export function randomStart(draws: Draws, now: number): Start {
  const { chance, maybe, oneOf, logUniform } = draws
  const zone = maybe(0.6, 'zone', () => oneOf(ZONES))
  const time = now + logUniform(120, 86_400) * 1_000
  const local = new Date(createZone(zone.zone ?? 'UTC').toWall(time))
  if (chance(0.5)) {
    const at = local.toISOString().slice(0, chance(0.5) ? 16 : 19)
    return chance(0.2) ? { at: new Date(time).toISOString() } : { at, ...zone }
  }
  // EventBridge Scheduler starts at whole minutes, so the next minute is the first.
  const first = new Date(local.getTime() + 60_000)
  return { cron: randomCron(draws, first), ...zone, ...randomLimits(draws, first) }
}

/** Returns the local time of an instant, to the minute. @param instant milliseconds since the epoch */
export const localTimeOf = (instant: number, zone: string): string =>
  new Date(createZone(zone).toWall(instant)).toISOString().slice(0, 16)

/** Changes of clocks in 2030, forward and back, each with its zone. */
const CHANGES = [
  { zone: 'Europe/Berlin', at: Date.UTC(2030, 2, 31, 1) },
  { zone: 'Europe/Berlin', at: Date.UTC(2030, 9, 27, 1) },
  { zone: 'America/New_York', at: Date.UTC(2030, 2, 10, 7) },
  { zone: 'America/New_York', at: Date.UTC(2030, 10, 3, 6) },
  { zone: 'Australia/Lord_Howe', at: Date.UTC(2030, 3, 6, 15) },
  { zone: 'Australia/Lord_Howe', at: Date.UTC(2030, 9, 5, 15, 30) },
] as const

/** Draws a start within three hours of a change of clocks, and a beginning of the world within the day before it. */
export function randomStartAcrossChange(draws: Draws): { readonly start: Start; readonly beginning: number } {
  const { between, chance, oneOf } = draws
  const { zone, at } = oneOf(CHANGES)
  const beginning = at - between(4 * 60, 20 * 60) * 60_000
  const time = at + between(-180, 180) * 60_000
  const first = new Date(createZone(zone).toWall(time))
  if (chance(0.5)) return { start: { at: localTimeOf(time, zone), zone }, beginning }
  return { start: { cron: `${first.getUTCMinutes()} ${first.getUTCHours()} * * ? *`, zone, count: 2 }, beginning }
}

/** Draws an expression whose first time is `first`. */
function randomCron({ oneOf }: Draws, first: Date): string {
  const [minute, hour, day] = [first.getUTCMinutes(), first.getUTCHours(), first.getUTCDay()]
  const which = Math.ceil(first.getUTCDate() / 7)
  return oneOf([
    `${minute} ${hour} * * ? *`,
    `${minute} ${hour} ? * ${WEEKDAYS[day]} *`,
    `${minute} ${hour} ? * ${day + 1}${which < 5 ? `#${which}` : ''} *`,
    `${minute} ${hour} ${first.getUTCDate()} ${first.getUTCMonth() + 1} ? ${first.getUTCFullYear()}`,
  ])
}

/** Draws limits of a series that includes its first start. */
function randomLimits({ between, chance, maybe, times }: Draws, first: Date) {
  const dateAfter = (days: number) => new Date(first.getTime() + days * 86_400_000).toISOString().slice(0, 10)
  return {
    ...maybe(0.6, 'until', () => dateAfter(chance(0.5) ? 0 : between(1, 30))),
    ...maybe(0.6, 'except', () => times(between(1, 3), (index) => dateAfter(index + 1))),
    ...maybe(0.75, 'count', () => between(1, 3)),
  }
}
