import { describe, expect, it } from 'vitest'
import { readSources, type Source } from '../sources.ts'

/** What no seed decides: the time and timers of the machine, and its random numbers. */
const UNREPEATABLE =
  /\b(?:Date\.now|performance\.now|Math\.random|setTimeout|setInterval|randomUUID|randomBytes|randomInt|getRandomValues)\b/g

/** The clock, the composition root, and what runs outside of functions. */
const ALLOWED = /^lib\/(?:clock\.ts|services\.ts|client\/|constructs\/|platform\/client\/http\/nonce\.ts)/

const withoutComments = (text: string) => text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')

/** Uses of what no seed decides, one sentence for each. */
const unrepeatable = (sources: readonly Source[]) =>
  sources
    .filter(({ path }) => !ALLOWED.test(path))
    .flatMap(({ path, text }) =>
      [...withoutComments(text).matchAll(UNREPEATABLE)].map(
        ([word]) => `${path} uses ${word}. Take the clock, \`random\` or \`newId\` of the services.`,
      ),
    )

describe('a seed of the simulation', () => {
  it('decides everything that the functions draw, and the time that they read', () => {
    expect(unrepeatable(readSources('lib', 'lambdas'))).toEqual([])
  })

  it('would not decide these', () => {
    const text = 'const id = randomUUID() // not Math.random\nconst now = Date.now()\n/** `setTimeout` */'
    expect(unrepeatable([{ path: 'lib/show/run/a.ts', text }])).toHaveLength(2)
    expect(unrepeatable([{ path: 'lib/clock.ts', text }])).toEqual([])
  })
})
