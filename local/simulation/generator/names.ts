import type { Draws } from './draws.ts'

const WORDS = ['program', 'speakers', 'stage', 'Backstage', 'english', 'deutsch', 'room_2', '4k', 'audience', 'booth']

/** Draws distinct names: short and long ones, with every allowed character. */
export function randomNames({ chance, oneOf, times }: Draws, count: number): string[] {
  return times(count, (index) => {
    const name = `${oneOf(WORDS)}-${index}`
    return chance(0.05) ? name.padEnd(64, 'x') : name
  })
}

/** Titles, which may have any characters. */
const TITLES = [
  'All hands',
  'Herbsttagung 2030 – Tag 2',
  '株主総会',
  '"Quotes" & <tags>',
  'Lançamento 🎉',
  '../../etc',
  'x',
]

export const randomTitle = ({ chance, oneOf }: Draws) => (chance(0.05) ? 'Long '.repeat(51) : oneOf(TITLES))
